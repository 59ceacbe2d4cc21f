package datasource

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"parlance/internal/result"
)

// clickHouseRows reads the rows of a statement.
type clickHouseRows struct {
	rows     driver.Rows
	cancel   context.CancelFunc
	scanned  []clickHouseCell
	into     []any // pointers to scanned
	cells    []any
	decimals []result.Decimal // one a column, used again for every row
}

// clickHouseCell takes a value as the driver gives it.
type clickHouseCell struct{ value any }

// Scan keeps the value.
func (c *clickHouseCell) Scan(value any) error {
	c.value = value
	return nil
}

func (r *clickHouseRows) prepare() error {
	types := r.rows.ColumnTypes()
	r.scanned, r.into = make([]clickHouseCell, len(types)), make([]any, len(types))
	r.cells, r.decimals = make([]any, len(types)), make([]result.Decimal, len(types))
	for i, t := range types {
		if !clickHouseShown(t.DatabaseTypeName()) {
			return notShown(t.Name(), t.DatabaseTypeName())
		}
		r.into[i] = &r.scanned[i]
	}
	return nil
}

func (r *clickHouseRows) next() ([]any, error) {
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return nil, cutOff(err)
		}
		return nil, io.EOF
	}
	if err := r.rows.Scan(r.into...); err != nil {
		return nil, err
	}
	for i := range r.scanned {
		r.cells[i] = r.convert(i, r.scanned[i].value)
	}
	return r.cells, nil
}

// cutOff returns an error, but never the end of the rows: a connection that ends before them is lost.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// decimalValue is the driver's decimal: a whole number and the power of ten by which it is multiplied.
type decimalValue interface {
	Coefficient() *big.Int
	Exponent() int32
}

func (r *clickHouseRows) convert(i int, raw any) any {
	switch v := raw.(type) {
	case decimalValue:
		d := &r.decimals[i]
		d.Scale = uint8(-v.Exponent())
		if n := v.Coefficient(); n.IsInt64() {
			d.Unscaled, d.Wide = n.Int64(), nil
		} else {
			d.Wide = n
		}
		return d
	case *big.Int:
		return v
	case fmt.Stringer: // a UUID; times are none of these
		if s := v.String(); len(s) == uuidLength && strings.Count(s, "-") == 4 {
			return s
		}
	}
	return raw
}

const uuidLength = 36

// close ends the statement, which the server stops when it has more to say, and gives its connection back.
func (r *clickHouseRows) close() {
	r.cancel()
	_ = r.rows.Close()
}
