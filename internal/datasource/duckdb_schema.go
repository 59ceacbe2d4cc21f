package datasource

import (
	"context"

	"parlance/internal/relation"
)

const duckListing = `SELECT c.table_name, t.kind, t.comment, c.comment, c.column_name, c.data_type,
		CASE WHEN c.is_nullable THEN 'YES' ELSE 'NO' END
	FROM duckdb_columns() c JOIN (
		SELECT database_name, schema_name, table_name, 'TABLE' AS kind, comment FROM duckdb_tables()
		UNION ALL SELECT database_name, schema_name, view_name, 'VIEW', comment FROM duckdb_views() WHERE NOT internal
	) t USING (database_name, schema_name, table_name)
	WHERE c.database_name = current_database() AND c.schema_name = CASE ? WHEN '' THEN current_schema() ELSE ? END
	ORDER BY c.table_name, c.column_index`

const duckKeys = `SELECT table_name, CAST(constraint_index AS VARCHAR), CASE constraint_type WHEN 'PRIMARY KEY' THEN 'primary' ELSE 'unique' END, column_name
	FROM (SELECT table_name, constraint_index, constraint_type, unnest(constraint_column_names) AS column_name,
			generate_subscripts(constraint_column_names, 1) AS place FROM duckdb_constraints()
		WHERE database_name = current_database() AND schema_name = CASE ? WHEN '' THEN current_schema() ELSE ? END
			AND constraint_type IN ('PRIMARY KEY', 'UNIQUE'))
	ORDER BY table_name, constraint_index, place`

// A reference stays in its schema.
const duckReferences = `SELECT table_name, CAST(constraint_index AS VARCHAR), column_name, ?, referenced_table, referenced_column
	FROM (SELECT table_name, constraint_index, referenced_table, unnest(constraint_column_names) AS column_name,
			unnest(referenced_column_names) AS referenced_column, generate_subscripts(constraint_column_names, 1) AS place FROM duckdb_constraints()
		WHERE database_name = current_database() AND schema_name = CASE ? WHEN '' THEN current_schema() ELSE ? END
			AND constraint_type = 'FOREIGN KEY')
	ORDER BY table_name, constraint_index, place`

func (d *duckDB) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	of := []any{l.schema, l.schema}
	if err := l.columns(ctx, duckListing, of); err != nil {
		return nil, err
	}
	if err := l.keys(ctx, duckKeys, of); err != nil {
		return nil, err
	}
	if err := l.references(ctx, duckReferences, append([]any{l.schema}, of...)); err != nil {
		return nil, err
	}
	return &relation.Schema{Access: relation.Scanned}, nil
}
