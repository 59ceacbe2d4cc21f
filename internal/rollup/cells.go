package rollup

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parlance/internal/compile/reuse"
	"parlance/internal/datasource"
	"parlance/internal/jsontree"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// stored is the type in which a column is kept: integers of 64 bits and decimals of 38 digits, whatever the model says.
func stored(c reuse.Column) value.Type {
	t := c.Type
	if t.Exact() {
		t.Wide = true
	}
	return t
}

// columnsOf returns the columns of a rollup's table.
func columnsOf(d *reuse.Definition) (columns []datasource.Column, keys []string) {
	for i, c := range d.Columns {
		columns = append(columns, datasource.Column{Name: c.Name, Type: stored(c), Nullable: true})
		if d.Key(i) {
			keys = append(keys, c.Name)
		}
	}
	return columns, keys
}

// reader turns the rows of a database into the cells of a rollup's table. It reads what every answer would print, so a
// cell is the same whatever the database.
type reader struct {
	columns []reuse.Column
	printed []result.Column
	buffer  []byte
	cells   []any
	bytes   int64
	keys    int             // columns that tell rows apart
	once    map[uint64]bool // the keys of rows that were read; nil: the database itself checks that none comes twice
	seed    maphash.Seed
}

func newReader(d *reuse.Definition, printed []result.Column) *reader {
	r := &reader{columns: d.Columns, printed: printed, cells: make([]any, len(d.Columns)), seed: maphash.MakeSeed()}
	for r.keys < len(d.Columns) && d.Key(r.keys) {
		r.keys++
	}
	return r
}

// row returns the cells of a row; they are used again for the next.
func (r *reader) row(cells []any) ([]any, error) {
	var err error
	if r.buffer, err = result.AppendObject(r.buffer[:0], r.printed, cells, time.UTC); err != nil {
		return nil, err
	}
	return r.parse(r.buffer)
}

// parse returns the cells of a row that is a JSON object.
func (r *reader) parse(object []byte) ([]any, error) {
	tree, err := jsontree.Parse(object)
	if err != nil || len(tree.Members) != len(r.columns) {
		return nil, errors.Join(errors.New("a row cannot be read back"), err)
	}
	for i, m := range tree.Members {
		if m.Value.Kind == jsontree.Null {
			r.cells[i] = nil
			continue
		}
		if r.cells[i], err = cellOf(r.columns[i], m.Value.Text); err != nil {
			return nil, fmt.Errorf("column %s: %w", r.columns[i].Source, err)
		}
		r.bytes += int64(max(8, len(m.Value.Text)))
	}
	return r.cells, r.unmet(tree.Members[:r.keys])
}

// unmet refuses a row whose keys came before: what was apart in the database would become one.
func (r *reader) unmet(keys []jsontree.Member) error {
	if r.once == nil {
		return nil
	}
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, k := range keys {
		h.WriteByte(byte(k.Value.Kind))
		h.WriteString(k.Value.Text)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	if r.once[sum] {
		return errors.New("two rows have one key")
	}
	r.once[sum] = true
	return nil
}

func cellOf(c reuse.Column, text string) (any, error) {
	if c.Grain != semantic.NoGrain {
		return firstOf(c.Grain, text)
	}
	switch c.Type.Kind {
	case value.String:
		return text, nil
	case value.Boolean:
		return strconv.ParseBool(text)
	case value.Integer:
		return strconv.ParseInt(text, 10, 64)
	case value.Decimal:
		return unscaled(text, int(c.Type.Scale))
	case value.Date:
		return time.Parse(time.DateOnly, text)
	case value.Timestamp:
		if c.Type.Zoned {
			at, err := time.Parse(time.RFC3339Nano, text)
			return at.UTC(), err
		}
		return time.Parse("2006-01-02T15:04:05.999999", text)
	case value.Null, value.Float:
	}
	return nil, fmt.Errorf("a %s cannot be kept", c.Type.Name())
}

// unscaled reads a decimal as the whole number that it is without its point.
func unscaled(text string, scale int) (any, error) {
	whole, frac, _ := strings.Cut(text, ".")
	frac = strings.TrimRight(frac, "0")
	if len(frac) > scale {
		return nil, fmt.Errorf("%s has more than %d digits after the point", text, scale)
	}
	n, ok := new(big.Int).SetString(whole+frac+strings.Repeat("0", scale-len(frac)), 10)
	if !ok {
		return nil, fmt.Errorf("%q is no decimal", text)
	}
	return n, nil
}

// firstOf returns the first day, or hour, of a period as fields print it (decision 54).
func firstOf(g semantic.Grain, text string) (any, error) {
	var first time.Time
	var err error
	switch g {
	case semantic.Year:
		first, err = time.Parse("2006", text)
	case semantic.Quarter:
		year, quarter, ok := strings.Cut(text, "-Q")
		if !ok || len(quarter) != 1 {
			return nil, notAPeriod(text)
		}
		if first, err = time.Parse("2006", year); err == nil {
			first = first.AddDate(0, 3*int(quarter[0]-'1'), 0)
		}
	case semantic.Month:
		first, err = time.Parse("2006-01", text)
	case semantic.Week:
		first, err = weekOf(text)
	case semantic.Day:
		first, err = time.Parse(time.DateOnly, text)
	case semantic.Hour:
		first, err = time.Parse("2006-01-02T15:04:05", text)
	case semantic.NoGrain:
		err = notAPeriod(text)
	}
	return first, err
}

// weekOf returns the Monday of an ISO week.
func weekOf(text string) (time.Time, error) {
	year, week, ok := strings.Cut(text, "-W")
	first, err := time.Parse("2006", year)
	n, notANumber := strconv.Atoi(week)
	if !ok || err != nil || notANumber != nil {
		return first, notAPeriod(text)
	}
	fourth := first.AddDate(0, 0, 3) // the fourth of January is in the first week
	monday := fourth.AddDate(0, 0, -int(fourth.Weekday()+6)%7+7*(n-1))
	if y, w := monday.ISOWeek(); y != first.Year() || w != n {
		return first, notAPeriod(text)
	}
	return monday, nil
}

func notAPeriod(text string) error { return fmt.Errorf("%q is no period", text) }
