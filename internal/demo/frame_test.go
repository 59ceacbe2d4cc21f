package demo

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"parlance/internal/value"
)

// frame is a table held in memory, for counting.
type frame struct {
	Table
	rows  [][]any
	place map[string]int // of each column
}

var frames = sync.OnceValue(func() map[string]*frame {
	all := map[string]*frame{}
	for _, t := range Tables() {
		f := &frame{Table: t, place: map[string]int{}}
		for i, c := range t.Columns {
			f.place[c.Name] = i
		}
		for row := range t.Rows {
			f.rows = append(f.rows, slices.Clone(row))
		}
		all[t.Name] = f
	}
	return all
})

func load(t *testing.T, name string) *frame {
	t.Helper()
	f := frames()[name]
	if f == nil {
		t.Fatalf("no table %s", name)
	}
	return f
}

// at returns the position of a column.
func (f *frame) at(column string) int {
	i, known := f.place[column]
	if !known {
		panic(fmt.Sprintf("%s has no column %s", f.Name, column))
	}
	return i
}

// ints returns a column of integers or unscaled decimals.
func (f *frame) ints(column string) []int64 { return columnOf[int64](f, column) }

func (f *frame) texts(column string) []string { return columnOf[string](f, column) }

func columnOf[T any](f *frame, column string) []T {
	i := f.at(column)
	cells := make([]T, len(f.rows))
	for n, row := range f.rows {
		cells[n] = row[i].(T)
	}
	return cells
}

// cellInt returns a cell of a column of integers or unscaled decimals.
func (f *frame) cellInt(row int, column string) int64 { return f.rows[row][f.at(column)].(int64) }

// counts returns how often each value of a column stands there, null being nil.
func (f *frame) counts(column string) map[any]int {
	i := f.at(column)
	n := map[any]int{}
	for _, row := range f.rows {
		n[row[i]]++
	}
	return n
}

// rowsBy indexes the rows by a column that tells them apart.
func (f *frame) rowsBy(column string) map[any][]any {
	i := f.at(column)
	index := make(map[any][]any, len(f.rows))
	for _, row := range f.rows {
		index[row[i]] = row
	}
	return index
}

func sum(cells []int64) int64 {
	total := int64(0)
	for _, c := range cells {
		total += c
	}
	return total
}

// fits reports whether a cell is what the Table type promises for its column.
func fits(c Column, cell any) bool {
	switch v := cell.(type) {
	case nil:
		return !c.NotNull
	case int64:
		return c.Type.Kind == value.Integer && v == int64(int32(v)) || c.Type.Kind == value.Decimal
	case string:
		return c.Type.Kind == value.String && v != ""
	case bool:
		return c.Type.Kind == value.Boolean
	case time.Time:
		midnight := v.Equal(v.Truncate(24 * time.Hour))
		return v.Location() == time.UTC && v.Nanosecond() == 0 &&
			(c.Type.Kind == value.Date && midnight || c.Type.Kind == value.Timestamp)
	}
	return false
}

func TestCellsFitTheirColumns(t *testing.T) {
	for _, table := range Tables() {
		f := load(t, table.Name)
		for n, row := range f.rows {
			if len(row) != len(f.Columns) {
				t.Fatalf("%s row %d has %d cells, want %d", f.Name, n, len(row), len(f.Columns))
			}
			for i, c := range f.Columns {
				if !fits(c, row[i]) {
					t.Fatalf("%s.%s row %d is %#v", f.Name, c.Name, n, row[i])
				}
			}
		}
	}
}

func TestKeysTellRowsApart(t *testing.T) {
	for _, table := range Tables() {
		f := load(t, table.Name)
		if len(f.Key) == 0 {
			t.Errorf("%s has no key", f.Name)
		}
		seen := map[string]bool{}
		for _, row := range f.rows {
			key := ""
			for _, column := range f.Key {
				key += fmt.Sprint(row[f.at(column)], "|")
			}
			if seen[key] {
				t.Fatalf("%s has key %s twice", f.Name, key)
			}
			seen[key] = true
		}
	}
}

// TestNullsStandOnlyWhereTheyMay also asks that each column that may be null has some of both.
func TestNullsStandOnlyWhereTheyMay(t *testing.T) {
	want := map[string]bool{
		"fact_order.payment_status": true, "fact_order.order_time": true, "fact_order.promotion_key": true,
		"fact_sales.promotion_key": true, "dim_customer.gender": true,
	}
	got := 0
	for _, table := range Tables() {
		f := load(t, table.Name)
		for _, c := range f.Columns {
			name := f.Name + "." + c.Name
			if c.NotNull == want[name] {
				t.Errorf("%s: NotNull is %v", name, c.NotNull)
			}
			nulls := f.counts(c.Name)[nil]
			if want[name] {
				got++
				if nulls == 0 || nulls == len(f.rows) {
					t.Errorf("%s has %d nulls of %d", name, nulls, len(f.rows))
				}
			} else if nulls != 0 {
				t.Errorf("%s has %d nulls", name, nulls)
			}
		}
	}
	if got != len(want) {
		t.Errorf("%d columns may be null, want %d", got, len(want))
	}
}
