package datasource

import (
	"context"

	"parlance/internal/relation"
)

// postgresTables are the tables and views of a schema, or of the search path; a partition is its table's. $1 is the
// schema, "" for the search path.
const postgresTables = `SELECT c.oid, c.relname, c.relkind, n.nspname, pg_catalog.pg_table_is_visible(c.oid) AS visible
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
		AND CASE $1 WHEN '' THEN pg_catalog.pg_table_is_visible(c.oid) ELSE n.nspname = $1 END`

// A domain is the type that it is of.
const postgresListing = `SELECT t.relname, CASE WHEN t.relkind IN ('v', 'm') THEN 'VIEW' ELSE 'TABLE' END,
		pg_catalog.obj_description(t.oid, 'pg_class'), pg_catalog.col_description(t.oid, a.attnum),
		a.attname, coalesce(nullif(y.typbasetype, 0), y.oid)::int8, CASE WHEN y.typbasetype <> 0 THEN y.typtypmod ELSE a.atttypmod END,
		y.typcategory::text, pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull
	FROM (` + postgresTables + `) t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
	JOIN pg_catalog.pg_type y ON y.oid = a.atttypid
	ORDER BY t.relname, a.attnum`

// An index over some rows only, or one that is not finished, tells nothing.
const postgresKeys = `SELECT t.relname, i.indexrelid::int8, CASE WHEN i.indisprimary THEN 'primary' WHEN i.indisunique THEN 'unique' ELSE 'index' END, a.attname
	FROM (` + postgresTables + `) t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid AND i.indisvalid AND i.indpred IS NULL
	CROSS JOIN LATERAL generate_series(0, i.indnkeyatts - 1) AS p(place)
	LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[p.place] AND a.attnum > 0
	ORDER BY t.relname, i.indisprimary DESC, i.indexrelid, p.place`

const postgresReferences = `SELECT t.relname, k.oid::int8, a.attname,
		CASE WHEN $1 = '' AND pg_catalog.pg_table_is_visible(r.oid) THEN '' ELSE n.nspname END, r.relname, b.attname
	FROM (` + postgresTables + `) t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' AND k.conparentid = 0
	JOIN pg_catalog.pg_class r ON r.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace
	CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(here, there, place)
	JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = p.here
	JOIN pg_catalog.pg_attribute b ON b.attrelid = r.oid AND b.attnum = p.there
	ORDER BY t.relname, k.oid, p.place`

const postgresRole = "SELECT rolsuper::text FROM pg_catalog.pg_roles WHERE rolname = current_user"

func (p *postgres) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	of := []any{l.schema}
	if err := l.columns(ctx, postgresListing, of); err != nil {
		return nil, err
	}
	if err := l.keys(ctx, postgresKeys, of); err != nil {
		return nil, err
	}
	if err := l.references(ctx, postgresReferences, of); err != nil {
		return nil, err
	}
	found := &relation.Schema{Access: relation.Indexed}
	err := l.each(ctx, postgresRole, nil, func(cells []string) {
		if cells[0] == "true" {
			found.Notes = append(found.Notes, relation.Note{
				What: "the role of its dsn is a superuser", Advice: "give it one that may read the tables of the models and no more",
			})
		}
	})
	return found, err
}
