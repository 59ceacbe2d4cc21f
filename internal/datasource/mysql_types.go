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

// describe reads a table's columns from the server's catalogue, and those of a query from the head of its empty answer,
// which does not tell a boolean from a small integer.
func (m *mySQL) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	if query != "" {
		return m.head(ctx, query)
	}
	w := dialect.NewWriter(m.dialect())
	w.Text("SHOW COLUMNS FROM ")
	if schema != "" {
		w.Name(schema)
		w.Text(".")
	}
	w.Name(table)
	text, _ := w.Statement()
	r, err := m.rows(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// head describes the columns of a query in the form of SHOW COLUMNS. The query may end with a comment.
func (m *mySQL) head(ctx context.Context, query string) (cursor, error) {
	r, err := m.rows(ctx, "SELECT * FROM ("+query+"\n) AS q LIMIT 0", nil)
	if err != nil {
		return nil, err
	}
	defer r.close()
	columns, err := described(r.rows)
	if err != nil {
		return nil, err
	}
	r.hidden = nil
	if _, err := r.next(); !errors.Is(err, io.EOF) {
		return nil, err
	}
	return &rowList{rows: columns}, nil
}

func described(rows driver.Rows) ([][]any, error) {
	head, ok := rows.(interface {
		driver.RowsColumnTypeDatabaseTypeName
		driver.RowsColumnTypeNullable
		driver.RowsColumnTypePrecisionScale
	})
	if !ok {
		return nil, errNotReading
	}
	var columns [][]any
	for i, name := range rows.Columns() {
		native := head.ColumnTypeDatabaseTypeName(i)
		if precision, scale, ok := head.ColumnTypePrecisionScale(i); ok && native == "DECIMAL" {
			native = fmt.Sprintf("DECIMAL(%d,%d)", precision, scale)
		}
		nullable := "NO"
		if null, ok := head.ColumnTypeNullable(i); !ok || null {
			nullable = "YES"
		}
		columns = append(columns, []any{name, native, nullable})
	}
	return columns, nil
}

// rowList is a cursor over rows that are there already.
type rowList struct{ rows [][]any }

func (l *rowList) next() ([]any, error) {
	if len(l.rows) == 0 {
		return nil, io.EOF
	}
	row := l.rows[0]
	l.rows = l.rows[1:]
	return row, nil
}

func (l *rowList) close() {}

// column reads a row of SHOW COLUMNS: name, type, whether it may be null, and what does not matter here.
func (m *mySQL) column(cells []any) (Column, error) {
	var text [3]string
	for i := range text {
		if len(cells) <= i {
			return Column{}, fmt.Errorf("a description of %d cells", len(cells))
		}
		text[i], _ = cells[i].(string)
	}
	native := strings.ToUpper(text[1])
	if i := strings.IndexByte(native, '\''); i >= 0 { // the words of an ENUM keep their case
		native = native[:i] + text[1][i:]
	}
	return Column{Name: text[0], Type: mysqlType(native), Nullable: text[2] != "NO", Native: native}, nil
}

// mysqlType is the type that a column's values have; the zero type where they cannot be shown.
func mysqlType(native string) value.Type {
	switch native {
	case "TINYINT(1)", "BIT(1)":
		return value.Type{Kind: value.Boolean}
	}
	word, rest, _ := strings.Cut(strings.TrimPrefix(native, "UNSIGNED "), "(")
	word, _, _ = strings.Cut(word, " ")
	switch word {
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "YEAR":
		return value.Type{Kind: value.Integer}
	case "BIGINT":
		return value.Type{Kind: value.Integer, Wide: true}
	case "DECIMAL":
		return mysqlDecimalType(rest)
	case "FLOAT", "DOUBLE":
		return value.Type{Kind: value.Float}
	case "CHAR", "VARCHAR", "TINYTEXT", "TEXT", "MEDIUMTEXT", "LONGTEXT", "ENUM", "SET", "JSON", "UUID", "INET4", "INET6", "TIME":
		return value.Type{Kind: value.String}
	case "DATE":
		return value.Type{Kind: value.Date}
	case "DATETIME":
		return value.Type{Kind: value.Timestamp}
	case "TIMESTAMP":
		return value.Type{Kind: value.Timestamp, Zoned: true}
	}
	return value.Type{}
}

// mysqlDecimalType reads what stands behind DECIMAL( in DECIMAL(18,2).
func mysqlDecimalType(text string) value.Type {
	inner, _, _ := strings.Cut(text, ")")
	digits, places, _ := strings.Cut(inner, ",")
	precision, err := strconv.ParseUint(digits, 10, 8)
	if err != nil {
		return value.Type{}
	}
	scale, err := strconv.ParseUint(places, 10, 8)
	if err != nil || scale > value.MaxPrecision {
		return value.Type{}
	}
	return value.Type{Kind: value.Decimal, Scale: uint8(scale), Wide: precision > smallDecimal}
}
