package result

import (
	"math"
	"sync"
	"time"

	"parlance/internal/fault"
	"parlance/internal/value"
)

// maxPooled is the size of the largest buffer that is kept for the next answer.
const maxPooled = 4 << 20

// Encoder writes rows as a JSON array while they arrive. It allocates nothing per row and computes nothing:
// a number's digits are the ones the database sent.
//
// An Encoder is used by one goroutine. CapBytes, Within and Zone are called before the first row.
type Encoder struct {
	columns   []encoding
	layout    Layout
	zone      *time.Location
	max       int
	buf       []byte // without the closing bracket
	rows      int
	truncated bool
	expected  int     // rows, at most; 0: not known
	budget    *Budget // nil: none
	owner     string  // whose bytes they are in the budget
	counted   int     // bytes of the buffer that the budget knows
}

// encoding is what a cell's text depends on, with the bytes that stand before it.
type encoding struct {
	lead    []byte // {"key": or ,"key": in objects; [ or , in the compact layout
	typ     value.Type
	measure bool
}

var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// NewEncoder returns an encoder of rows with these columns. Keys are encoded once, here.
func NewEncoder(columns []Column, layout Layout) *Encoder {
	e, _ := encoders.Get().(*Encoder)
	e.layout, e.zone, e.max = layout, time.UTC, math.MaxInt
	e.rows, e.truncated, e.expected, e.budget, e.counted = 0, false, 0, nil, 0
	e.buf = append(e.buf[:0], '[')
	e.prepare(columns)
	return e
}

func (e *Encoder) prepare(columns []Column) {
	for len(e.columns) < len(columns) {
		e.columns = append(e.columns, encoding{})
	}
	e.columns = e.columns[:len(columns)]
	first := byte('{')
	if e.layout == Compact {
		first = '['
	}
	for i, c := range columns {
		p := &e.columns[i]
		p.typ, p.measure = c.Type, c.Measure
		p.lead = append(p.lead[:0], first)
		if e.layout == Objects {
			p.lead = append(AppendString(p.lead, c.Key), ':')
		}
		first = ','
	}
}

// CapBytes bounds the length of Bytes. The first row that would pass the cap is left out with all that follow,
// even when it is the very first, and Truncated reports it. 0 is no cap.
func (e *Encoder) CapBytes(maximum int) {
	if maximum <= 0 {
		maximum = math.MaxInt
	}
	e.max = maximum
}

// Expect says how many rows come at most, so that a buffer for many is made at once and not by doubling it.
func (e *Encoder) Expect(rows int64) { e.expected = int(min(rows, math.MaxInt32)) }

// manyRows is after how many rows the length of the rest is guessed, and maxGuess the most that is made for them.
const (
	manyRows = 1000
	maxGuess = 32 << 20
)

// guess makes room for the rows that are still expected, by the length of those that came.
func (e *Encoder) guess() {
	whole := min(len(e.buf)/manyRows*e.expected, e.max, maxGuess)
	if whole += whole / 16; whole > cap(e.buf) {
		e.buf = append(make([]byte, 0, whole), e.buf...)
	}
}

// Within makes the encoder's memory count as an owner's in a budget until Release. A row for which there is no room is an
// error; nil bounds nothing.
func (e *Encoder) Within(b *Budget, owner string) { e.budget, e.owner = b, owner }

// count makes the budget know the size of the buffer.
func (e *Encoder) count(size int) error {
	if e.budget == nil || size <= max(e.counted, uncounted) {
		return nil
	}
	if err := e.budget.take(e.owner, int64(size-e.counted), int64(size)); err != nil {
		return err
	}
	e.counted = size
	return nil
}

// Zone sets the location in which timestamps with a zone are printed. It is UTC unless set; nil is UTC.
func (e *Encoder) Zone(loc *time.Location) {
	if loc == nil {
		loc = time.UTC
	}
	e.zone = loc
}

// Row appends one row of cells in column order; the cells are read only until Row returns. After a row was left
// out for the cap, Row does nothing. A row that cannot be encoded is an error and leaves no bytes behind.
func (e *Encoder) Row(cells []any) error {
	if e.truncated {
		return nil
	}
	if len(cells) != len(e.columns) {
		return fault.Internalf(nil, "A row has %d cells for %d columns", len(cells), len(e.columns))
	}
	mark := len(e.buf)
	buf, err := e.appendRow(e.buf, cells)
	if err != nil {
		return err
	}
	e.buf = buf
	if err := e.count(cap(buf)); err != nil {
		return err
	}
	if len(buf) >= e.max {
		e.buf, e.truncated = buf[:mark], true
		return nil
	}
	if e.rows++; e.rows == manyRows && e.expected > manyRows {
		e.guess()
	}
	return nil
}

func (e *Encoder) appendRow(b []byte, cells []any) ([]byte, error) {
	if e.rows > 0 {
		b = append(b, ',')
	}
	var err error
	for i := range e.columns {
		c := &e.columns[i]
		b = append(b, c.lead...)
		if out, ok := appendUsual(b, c, cells[i]); ok {
			b = out
			continue
		}
		if b, err = appendCell(b, c.typ, c.measure, e.zone, cells[i]); err != nil {
			return nil, err
		}
	}
	switch {
	case e.layout == Compact && len(cells) == 0:
		return append(b, '[', ']'), nil
	case e.layout == Compact:
		return append(b, ']'), nil
	case len(cells) == 0:
		return append(b, '{', '}'), nil
	}
	return append(b, '}'), nil
}

// appendUsual appends a cell that comes in the form that its column's type has in most databases, as appendCell does;
// it reports false for every other.
func appendUsual(b []byte, c *encoding, cell any) ([]byte, bool) {
	switch v := cell.(type) {
	case string:
		if c.typ.Kind == value.String {
			return AppendString(b, v), true
		}
	case int64:
		if c.typ.Kind == value.Integer {
			return appendInt(b, v, c.measure), true
		}
	case *Decimal:
		if c.typ.Kind == value.Decimal && v != nil {
			return appendDecimal(b, v, c.typ.Scale, c.measure), true
		}
	}
	return b, false
}

// Bytes returns the rows as a JSON array. It is valid until the next call of Row or Release.
func (e *Encoder) Bytes() []byte {
	e.buf = append(e.buf, ']')
	whole := e.buf
	e.buf = whole[:len(whole)-1]
	return whole
}

// Len returns the number of rows in Bytes.
func (e *Encoder) Len() int { return e.rows }

// Truncated reports whether rows were left out for the cap.
func (e *Encoder) Truncated() bool { return e.truncated }

// Release gives the encoder's memory to the next one. Neither the encoder nor its Bytes may be used afterwards.
// An encoder that is never released is only garbage.
func (e *Encoder) Release() {
	if e.counted > 0 {
		e.budget.give(e.owner, int64(e.counted))
	}
	e.budget, e.owner, e.counted = nil, "", 0
	if cap(e.buf) > maxPooled {
		e.buf = nil
	}
	encoders.Put(e)
}
