package datasource

import (
	"context"
	"strings"

	"parlance/internal/relation"
)

// Hidden columns are not those of SELECT *, generated ones are.
const sqliteListing = `SELECT m.name, m.type, '', '', c.name, c.type, NOT (c."notnull" OR c.pk AND upper(c.type) = 'INTEGER')
	FROM pragma_table_list m, pragma_table_xinfo(m.name, m.schema) c
	WHERE m.schema = ? AND m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND c.hidden <> 1
	ORDER BY m.name, c.cid`

// A table whose key is its row number has no index for it, so that keys are told by the columns too.
const sqliteKeys = `SELECT t, i, k, c FROM (
		SELECT m.name AS t, '' AS i, 'primary' AS k, c.name AS c, c.pk AS place
			FROM pragma_table_list m, pragma_table_xinfo(m.name, m.schema) c WHERE m.schema = ?1 AND m.type = 'table' AND c.pk > 0
		UNION ALL SELECT m.name, i.name, CASE WHEN i."unique" THEN 'unique' ELSE 'index' END, c.name, c.seqno
			FROM pragma_table_list m, pragma_index_list(m.name, m.schema) i, pragma_index_info(i.name, m.schema) c
			WHERE m.schema = ?1 AND m.type = 'table' AND i.origin <> 'pk' AND NOT i.partial)
	ORDER BY t, i, place`

// A reference that names no column is to the primary key.
const sqliteReferences = `SELECT m.name, f.id, f."from", ?, f."table",
		coalesce(f."to", (SELECT p.name FROM pragma_table_xinfo(f."table", m.schema) p WHERE p.pk = f.seq + 1))
	FROM pragma_table_list m, pragma_foreign_key_list(m.name, m.schema) f WHERE m.schema = ? AND m.type = 'table'
	ORDER BY m.name, f.id, f.seq`

func (d *sqliteDB) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	name := l.schema
	if name == "" {
		name = "main"
	}
	if err := l.columns(ctx, sqliteListing, []any{name}); err != nil {
		return nil, err
	}
	if err := l.keys(ctx, sqliteKeys, []any{name}); err != nil {
		return nil, err
	}
	if err := l.references(ctx, sqliteReferences, []any{l.schema, name}); err != nil {
		return nil, err
	}
	l.fold()
	return &relation.Schema{Access: relation.Indexed}, nil
}

// fold spells what references name as its owner does: SQLite minds no case there.
func (l *lister) fold() {
	names := map[string]*relation.Table{}
	for name, t := range l.tables {
		names[strings.ToLower(name)] = t
	}
	for _, t := range l.tables {
		for i := range t.Foreign {
			f := &t.Foreign[i]
			respell(t, f.Columns)
			if to := names[strings.ToLower(f.Table)]; to != nil {
				f.Table = to.Name
				respell(to, f.References)
			}
		}
	}
}

func respell(t *relation.Table, columns []string) {
	for i, name := range columns {
		for _, c := range t.Columns {
			if strings.EqualFold(c.Name, name) {
				columns[i] = c.Name
			}
		}
	}
}
