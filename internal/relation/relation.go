// Package relation is the vocabulary of a live schema: tables, their columns, keys, references and indexes.
// It reads no database and knows no model; who lists a schema and who looks at it share it.
package relation

import (
	"slices"

	"parlance/internal/value"
)

// Schema is what a database holds of one schema, in the order of the tables' names.
type Schema struct {
	Tables []*Table
	Access Access
	Notes  []Note
}

// Access is how a database finds rows, which decides what an index is worth.
type Access uint8

// The kinds of access.
const (
	Scanned Access = iota // columns are read whole; neither indexes nor declared keys speed a query up
	Sorted                // rows lie in the order of the table's key, which is its only index
	Indexed               // rows are found by indexes; without one a table is read whole
)

// Note is something about the database itself that a person should know.
type Note struct {
	What   string // one sentence
	Advice string
}

// Table is a table or a view.
type Table struct {
	Schema  string // "" in the datasource's own schema
	Name    string
	View    bool
	Comment string
	Columns []Column
	Primary []string     // the columns of the primary key; none when empty
	Unique  [][]string   // other sets of columns that no two rows share
	Indexes [][]string   // the columns of each index, in its order, those of keys included
	Foreign []ForeignKey // in the order of their first columns
}

// Column is a column of a table.
type Column struct {
	Name     string
	Type     value.Type // of the zero Kind when its values cannot be queried
	Nullable bool
	Native   string // the database's own word for the type
	Comment  string
}

// ForeignKey says that some columns hold the key of a row elsewhere.
type ForeignKey struct {
	Columns    []string
	Schema     string // "" in the datasource's own schema
	Table      string
	References []string // columns of that table, as many as Columns
}

// Table returns the table of a name, or nil.
func (s *Schema) Table(schema, name string) *Table {
	for _, t := range s.Tables {
		if t.Name == name && t.Schema == schema {
			return t
		}
	}
	return nil
}

// Names returns the names of the tables.
func (s *Schema) Names() []string {
	names := make([]string, len(s.Tables))
	for i, t := range s.Tables {
		names[i] = t.Name
	}
	return names
}

// Column returns the column of a name, or nil.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Tells reports whether the database promises that no two rows share the values of some columns.
func (t *Table) Tells(columns []string) bool {
	for _, key := range t.Keys() {
		if subset(key, columns) {
			return true
		}
	}
	return false
}

// Keys returns the sets of columns that tell rows apart, the primary key first.
func (t *Table) Keys() [][]string {
	if len(t.Primary) == 0 {
		return t.Unique
	}
	return append([][]string{t.Primary}, t.Unique...)
}

// IndexedBy reports whether an index begins with some columns, in any order.
func (t *Table) IndexedBy(columns []string) bool {
	return slices.ContainsFunc(t.Indexes, func(index []string) bool {
		return len(index) >= len(columns) && subset(index[:len(columns)], columns)
	})
}

// subset reports whether every one of some words is among others.
func subset(words, others []string) bool {
	for _, w := range words {
		if !slices.Contains(others, w) {
			return false
		}
	}
	return len(words) > 0
}
