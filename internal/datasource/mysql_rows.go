package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"

	"parlance/internal/result"
)

// mysqlRows reads the rows of a statement from the driver itself, as the server's binary form brings them.
type mysqlRows struct {
	db       *mySQL
	conn     *mysqlConn
	stmt     driver.Stmt
	rows     driver.Rows
	raw      []driver.Value
	cells    []any
	forms    []mysqlForm
	decimals []result.Decimal // one a column, used again for every row
	hidden   error            // a column whose values cannot be shown
	over     bool             // the server has done with the statement
	whole    bool             // and nothing is left of it, so that the connection can serve the next

	guard *mysqlGuard
}

// rows runs a statement on a connection of the pool.
func (m *mySQL) rows(ctx context.Context, text string, args []driver.NamedValue) (*mysqlRows, error) {
	conn, err := m.take(ctx)
	if err != nil {
		return nil, err
	}
	r := &mysqlRows{db: m, conn: conn, guard: m.guard(ctx, conn)}
	if err := r.open(text, args); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *mysqlRows) open(text string, args []driver.NamedValue) (err error) {
	ctx := r.guard.ctx
	if r.stmt, err = r.conn.PrepareContext(ctx, text); err != nil {
		r.whole = answered(err)
		return err
	}
	stmt, ok := r.stmt.(driver.StmtQueryContext)
	if !ok || r.stmt.NumInput() != len(args) {
		r.whole = true
		return errArguments
	}
	if r.rows, err = stmt.QueryContext(ctx, args); err != nil {
		r.over = answered(err)
		return err
	}
	return r.prepare()
}

var errArguments = errors.New("the statement has another number of arguments")

func (r *mysqlRows) prepare() error {
	names := r.rows.Columns()
	r.raw, r.cells = make([]driver.Value, len(names)), make([]any, len(names))
	r.forms, r.decimals = make([]mysqlForm, len(names)), make([]result.Decimal, len(names))
	typed, ok := r.rows.(driver.RowsColumnTypeDatabaseTypeName)
	if !ok || len(names) == 0 {
		return errNotReading
	}
	for i, name := range names {
		native := typed.ColumnTypeDatabaseTypeName(i)
		if r.forms[i], ok = mysqlForms[native]; !ok {
			r.hidden = notShown(name, native)
		}
	}
	return nil
}

// next ends with the warnings of the statement, some of which mean that what it answered is wrong.
func (r *mysqlRows) next() ([]any, error) {
	if r.hidden != nil {
		return nil, r.hidden
	}
	err := r.rows.Next(r.raw)
	switch {
	case errors.Is(err, io.EOF):
		if err := r.rows.Close(); err != nil { // until then the driver holds the connection
			return nil, err
		}
		r.over = true
		if err := r.conn.warnings(r.guard.ctx); err != nil {
			return nil, err
		}
		r.whole = true
		return nil, io.EOF
	case err != nil:
		r.over = answered(err)
		return nil, err
	}
	for i, v := range r.raw {
		if v == nil {
			r.cells[i] = nil
			continue
		}
		if r.cells[i], err = r.convert(i, v); err != nil {
			return nil, err
		}
	}
	return r.cells, nil
}

// mysqlForm is what is done to a driver's value before it is a cell.
type mysqlForm uint8

const (
	mysqlPlain   mysqlForm = iota // numbers pass; bytes become text of their own
	mysqlDecimal                  // to *result.Decimal
	mysqlTime                     // text to a date or time; one of zeros, which is none, to null
	mysqlClock                    // a time of day without the zeros at its end
	mysqlBits                     // to an integer
)

var mysqlForms = map[string]mysqlForm{
	"TINYINT": mysqlPlain, "SMALLINT": mysqlPlain, "MEDIUMINT": mysqlPlain, "INT": mysqlPlain, "BIGINT": mysqlPlain, "YEAR": mysqlPlain,
	"UNSIGNED TINYINT": mysqlPlain, "UNSIGNED SMALLINT": mysqlPlain, "UNSIGNED MEDIUMINT": mysqlPlain, "UNSIGNED INT": mysqlPlain, "UNSIGNED BIGINT": mysqlPlain,
	"FLOAT": mysqlPlain, "DOUBLE": mysqlPlain, "NULL": mysqlPlain,
	"CHAR": mysqlPlain, "VARCHAR": mysqlPlain, "TINYTEXT": mysqlPlain, "TEXT": mysqlPlain, "MEDIUMTEXT": mysqlPlain, "LONGTEXT": mysqlPlain,
	"ENUM": mysqlPlain, "SET": mysqlPlain, "JSON": mysqlPlain,
	"DECIMAL": mysqlDecimal, "DATE": mysqlTime, "DATETIME": mysqlTime, "TIMESTAMP": mysqlTime, "TIME": mysqlClock, "BIT": mysqlBits,
}

func (r *mysqlRows) convert(i int, raw driver.Value) (any, error) {
	text, ok := raw.([]byte)
	if !ok {
		return raw, nil
	}
	switch r.forms[i] {
	case mysqlDecimal:
		return &r.decimals[i], readDecimal(&r.decimals[i], text)
	case mysqlTime:
		return readTime(text)
	case mysqlClock:
		return trimClock(text), nil
	case mysqlBits:
		var n uint64
		for _, b := range text {
			n = n<<8 | uint64(b)
		}
		return n, nil
	case mysqlPlain:
	}
	return string(text), nil
}

// close gives the connection back, or ends the session: with a statement whose rows were not all read, since reading
// them only to forget them could take as long as the statement itself, and with the warnings of one that failed, which a
// statement without tables would find again.
func (r *mysqlRows) close() {
	stopped := r.guard.end()
	defer r.guard.force()
	if stopped || !r.whole {
		if !stopped && !r.over {
			_ = r.db.kill(r.guard.ctx, r.conn.id)
		}
		_ = r.conn.Close()
		return
	}
	if r.rows != nil {
		_ = r.rows.Close()
	}
	if r.stmt != nil {
		_ = r.stmt.Close()
	}
	r.db.give(r.conn)
}
