package datasource

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// clickHouseBoolean is the type of a column of truth values on a server that has none of its own.
const clickHouseBoolean = "Enum8('false' = 0, 'true' = 1)"

func (d *clickHouse) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	w := dialect.NewWriter(d.own)
	w.Text("DESCRIBE TABLE ")
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
	text, _ := w.Statement()
	return d.run(ctx, text, nil)
}

// column reads a row of DESCRIBE: name, type, and what does not matter here.
func (d *clickHouse) column(cells []any) (Column, error) {
	if len(cells) < 2 {
		return Column{}, fmt.Errorf("a description of %d cells", len(cells))
	}
	name, _ := cells[0].(string)
	native, _ := cells[1].(string)
	inner, nullable := clickHouseInner(native)
	return Column{Name: name, Type: clickHouseType(inner), Nullable: nullable, Native: native}, nil
}

// clickHouseInner takes off what is about storage, and whether the values may be null.
func clickHouseInner(native string) (inner string, nullable bool) {
	for {
		word, rest, ok := strings.Cut(native, "(")
		if !ok || word != "Nullable" && word != "LowCardinality" {
			return native, nullable
		}
		nullable = nullable || word == "Nullable"
		native = strings.TrimSuffix(rest, ")")
	}
}

func clickHouseShown(native string) bool {
	inner, _ := clickHouseInner(native)
	return inner == "Nothing" || clickHouseType(inner) != value.Type{}
}

// clickHouseType is the type that a column's values have; the zero type where they cannot be shown. A time with a zone
// of its own is an instant; one without is the wall time that the server shows.
func clickHouseType(native string) value.Type {
	switch native {
	case clickHouseBoolean, "Bool":
		return value.Type{Kind: value.Boolean}
	case "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32":
		return value.Type{Kind: value.Integer}
	case "Int64", "UInt64", "Int128", "UInt128", "Int256", "UInt256":
		return value.Type{Kind: value.Integer, Wide: true}
	case "Float32", "Float64":
		return value.Type{Kind: value.Float}
	case "String", "UUID":
		return value.Type{Kind: value.String}
	case "Date":
		return value.Type{Kind: value.Date}
	case "DateTime":
		return value.Type{Kind: value.Timestamp}
	}
	switch word, rest, _ := strings.Cut(native, "("); word {
	case "FixedString", "Enum8", "Enum16":
		return value.Type{Kind: value.String}
	case "DateTime":
		return value.Type{Kind: value.Timestamp, Zoned: true}
	case "Decimal":
		return clickHouseDecimal(strings.TrimSuffix(rest, ")"))
	}
	return value.Type{}
}

// clickHouseDecimal reads the digits of a decimal: 18, 2.
func clickHouseDecimal(digits string) value.Type {
	precision, scale, _ := strings.Cut(digits, ",")
	p, err := strconv.Atoi(precision)
	s, errScale := strconv.Atoi(strings.TrimSpace(scale))
	if err != nil || errScale != nil || p > value.MaxPrecision || s < 0 || s > p {
		return value.Type{}
	}
	return value.Type{Kind: value.Decimal, Scale: uint8(s), Wide: p > smallDecimal}
}

var clickHouseWords = typeWords{
	text: "String", integer: "Int32", wide: "Int64", decimal: "Decimal(%d, %d)", float: "Float64", boolean: clickHouseBoolean,
	date: "Date", timestamp: "DateTime", zoned: "DateTime('UTC')",
}
