package datasource

import (
	"context"

	"parlance/internal/relation"
)

// The statements name the schema twice; "" is the database of the dsn.
const (
	mysqlListing = `SELECT c.TABLE_NAME, t.TABLE_TYPE, CASE WHEN t.TABLE_TYPE = 'VIEW' THEN '' ELSE t.TABLE_COMMENT END, c.COLUMN_COMMENT,
		c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE
	FROM information_schema.COLUMNS c JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
	WHERE c.TABLE_SCHEMA = CASE ? WHEN '' THEN DATABASE() ELSE ? END
	ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`

	mysqlKeys = `SELECT TABLE_NAME, INDEX_NAME, CASE WHEN INDEX_NAME = 'PRIMARY' THEN 'primary' WHEN NON_UNIQUE = 0 THEN 'unique' ELSE 'index' END,
		CASE WHEN SUB_PART IS NULL THEN COLUMN_NAME ELSE '' END
	FROM information_schema.STATISTICS
	WHERE TABLE_SCHEMA = CASE ? WHEN '' THEN DATABASE() ELSE ? END AND INDEX_TYPE IN ('BTREE', 'HASH')
	ORDER BY TABLE_NAME, INDEX_NAME = 'PRIMARY' DESC, INDEX_NAME, SEQ_IN_INDEX`

	mysqlReferences = `SELECT TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME,
		CASE WHEN REFERENCED_TABLE_SCHEMA = TABLE_SCHEMA THEN ? ELSE REFERENCED_TABLE_SCHEMA END, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
	FROM information_schema.KEY_COLUMN_USAGE
	WHERE TABLE_SCHEMA = CASE ? WHEN '' THEN DATABASE() ELSE ? END AND REFERENCED_TABLE_NAME IS NOT NULL
	ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`
)

func (m *mySQL) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	of := []any{l.schema, l.schema}
	if err := l.columns(ctx, mysqlListing, of); err != nil {
		return nil, err
	}
	if err := l.keys(ctx, mysqlKeys, of); err != nil {
		return nil, err
	}
	if err := l.references(ctx, mysqlReferences, append([]any{l.schema}, of...)); err != nil {
		return nil, err
	}
	found := &relation.Schema{Access: relation.Indexed}
	if !m.server.dialect.Zones {
		found.Notes = append(found.Notes, relation.Note{
			What:   "the server has no time-zone tables, so that instants cannot be shown by the clock of a zone",
			Advice: "load them: mariadb-tzinfo-to-sql (mysql_tzinfo_to_sql) /usr/share/zoneinfo, into the database mysql",
		})
	}
	return found, nil
}
