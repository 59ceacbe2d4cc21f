package datasource

import (
	"context"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/result"
)

// postgresRows reads the rows of a statement as the server sends them.
type postgresRows struct {
	db     *postgres
	conn   *pgconn.PgConn
	stop   context.CancelFunc
	reader *pgconn.ResultReader
	plain  string // the statement without its comment
	begun  time.Time
	lent   bool // the connection is not given back when the rows end
	held   bool // the first row was read when the statement was opened
	ended  bool // every row was read
	cells  []any
	forms  []postgresForm
	exact  []exactCell // one a column, used again for every row
}

// exactCell is the room of a number.
type exactCell struct {
	decimal result.Decimal
	wide    big.Int
}

// open sends a statement and waits for its first row or its end.
func (r *postgresRows) open(ctx context.Context, send func(context.Context) *pgconn.ResultReader) error {
	ctx, r.stop = context.WithCancel(ctx)
	return r.first(send(ctx))
}

// first waits for the first row or the end.
func (r *postgresRows) first(reader *pgconn.ResultReader) error {
	r.reader = reader
	if r.held = r.reader.NextRow(); !r.held {
		if err := r.end(); err != nil {
			return err
		}
	}
	fields := r.reader.FieldDescriptions()
	r.cells, r.forms, r.exact = make([]any, len(fields)), make([]postgresForm, len(fields)), make([]exactCell, len(fields))
	for i, f := range fields {
		var ok bool
		if r.forms[i], ok = postgresFormOf(f.DataTypeOID); !ok {
			return notShown(f.Name, "number "+strconv.FormatUint(uint64(f.DataTypeOID), 10))
		}
	}
	return nil
}

// end reads what follows the last row.
func (r *postgresRows) end() error {
	_, err := r.reader.Close()
	if r.ended = err == nil; r.ended {
		r.db.paces.note(r.plain, time.Since(r.begun))
	}
	return err
}

func (r *postgresRows) next() ([]any, error) {
	switch {
	case r.held:
		r.held = false
	case r.ended:
		return nil, io.EOF
	case !r.reader.NextRow():
		if err := r.end(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	for i, raw := range r.reader.Values() {
		if raw == nil {
			r.cells[i] = nil
			continue
		}
		cell, err := r.cell(i, raw)
		if err != nil {
			return nil, err
		}
		r.cells[i] = cell
	}
	return r.cells, nil
}

func (r *postgresRows) cell(i int, raw []byte) (any, error) {
	switch r.forms[i] {
	case postgresText:
		return string(raw), nil
	case postgresInteger:
		return strconv.ParseInt(string(raw), 10, 64)
	case postgresNumeric:
		return r.exact[i].read(raw), nil
	case postgresFloat:
		return strconv.ParseFloat(string(raw), 64)
	case postgresSmallFloat:
		f, err := strconv.ParseFloat(string(raw), 32)
		return float32(f), err
	case postgresBoolean:
		return len(raw) == 1 && raw[0] == 't', nil
	case postgresTime:
		return postgresMoment(string(raw))
	}
	return nil, fmt.Errorf("a cell of form %d", r.forms[i])
}

// read takes 123.450 apart; NaN and the infinities are null (decision 51).
func (c *exactCell) read(raw []byte) any {
	digits, negative := make([]byte, 0, 64), false
	point := -1
	for i, b := range raw {
		switch {
		case b >= '0' && b <= '9':
			if len(digits) > 0 || b != '0' {
				digits = append(digits, b)
			}
		case b == '-' && i == 0:
			negative = true
		case b == '.' && point < 0:
			point = i
		default:
			return nil
		}
	}
	scale := 0
	if point >= 0 {
		scale = len(raw) - point - 1
	}
	const maxScale = 255
	if scale > maxScale {
		return string(raw)
	}
	c.decimal = result.Decimal{Scale: uint8(scale)}
	if len(digits) <= smallDecimal {
		for _, b := range digits {
			c.decimal.Unscaled = c.decimal.Unscaled*10 + int64(b-'0')
		}
		if negative {
			c.decimal.Unscaled = -c.decimal.Unscaled
		}
		return &c.decimal
	}
	c.wide.SetString(string(digits), 10)
	if negative {
		c.wide.Neg(&c.wide)
	}
	c.decimal.Wide = &c.wide
	return &c.decimal
}

// postgresMoment reads a date or a timestamp of the session's zone, UTC; the infinities are null (decision 51).
func postgresMoment(raw string) (any, error) {
	if at, ok := commonMoment(raw); ok {
		return at, nil
	}
	if raw == "infinity" || raw == "-infinity" {
		return nil, nil
	}
	text, before := raw, false // before Christ
	if n := len(text) - len(" BC"); n > 0 && text[n:] == " BC" {
		text, before = text[:n], true
	}
	extra := 0 // years beyond four digits
	for len(text) > 4+extra && text[4+extra] != '-' {
		extra++
	}
	if extra > 2 || len(text) < len(time.DateOnly)+extra {
		return nil, fmt.Errorf("%q is no date", raw)
	}
	year, err := strconv.Atoi(text[:4+extra])
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(postgresLayout(text[4+extra:]), text[4+extra:])
	if err != nil {
		return nil, err
	}
	if before {
		year = 1 - year
	}
	return time.Date(year, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC), nil
}

// commonMoment reads what nearly all are: 2024-03-05 and 2024-03-05 14:03:07.
func commonMoment(raw string) (time.Time, bool) {
	if len(raw) != len(time.DateOnly) && len(raw) != len(time.DateTime) {
		return time.Time{}, false
	}
	var n [6]int // year to second
	part := 0
	for i := range len(raw) {
		switch c := raw[i]; {
		case c >= '0' && c <= '9':
			n[part] = n[part]*10 + int(c-'0')
		case c == time.DateTime[i] && part < len(n)-1:
			part++
		default:
			return time.Time{}, false
		}
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, time.UTC), true
}

func postgresLayout(rest string) string {
	switch {
	case len(rest) == len("-01-02"):
		return "-01-02"
	case len(rest) > 3 && rest[len(rest)-3:] == "+00":
		return "-01-02 15:04:05+00"
	}
	return "-01-02 15:04:05"
}

// close ends the statement and gives its connection back. Rows that nobody read are not waited for.
func (r *postgresRows) close() {
	if r.stop != nil { // something was sent
		if !r.ended {
			r.stop()
			_, _ = r.reader.Close()
		}
		r.stop()
	}
	if !r.lent {
		r.db.give(r.conn)
	}
}
