package execute

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// nativeType is a kind of value with the column types that databases have for it. Every database that has one tells
// the same two values, and null, in the same JSON; finds them by it; and makes a group of each.
type nativeType struct {
	name    string
	values  [2]string            // JSON
	columns map[string][3]string // by engine: the type, and both values in SQL
	measure bool                 // shown as a number with all its digits
	unequal bool                 // not compared: doubles
}

const (
	digits38 = "12345678901234567890123456789012.123456"
	nines    = "99999999999999999999999999999999999999"
	anyText  = "中文 😀 العربية é ß"
	uuidOne  = "f47ac10b-58cc-4372-a567-0e02b2c3d479"
	uuidTwo  = "00000000-0000-0000-0000-000000000001"
)

// everywhere are columns of one type, and the same literals, in each database; ClickHouse has its own names.
func everywhere(duckdb, sqlite, postgres, mysql, clickhouse, one, two string) map[string][3]string {
	columns := map[string][3]string{}
	for name, typ := range map[string]string{"duckdb": duckdb, "sqlite": sqlite, "postgres": postgres, "mysql": mysql, "clickhouse": clickhouse, "cluster": clickhouse} {
		if typ != "" {
			columns[name] = [3]string{typ, one, two}
		}
	}
	return columns
}

// but replaces the columns of some engines.
func but(columns map[string][3]string, engine string, column ...string) map[string][3]string {
	columns[engine] = [3]string(column)
	if engine == "clickhouse" {
		columns["cluster"] = columns[engine]
	}
	return columns
}

var nativeTypes = []nativeType{
	{name: "decimal of 38 digits", values: [2]string{digits38, "-0.000001"}, measure: true,
		columns: but(everywhere("DECIMAL(38,6)", "", "numeric(38,6)", "DECIMAL(38,6)", "", digits38, "-0.000001"),
			"clickhouse", "Nullable(Decimal(38,6))", "toDecimal128('"+digits38+"', 6)", "toDecimal128('-0.000001', 6)")},
	{name: "decimal of 18 digits", values: [2]string{"1234567890123456.78", "-0.01"}, measure: true,
		columns: but(everywhere("DECIMAL(18,2)", "", "numeric(18,2)", "DECIMAL(18,2)", "", "1234567890123456.78", "-0.01"),
			"clickhouse", "Nullable(Decimal(18,2))", "toDecimal64('1234567890123456.78', 2)", "toDecimal64('-0.01', 2)")},
	{name: "decimal of 15 digits", values: [2]string{"1234567890123.45", "-0.01"}, measure: true,
		columns: but(everywhere("DECIMAL(15,2)", "DECIMAL(15,2)", "numeric(15,2)", "DECIMAL(15,2)", "", "1234567890123.45", "-0.01"),
			"clickhouse", "Nullable(Decimal(15,2))", "toDecimal64('1234567890123.45', 2)", "toDecimal64('-0.01', 2)")},
	{name: "integer of 64 bits", values: [2]string{"9223372036854775807", "-9223372036854775808"}, measure: true,
		columns: everywhere("BIGINT", "INTEGER", "bigint", "BIGINT", "Nullable(Int64)", "9223372036854775807", "-9223372036854775808")},
	{name: "integer of 64 bits without a sign", values: [2]string{"18446744073709551615", "0"}, measure: true,
		columns: everywhere("UBIGINT", "", "", "BIGINT UNSIGNED", "Nullable(UInt64)", "18446744073709551615", "0")},
	{name: "integer of 128 bits", values: [2]string{nines, "-" + nines}, measure: true,
		columns: everywhere("HUGEINT", "", "", "", "", nines, "-"+nines)},
	{name: "integer of 38 digits, as a decimal", values: [2]string{nines, "-" + nines}, measure: true,
		columns: but(everywhere("DECIMAL(38,0)", "", "numeric(38,0)", "DECIMAL(38,0)", "", nines, "-"+nines),
			"clickhouse", "Nullable(Decimal(38,0))", "toDecimal128('"+nines+"', 0)", "toDecimal128('-"+nines+"', 0)")},
	{name: "double", values: [2]string{"0.1", "-1e+300"}, measure: true, unequal: true,
		columns: everywhere("DOUBLE", "DOUBLE", "double precision", "DOUBLE", "Nullable(Float64)", "0.1", "-1e300")},
	{name: "boolean", values: [2]string{"true", "false"},
		columns: but(everywhere("BOOLEAN", "BOOLEAN", "boolean", "TINYINT(1)", "", "true", "false"),
			"clickhouse", "Nullable(Enum8('false' = 0, 'true' = 1))", "'true'", "'false'")},
	{name: "boolean of one bit", values: [2]string{"true", "false"}, columns: everywhere("", "", "", "BIT(1)", "", "b'1'", "b'0'")},
	{name: "date", values: [2]string{`"2024-02-29"`, `"1970-01-02"`},
		columns: everywhere("DATE", "DATE", "date", "DATE", "Nullable(Date)", "'2024-02-29'", "'1970-01-02'")},
	{name: "date before 1970", values: [2]string{`"1815-12-10"`, `"1582-10-15"`},
		columns: everywhere("DATE", "DATE", "date", "DATE", "", "'1815-12-10'", "'1582-10-15'")},
	{name: "timestamp without a zone", values: [2]string{`"2024-03-31T02:30:00"`, `"1999-12-31T23:59:59"`},
		columns: everywhere("TIMESTAMP", "TIMESTAMP", "timestamp", "DATETIME", "Nullable(DateTime)", "'2024-03-31 02:30:00'", "'1999-12-31 23:59:59'")},
	{name: "timestamp of microseconds", values: [2]string{`"2024-03-05T14:03:07.123456"`, `"1999-12-31T23:59:59.999999"`},
		columns: everywhere("TIMESTAMP", "TIMESTAMP", "timestamp(6)", "DATETIME(6)", "", "'2024-03-05 14:03:07.123456'", "'1999-12-31 23:59:59.999999'")},
	{name: "instant", values: [2]string{`"2024-03-05T06:03:07+00:00"`, `"1999-12-31T23:59:59+00:00"`},
		columns: but(but(everywhere("TIMESTAMPTZ", "TIMESTAMPTZ", "timestamptz", "", "", "'2024-03-05 14:03:07+08:00'", "'1999-12-31 23:59:59+00:00'"),
			"mysql", "TIMESTAMP NULL", "'2024-03-05 06:03:07'", "'1999-12-31 23:59:59'"),
			"clickhouse", "Nullable(DateTime('Asia/Shanghai'))", "toDateTime('2024-03-05 14:03:07', 'Asia/Shanghai')", "toDateTime('1999-12-31 23:59:59', 'UTC')")},
	{name: "UUID", values: [2]string{`"` + uuidOne + `"`, `"` + uuidTwo + `"`},
		columns: but(everywhere("UUID", "", "uuid", "UUID", "", "'"+uuidOne+"'", "'"+strings.ToUpper(uuidTwo)+"'"),
			"clickhouse", "Nullable(UUID)", "toUUID('"+uuidOne+"')", "toUUID('"+uuidTwo+"')")},
	{name: "enumeration", values: [2]string{`"small"`, `"Large"`},
		columns: everywhere("ENUM ('small', 'Large')", "", "size", "ENUM ('small', 'Large')", "Nullable(Enum8('small' = 0, 'Large' = 1))", "'small'", "'Large'")},
	{name: "text in any script", values: [2]string{`"` + anyText + `"`, `""`},
		columns: everywhere("VARCHAR", "TEXT", "text", "VARCHAR(80)", "Nullable(String)", "'"+anyText+"'", "''")},
	{name: "text of another character set", values: [2]string{`"Ärger"`, `"a"`},
		columns: everywhere("", "", "", "VARCHAR(80) CHARACTER SET latin1", "", "'Ärger'", "'a'")},
	{name: "text of a fixed length", values: [2]string{`"ab"`, `"abc"`},
		columns: but(everywhere("", "CHAR(3)", "character(3)", "CHAR(3)", "", "'ab'", "'abc'"), "clickhouse", "Nullable(FixedString(3))", "'ab'", "'abc'")},
}

// nativeRows makes the table of a type and its three rows; on a cluster it has no parts.
func (n nativeType) nativeRows(e *engine) []string {
	c := n.columns[e.name]
	var list []string
	if c[0] == "size" {
		list = append(list, "CREATE TYPE size AS ENUM ('small', 'Large')")
	}
	return append(list, e.create("kept", "id INTEGER, v "+c[0], "1, "+c[1], "2, "+c[2], "3, NULL")...)
}

// create makes a table and its rows. ClickHouse must be told an engine, and takes no values outside a block of data.
func (e *engine) create(table, columns string, rows ...string) []string {
	list := []string{"CREATE TABLE " + table + " (" + columns + ")"}
	insert := "INSERT INTO " + table + " VALUES (%s)"
	if strings.HasPrefix(e.name, "cl") {
		list[0] += " ENGINE = Memory"
		insert = "INSERT INTO " + table + " SELECT %s"
	}
	for _, r := range rows {
		list = append(list, fmt.Sprintf(insert, r))
	}
	return list
}

// keeps says in what a database does not keep a type, or returns "".
func (n nativeType) keeps(t *testing.T, e *engine) string {
	t.Helper()
	field := "attributes:\n  - {name: v, column: v}\nmeasures: [{name: n, agg: count}]\n"
	if n.measure {
		field = "measures:\n  - {name: v, column: v, agg: max}\n  - {name: n, agg: count}\n"
	}
	files := fstest.MapFS{"kept.yaml": {Data: []byte("model: Kept\nsource: {table: kept, key: [id]}\n" + field)}}
	p, err := e.made(t.Context(), n.nativeRows(e), nil, files, "2024-03-31")
	if err != nil {
		return err.Error()
	}
	defer p.close()
	asked := func(payload, want string) string {
		got, _ := p.told(t.Context(), "Kept", payload)
		if got != want {
			return fmt.Sprintf("%s gives %s, not %s", payload, got, want)
		}
		return ""
	}
	one, two := `{"v":`+n.values[0]+`}`, `{"v":`+n.values[1]+`}`
	checks := [][2]string{{`{"columns":["v"]}`, "[" + one + "," + two + `,{"v":null}] 3 `}}
	if !n.unequal {
		value, err := json.Marshal(strings.Trim(n.values[0], `"`))
		if err != nil {
			t.Fatal(err)
		}
		checks = append(checks,
			[2]string{`{"columns":["v"],"slice":[{"field":"v","op":"=","value":` + string(value) + `}]}`, "[" + one + "] 1 "},
			[2]string{`{"columns":["v"],"slice":[{"field":"v","op":"!=","value":` + string(value) + `}]}`, "[" + two + `,{"v":null}] 2 `})
	}
	if !n.measure {
		checks = append(checks, [2]string{`{"columns":["v","n"],"groupBy":["v"],"limit":0}`, "[] 3 "})
	}
	for _, c := range checks {
		if why := asked(c[0], c[1]); why != "" {
			return why
		}
	}
	return ""
}
