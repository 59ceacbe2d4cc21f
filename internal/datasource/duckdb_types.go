package datasource

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

func (d *duckDB) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	w := dialect.NewWriter(d.dialect())
	switch {
	case query != "":
		w.Text("DESCRIBE (", query, "\n)") // the query may end with a comment
	case schema != "":
		w.Text("DESCRIBE ")
		w.Name(schema)
		w.Text(".")
		w.Name(table)
	default:
		w.Text("DESCRIBE ")
		w.Name(table)
	}
	text, _ := w.Statement()
	return d.query(ctx, text, nil)
}

// column reads a row of DESCRIBE: name, type, whether it may be null, and what does not matter here.
func (d *duckDB) column(cells []any) (Column, error) {
	var text [3]string
	for i := range text {
		if len(cells) <= i {
			return Column{}, fmt.Errorf("a description of %d cells", len(cells))
		}
		text[i], _ = cells[i].(string)
	}
	return Column{Name: text[0], Type: duckType(text[1]), Nullable: text[2] != "NO", Native: text[1]}, nil
}

// duckType is the type that a column's values have; the zero type where they cannot be shown.
func duckType(native string) value.Type {
	switch native {
	case "BOOLEAN":
		return value.Type{Kind: value.Boolean}
	case "TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER":
		return value.Type{Kind: value.Integer}
	case "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM":
		return value.Type{Kind: value.Integer, Wide: true}
	case "FLOAT", "DOUBLE":
		return value.Type{Kind: value.Float}
	case "VARCHAR", "UUID", "TIME":
		return value.Type{Kind: value.String}
	case "DATE":
		return value.Type{Kind: value.Date}
	case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS":
		return value.Type{Kind: value.Timestamp}
	case "TIMESTAMP WITH TIME ZONE":
		return value.Type{Kind: value.Timestamp, Zoned: true}
	}
	if strings.HasSuffix(native, "]") { // a list or an array of any of these
		return value.Type{}
	}
	if strings.HasPrefix(native, "ENUM(") {
		return value.Type{Kind: value.String}
	}
	if digits, scale, ok := decimalDigits(native); ok {
		return value.Type{Kind: value.Decimal, Scale: scale, Wide: digits > narrowDigits}
	}
	return value.Type{}
}

// narrowDigits is how many digits a column may have whose sum over any table fits 38.
const narrowDigits = 18

// decimalDigits reads DECIMAL(18,2).
func decimalDigits(native string) (digits, scale uint8, ok bool) {
	inner, ok := strings.CutPrefix(native, "DECIMAL(")
	if !ok {
		return 0, 0, false
	}
	before, after, ok := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
	if !ok {
		return 0, 0, false
	}
	p, err := strconv.ParseUint(before, 10, 8)
	if err != nil {
		return 0, 0, false
	}
	n, err := strconv.ParseUint(after, 10, 8)
	return uint8(p), uint8(n), err == nil && n <= value.MaxPrecision
}
