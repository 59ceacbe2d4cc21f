package datasource

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"math"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/result"
)

// duckRows reads the rows of a statement from the driver itself: database/sql would copy every cell once more.
type duckRows struct {
	db       *duckDB
	conn     *duckdb.Conn
	kind     duckdb.StmtType // that the statement must be
	stmt     driver.Stmt
	rows     driver.Rows
	raw      []driver.Value
	cells    []any
	forms    []form
	decimals []result.Decimal // one a column, used again for every row
}

// form is what is done to a driver's value before it is a cell.
type form uint8

const (
	formPlain   form = iota // nothing
	formDecimal             // to *result.Decimal
	formTime                // an infinite date or timestamp to null (decision 51)
	formClock               // a time of day to text
	formUUID                // to text
)

func (r *duckRows) open(ctx context.Context, text string, args []any) error {
	bound, err := named(args)
	if err != nil {
		return err
	}
	prepared, err := r.conn.Prepare(text)
	if err != nil {
		return err
	}
	r.stmt = prepared
	stmt, ok := prepared.(*duckdb.Stmt)
	if !ok {
		return errNotReading
	}
	if kind, err := stmt.StatementType(); err != nil || kind != r.kind {
		return errNotReading
	}
	rows, err := stmt.QueryContext(ctx, bound)
	if err != nil {
		return err
	}
	r.rows = rows
	return r.prepare()
}

func (r *duckRows) prepare() error {
	names := r.rows.Columns()
	r.raw, r.cells = make([]driver.Value, len(names)), make([]any, len(names))
	r.forms, r.decimals = make([]form, len(names)), make([]result.Decimal, len(names))
	typed, ok := r.rows.(driver.RowsColumnTypeDatabaseTypeName)
	for i, name := range names {
		native := ""
		if ok {
			native = typed.ColumnTypeDatabaseTypeName(i)
		}
		if r.forms[i], ok = duckForm(native); !ok {
			return notShown(name, native)
		}
	}
	return nil
}

func duckForm(native string) (form, bool) {
	switch native {
	case "UUID":
		return formUUID, true
	case "TIME":
		return formClock, true
	case "DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_TZ", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return formTime, true
	case "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
		"HUGEINT", "UHUGEINT", "BIGNUM", "FLOAT", "DOUBLE", "VARCHAR", "ENUM", "SQLNULL":
		return formPlain, true
	}
	if strings.HasPrefix(native, "DECIMAL(") && strings.HasSuffix(native, ")") {
		return formDecimal, true
	}
	return formPlain, false
}

func (r *duckRows) next() ([]any, error) {
	if err := r.rows.Next(r.raw); err != nil {
		return nil, err
	}
	for i, v := range r.raw {
		if v == nil || r.forms[i] == formPlain {
			r.cells[i] = v
			continue
		}
		r.cells[i] = r.convert(i, v)
	}
	return r.cells, nil
}

func (r *duckRows) convert(i int, raw any) any {
	switch v := raw.(type) {
	case duckdb.Decimal:
		d := &r.decimals[i]
		d.Scale = v.Scale
		if v.Value.IsInt64() {
			d.Unscaled, d.Wide = v.Value.Int64(), nil
		} else {
			d.Wide = v.Value
		}
		return d
	case time.Time:
		if r.forms[i] == formClock {
			return v.Format("15:04:05.999999")
		}
		if infinite(v) {
			return nil
		}
	case []byte:
		return uuidText(v)
	}
	return raw
}

// infinite reports whether t is what the driver makes of the infinities: the ends of 64-bit microseconds, or of
// 32-bit days.
func infinite(t time.Time) bool {
	const lastYear, firstYear = 290_000, -290_000
	if y := t.Year(); y < lastYear && y > firstYear {
		return false
	}
	days := t.Unix() / 86400
	return t.UnixMicro() >= math.MaxInt64-1 || t.UnixMicro() <= -math.MaxInt64+1 ||
		days >= math.MaxInt32-1 || days <= -math.MaxInt32+1
}

func uuidText(b []byte) string {
	const size, textSize = 16, 36
	if len(b) != size {
		return hex.EncodeToString(b)
	}
	var out [textSize]byte
	at := 0
	for i, c := range b {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out[at] = '-'
			at++
		}
		hex.Encode(out[at:at+2], []byte{c})
		at += 2
	}
	return string(out[:])
}

// close ends the statement and gives its connection back.
func (r *duckRows) close() {
	if r.rows != nil {
		_ = r.rows.Close()
	}
	if r.stmt != nil {
		_ = r.stmt.Close()
	}
	r.db.give(r.conn)
}
