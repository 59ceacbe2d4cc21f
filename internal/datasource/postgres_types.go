package datasource

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// postgresForm is how the text of a cell is read.
type postgresForm uint8

const (
	postgresText postgresForm = iota
	postgresInteger
	postgresNumeric
	postgresFloat
	postgresSmallFloat
	postgresBoolean
	postgresTime
)

// numericType is the number of the server's exact type, whose modifier holds its digits.
const numericType = 1700

// postgresTypes are the server's own types by their numbers.
var postgresTypes = map[uint32]struct {
	form postgresForm
	typ  value.Type
}{
	16:          {postgresBoolean, value.Type{Kind: value.Boolean}},
	18:          {postgresText, value.Type{Kind: value.String}}, // "char"
	19:          {postgresText, value.Type{Kind: value.String}}, // name
	20:          {postgresInteger, value.Type{Kind: value.Integer, Wide: true}},
	21:          {postgresInteger, value.Type{Kind: value.Integer}},
	23:          {postgresInteger, value.Type{Kind: value.Integer}},
	25:          {postgresText, value.Type{Kind: value.String}}, // text
	650:         {postgresText, value.Type{Kind: value.String}}, // cidr
	700:         {postgresSmallFloat, value.Type{Kind: value.Float}},
	701:         {postgresFloat, value.Type{Kind: value.Float}},
	829:         {postgresText, value.Type{Kind: value.String}}, // macaddr
	869:         {postgresText, value.Type{Kind: value.String}}, // inet
	1042:        {postgresText, value.Type{Kind: value.String}}, // character
	1043:        {postgresText, value.Type{Kind: value.String}}, // character varying
	1082:        {postgresTime, value.Type{Kind: value.Date}},
	1083:        {postgresText, value.Type{Kind: value.String}}, // time
	1114:        {postgresTime, value.Type{Kind: value.Timestamp}},
	1184:        {postgresTime, value.Type{Kind: value.Timestamp, Zoned: true}},
	numericType: {postgresNumeric, value.Type{Kind: value.Decimal}},
	2950:        {postgresText, value.Type{Kind: value.String}}, // uuid
}

// firstUserType is the number of the first type that somebody made: an enumeration, an extension's text.
const firstUserType = 16384

func postgresFormOf(oid uint32) (postgresForm, bool) {
	t, ok := postgresTypes[oid]
	return t.form, ok || oid >= firstUserType
}

// postgresType is the type that a column's values have; the zero type where they cannot be shown. Of a type that
// somebody made only enumerations and texts are known, by their category.
func postgresType(oid uint32, modifier int32, category string) value.Type {
	if oid == numericType {
		return numericOf(modifier)
	}
	if t, ok := postgresTypes[oid]; ok {
		return t.typ
	}
	if oid >= firstUserType && (category == "E" || category == "S") {
		return value.Type{Kind: value.String}
	}
	return value.Type{}
}

// numericOf reads the digits of a numeric from its modifier. One that names none is read with the digits of a ratio;
// those that it has beyond are shown, and lost where it is computed with.
func numericOf(modifier int32) value.Type {
	const header, sign = 4, 1024
	if modifier < header {
		return value.Type{Kind: value.Decimal, Scale: value.MinRatioScale, Wide: true}
	}
	digits := (modifier - header) >> 16 & 0xffff
	scale := ((modifier-header)&(2*sign-1) ^ sign) - sign
	if scale > value.MaxPrecision {
		return value.Type{}
	}
	return value.Type{Kind: value.Decimal, Scale: uint8(max(0, scale)), Wide: digits > smallDecimal}
}

// describe asks for a statement's columns without running it, then for what its types are called.
func (p *postgres) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	conn, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	described, err := conn.Prepare(ctx, "", p.sample(schema, table, query), nil)
	if err != nil && ctx.Err() == nil && postgresLost(conn, err) {
		p.give(conn)
		p.forget()
		if conn, err = p.dial(ctx); err != nil {
			return nil, err
		}
		described, err = conn.Prepare(ctx, "", p.sample(schema, table, query), nil)
	}
	p.give(conn)
	if err != nil {
		return nil, err
	}
	return p.query(ctx, postgresNames, postgresFields(described.Fields, query != ""))
}

// sample is a statement with the columns of a table or of a query.
func (p *postgres) sample(schema, table, query string) string {
	w := dialect.NewWriter(p.dialect())
	w.Text("SELECT * FROM ")
	switch {
	case query != "":
		w.Text("(", query, "\n) AS q") // the query may end with a comment
	case schema != "":
		w.Name(schema)
		w.Text(".")
		w.Name(table)
	default:
		w.Name(table)
	}
	text, _ := w.Statement()
	return text
}

// postgresNames takes columns as arrays and returns name, type number, modifier, category, the type as people write it
// and whether it may be null.
const postgresNames = `SELECT f.name, f.type::int8, f.modifier, t.typcategory::text, format_type(f.type, f.modifier), NOT coalesce(a.attnotnull, false)
	FROM unnest($1::text[], $2::oid[], $3::int4[], $4::oid[], $5::int4[]) WITH ORDINALITY AS f(name, type, modifier, rel, att, n)
	JOIN pg_catalog.pg_type t ON t.oid = f.type LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = f.rel AND a.attnum = f.att ORDER BY f.n`

// postgresFields returns columns as the arguments of postgresNames. What a query makes of a column may be null.
func postgresFields(fields []pgconn.FieldDescription, query bool) []any {
	columns := make([][]string, 5)
	for _, f := range fields {
		table := f.TableOID
		if query {
			table = 0
		}
		for i, text := range []string{
			f.Name, strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.Itoa(int(f.TypeModifier)),
			strconv.FormatUint(uint64(table), 10), strconv.Itoa(int(f.TableAttributeNumber)),
		} {
			columns[i] = append(columns[i], text)
		}
	}
	args := make([]any, len(columns))
	for i, c := range columns {
		args[i] = c
	}
	return args
}

// column reads a row of postgresNames.
func (p *postgres) column(cells []any) (Column, error) {
	const width = 6
	if len(cells) != width {
		return Column{}, fmt.Errorf("a description of %d cells", len(cells))
	}
	name, _ := cells[0].(string)
	oid, _ := cells[1].(int64)
	modifier, _ := cells[2].(int64)
	category, _ := cells[3].(string)
	native, _ := cells[4].(string)
	nullable, _ := cells[5].(bool)
	return Column{Name: name, Type: postgresType(uint32(oid), int32(modifier), category), Nullable: nullable, Native: native}, nil
}

// postgresArguments returns arguments as text, whose types the statement itself decides.
func postgresArguments(args []any) ([][]byte, error) {
	out := make([][]byte, len(args))
	for i, a := range args {
		v, err := argument(a)
		if err != nil {
			return nil, err
		}
		if out[i], err = postgresArgument(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func postgresArgument(a any) ([]byte, error) {
	switch v := a.(type) {
	case nil:
		return nil, nil
	case string:
		return []byte(v), nil
	case int64:
		return strconv.AppendInt(nil, v, 10), nil
	case int:
		return strconv.AppendInt(nil, int64(v), 10), nil
	case bool:
		return strconv.AppendBool(nil, v), nil
	case float64:
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
	case *big.Int:
		return v.Append(nil, 10), nil
	case time.Time:
		return v.AppendFormat(nil, time.RFC3339Nano), nil
	case []string:
		return postgresArray(v), nil
	}
	return nil, fmt.Errorf("a %T cannot be bound", a)
}

// postgresArray writes texts as an array: {"a","b"}.
func postgresArray(texts []string) []byte {
	out := []byte{'{'}
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for i, t := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '"')
		out = append(out, escape.Replace(t)...)
		out = append(out, '"')
	}
	return append(out, '}')
}
