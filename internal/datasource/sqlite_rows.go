package datasource

import (
	"context"
	"database/sql/driver"

	"parlance/internal/datasource/sqlitefn"
	"parlance/internal/result"
)

// sqliteRows reads the rows of a statement from the driver itself.
type sqliteRows struct {
	db       *sqliteDB
	conn     *sqliteConn
	end      func() // takes the interrupt back
	stmt     driver.Stmt
	rows     driver.Rows
	raw      []driver.Value
	cells    []any
	decimals []result.Decimal // one a column, used again for every row
}

func (r *sqliteRows) open(text string, args []any) error {
	bound, err := sqliteArguments(args)
	if err != nil {
		return err
	}
	stmt, err := r.conn.Prepare(text)
	if err != nil {
		return err
	}
	r.stmt = stmt
	query, ok := r.stmt.(driver.StmtQueryContext)
	if !ok {
		return errNotReading
	}
	rows, err := query.QueryContext(context.Background(), bound) // the connection's own interrupt serves
	if err != nil {
		return err
	}
	r.rows = rows
	n := len(r.rows.Columns())
	r.raw, r.cells, r.decimals = make([]driver.Value, n), make([]any, n), make([]result.Decimal, n)
	return nil
}

func (r *sqliteRows) next() ([]any, error) {
	if err := r.rows.Next(r.raw); err != nil {
		return nil, err
	}
	for i, v := range r.raw {
		if b, ok := v.([]byte); ok {
			r.cells[i] = r.convert(i, b)
		} else {
			r.cells[i] = v
		}
	}
	return r.cells, nil
}

// convert reads the bytes of a cell: an exact number, an instant, or what somebody stored.
func (r *sqliteRows) convert(i int, b []byte) any {
	n, at, isTime, ok := sqlitefn.Cell(b)
	switch {
	case isTime:
		return at
	case !ok:
		return b
	}
	d := &r.decimals[i]
	d.Unscaled, d.Wide, d.Scale = n.Parts()
	return d
}

// close ends the statement and gives its connection back.
func (r *sqliteRows) close() {
	r.end()
	if r.rows != nil {
		_ = r.rows.Close()
	}
	if r.stmt != nil {
		_ = r.stmt.Close()
	}
	r.db.give(r.conn)
}
