package datasource

import (
	"context"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// planner is an engine whose database tells how it would run a statement. The last cell of each row is a part of it.
type planner interface {
	plan(ctx context.Context, text string, args []any) (cursor, error)
}

// Plan returns how the database would run one statement that reads, in its own words, without running it; "" where it
// cannot tell. The words may hold the arguments' values and how much of what a table has.
func (s *Source) Plan(ctx context.Context, text string, args []any) (string, error) {
	p, ok := s.current().(planner)
	if !ok {
		return "", nil
	}
	var lines []string
	err := s.read(ctx, func(cells []any) error {
		lines = append(lines, strings.TrimRight(fmt.Sprint(cells[len(cells)-1]), " \n"))
		return nil
	}, func(ctx context.Context) (cursor, error) { return p.plan(ctx, text, args) })
	return strings.Join(lines, "\n"), err
}

func (d *duckDB) plan(ctx context.Context, text string, args []any) (cursor, error) {
	if !readsOnly(text) {
		return nil, errNotReading
	}
	conn, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	r := &duckRows{db: d, conn: conn, kind: duckdb.STATEMENT_TYPE_EXPLAIN}
	if err := r.open(ctx, "EXPLAIN "+text, args); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (d *sqliteDB) plan(ctx context.Context, text string, args []any) (cursor, error) {
	if !reads(text) {
		return nil, errNotReading
	}
	conn, err := d.take()
	if err != nil {
		return nil, err
	}
	r := &sqliteRows{db: d, conn: conn, end: conn.begin(ctx)}
	if err := r.open("EXPLAIN QUERY PLAN "+text, args); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (p *postgres) plan(ctx context.Context, text string, args []any) (cursor, error) {
	if !reading(text) {
		return nil, errNotReading
	}
	bound, err := postgresArguments(args)
	if err != nil {
		return nil, err
	}
	conn, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	r := &postgresRows{db: p, conn: conn}
	if err := r.once(ctx, "EXPLAIN "+text, bound); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (m *mySQL) plan(ctx context.Context, text string, args []any) (cursor, error) {
	if !readsOnly(text) {
		return nil, errNotReading
	}
	bound, err := mysqlArguments(args)
	if err != nil {
		return nil, err
	}
	r, err := m.rows(ctx, "EXPLAIN FORMAT=JSON "+text, bound)
	if err != nil {
		return nil, err
	}
	return r, nil
}
