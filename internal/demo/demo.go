// Package demo makes the data of the embedded demo: a shop's calendar, products, customers, orders and all that
// follows from them, the same bytes on every machine. It writes no database; whoever loads the tables decides how.
package demo

import (
	"iter"

	"parlance/internal/value"
)

// Column is one column of a table.
type Column struct {
	Name    string
	Type    value.Type
	NotNull bool
}

// Table is one table of the demo, its rows made while they are read.
//
// A cell is nil for null, otherwise what its column's type says: int64 for an integer, string for a string, bool for
// a boolean, int64 for a decimal (the unscaled value: 12.50 at scale 2 is 1250), and a time.Time in UTC for a date
// (at midnight) or a timestamp (in whole seconds). Rows may be read more than once; the yielded slice is used again
// for the next row and must not be kept.
type Table struct {
	Name    string
	Columns []Column
	Key     []string // columns whose values tell the rows apart
	Rows    iter.Seq[[]any]
}

// Tables returns every table of the demo, dimensions before the facts that point to them. Each call makes the shop
// anew; the tables of one call share it.
func Tables() []Table {
	s := newShop()
	return []Table{
		s.dateTable(),
		s.categoryGroupTable(),
		s.categoryTable(),
		s.productTable(),
		s.customerTable(),
		s.storeTable(),
		s.channelTable(),
		s.promotionTable(),
		s.teamTable(),
		s.teamClosureTable(),
		s.orderTable(),
		s.salesTable(),
		s.paymentTable(),
		s.returnTable(),
		s.inventoryTable(),
		s.teamSalesTable(),
	}
}

func integer(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.Integer}, NotNull: true}
}

func text(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.String}, NotNull: true}
}

func boolean(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.Boolean}, NotNull: true}
}

// cents is an amount of money, or another number of two digits after the point.
func cents(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.Decimal, Scale: 2}, NotNull: true}
}

func date(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.Date}, NotNull: true}
}

func timestamp(name string) Column {
	return Column{Name: name, Type: value.Type{Kind: value.Timestamp}, NotNull: true}
}

func nullable(c Column) Column {
	c.NotNull = false
	return c
}

// filler sets every cell of the row that item i becomes.
type filler[T any] func(row []any, i int, item *T)

// rowsOf yields one row for each item.
func rowsOf[T any](items []T, width int, fill filler[T]) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		row := make([]any, width)
		for i := range items {
			fill(row, i, &items[i])
			if !yield(row) {
				return
			}
		}
	}
}

// table makes a table whose rows are items.
func table[T any](name string, key []string, columns []Column, items []T, fill filler[T]) Table {
	return Table{Name: name, Columns: columns, Key: key, Rows: rowsOf(items, len(columns), fill)}
}
