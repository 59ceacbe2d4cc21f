package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// sampled is how many rows are read to tell the types of a query's columns that stand for no column of a table.
const sampled = 100

// describe answers with a row for each column: its name, its type in SQLite's words and whether it may be null. SQLite
// has no statement for it.
func (d *sqliteDB) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	w := dialect.NewWriter(d.dialect())
	w.Text("SELECT * FROM ")
	switch {
	case query != "":
		w.Text("(", query, "\n)") // the query may end with a comment
	case schema != "":
		w.Name(schema)
		w.Text(".")
		w.Name(table)
	default:
		w.Name(table)
	}
	w.Text(" LIMIT ", strconv.Itoa(sampled))
	text, _ := w.Statement()
	c, err := d.query(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer c.close()
	r := c.(*sqliteRows)
	names := r.rows.Columns()
	typed, ok := r.rows.(driver.RowsColumnTypeDatabaseTypeName)
	if !ok {
		return nil, errNotReading
	}
	list := make(descriptions, len(names))
	missing := 0
	for i, name := range names {
		list[i] = []any{name, typed.ColumnTypeDatabaseTypeName(i), true}
		if list[i][1] == "" {
			missing++
		}
	}
	if err := list.sample(r, missing); err != nil {
		return nil, err
	}
	if query == "" {
		return &list, d.required(ctx, schema, table, list)
	}
	return &list, nil
}

// required marks the columns of a table that are never null.
func (d *sqliteDB) required(ctx context.Context, schema, table string, list descriptions) error {
	if schema == "" {
		schema = "main"
	}
	c, err := d.query(ctx, `SELECT name FROM pragma_table_xinfo(?, ?) WHERE "notnull" OR pk AND type = 'INTEGER'`, []any{table, schema})
	if err != nil {
		return err
	}
	defer c.close()
	for {
		cells, err := c.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, column := range list {
			if column[0] == cells[0] {
				column[2] = false
			}
		}
	}
}

// descriptions are the rows of a description.
type descriptions [][]any

// sample names the types of columns that have none by what they hold.
func (l descriptions) sample(r *sqliteRows, missing int) error {
	for missing > 0 {
		err := r.rows.Next(r.raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i, v := range r.raw {
			if l[i][1] != "" || v == nil {
				continue
			}
			l[i][1] = heldType(v)
			missing--
		}
	}
	return nil
}

func heldType(v driver.Value) string {
	switch v.(type) {
	case int64:
		return "INTEGER"
	case float64:
		return "REAL"
	case string:
		return "TEXT"
	}
	return "BLOB"
}

func (l *descriptions) next() ([]any, error) {
	if len(*l) == 0 {
		return nil, io.EOF
	}
	row := (*l)[0]
	*l = (*l)[1:]
	return row, nil
}

func (l *descriptions) close() {}

func (d *sqliteDB) column(cells []any) (Column, error) {
	if len(cells) != 3 {
		return Column{}, fmt.Errorf("a description of %d cells", len(cells))
	}
	name, _ := cells[0].(string)
	native, _ := cells[1].(string)
	nullable, _ := cells[2].(bool)
	if n, ok := cells[2].(int64); ok { // a truth value of SQLite itself
		nullable = n != 0
	}
	return Column{Name: name, Type: sqliteType(native), Nullable: nullable, Native: native}, nil
}

var sqliteWords = map[string]value.Type{
	"BOOL": {Kind: value.Boolean}, "BOOLEAN": {Kind: value.Boolean},
	"DATE":     {Kind: value.Date},
	"DATETIME": {Kind: value.Timestamp}, "TIMESTAMP": {Kind: value.Timestamp}, "TIMESTAMP WITHOUT TIME ZONE": {Kind: value.Timestamp},
	"TIMESTAMPTZ": {Kind: value.Timestamp, Zoned: true}, "TIMESTAMP WITH TIME ZONE": {Kind: value.Timestamp, Zoned: true},
	"TIME": {Kind: value.String}, "UUID": {Kind: value.String}, "STRING": {Kind: value.String}, "JSON": {Kind: value.String}, "ENUM": {Kind: value.String},
}

// sqliteAffinities are the parts of a type's name by which SQLite itself tells what a column holds, in its order.
var sqliteAffinities = []struct {
	part string
	t    value.Type
}{
	{"INT", value.Type{Kind: value.Integer, Wide: true}},
	{"CHAR", value.Type{Kind: value.String}}, {"CLOB", value.Type{Kind: value.String}}, {"TEXT", value.Type{Kind: value.String}},
	{"BLOB", value.Type{}},
	{"REAL", value.Type{Kind: value.Float}}, {"FLOA", value.Type{Kind: value.Float}}, {"DOUBLE", value.Type{Kind: value.Float}},
}

// sqliteType is the type that a column's values have; the zero type where they cannot be shown. A number without a
// declared scale may have any digits, so it is a float.
func sqliteType(native string) value.Type {
	native = strings.ToUpper(strings.TrimSpace(native))
	word, size, sized := strings.Cut(native, "(")
	word = strings.TrimSpace(word)
	if t, ok := sqliteWords[word]; ok {
		return t
	}
	for _, a := range sqliteAffinities {
		if strings.Contains(native, a.part) {
			return a.t
		}
	}
	switch {
	case !strings.HasPrefix(word, "DEC") && !strings.HasPrefix(word, "NUM"):
		return value.Type{}
	case !sized:
		return value.Type{Kind: value.Float}
	}
	digits, scale, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(size), ")"), ",")
	p, err := strconv.Atoi(strings.TrimSpace(digits))
	s := 0
	if err == nil && scale != "" {
		s, err = strconv.Atoi(strings.TrimSpace(scale))
	}
	if err != nil || s < 0 || s > value.MaxPrecision {
		return value.Type{}
	}
	return value.Type{Kind: value.Decimal, Scale: uint8(s), Wide: p > smallDecimal}
}
