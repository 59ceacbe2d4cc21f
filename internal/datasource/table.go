package datasource

import (
	"context"
	"errors"
	"iter"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
)

// Column is one column of a table or of a query.
type Column struct {
	Name     string
	Type     value.Type // of the zero Kind when values of the column cannot be shown
	Nullable bool
	Native   string // the database's own word for the type; only read
}

// Table is a table to be made and filled.
//
// A cell is nil, an int64, a string, a bool, a decimal's unscaled int64, or a time.Time in UTC; on DuckDB and
// PostgreSQL, of a decimal of a Wide type, also its unscaled *big.Int. The slice of a row is read before the next row is asked for.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // columns whose values tell the rows apart, which is checked; none when empty
	Sharded bool     // on a cluster the rows are spread over its servers, by the key; otherwise each has all of them
	Replace bool     // a table of that name makes room, first where tables are not made in transactions; otherwise it stays and nothing is loaded
	Narrow  bool     // DuckDB may keep wide decimals as small ones where all of a column are
	Rows    iter.Seq[[]any]
}

// Columns returns the columns of a table, or of a query when that is given instead. A table that is not there is
// NotFound, a query that does not run Invalid.
func (s *Source) Columns(ctx context.Context, schema, table, query string) ([]Column, error) {
	var columns []Column
	err := s.read(ctx, func(cells []any) error {
		c, err := s.current().column(cells)
		columns = append(columns, c)
		return err
	}, func(ctx context.Context) (cursor, error) { return s.current().describe(ctx, schema, table, query) })
	switch f := fault.As(err); {
	case err == nil:
		return columns, nil
	case f.Kind == fault.Unavailable:
		return nil, err
	case query != "":
		return nil, badQuery(s.name, f.Cause)
	default:
		return nil, unknownTable(s.name, schema, table, f.Cause)
	}
}

// Load makes a table and fills it; on error there is no such table. It runs as long as it needs, and not after Seal.
func (s *Source) Load(ctx context.Context, t Table) error {
	if s.sealed.Load() {
		return notLoaded(t.Name, errSealed)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.current().load(ctx, t); err != nil {
		if ctx.Err() != nil {
			return cancelled(ctx.Err())
		}
		return notLoaded(t.Name, err)
	}
	return nil
}

var errThere = errors.New("there is a table of that name")

// dropFirst is the statement that makes room for a table that replaces another, with what divides it from the next; ""
// for one that does not.
func dropFirst(d dialect.Dialect, t Table, divider string) string {
	if !t.Replace {
		return ""
	}
	w := dialect.NewWriter(d)
	w.Text("DROP TABLE IF EXISTS ")
	w.Name(t.Name)
	w.Text(divider)
	text, _ := w.Statement()
	return text
}

// Seal ends loading: from now on the source only reads. It fails when the database could still reach files or the
// network, install extensions or change its settings.
func (s *Source) Seal(ctx context.Context) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.sealed.Store(true)
	if err := s.current().seal(ctx); err != nil {
		return fault.Internalf(err, "Datasource %q could not be sealed", s.name)
	}
	return nil
}
