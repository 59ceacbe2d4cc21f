package result

import (
	"math"
	"math/big"
	"strconv"
	"testing"
	"time"

	"parlance/internal/fault"
	"parlance/internal/value"
)

func integer(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		panic(text)
	}
	return n
}

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

var (
	text      = value.Type{Kind: value.String}
	whole     = value.Type{Kind: value.Integer}
	wide      = value.Type{Kind: value.Integer, Wide: true}
	money     = value.Type{Kind: value.Decimal, Scale: 2, Style: value.Money}
	ratio     = value.Type{Kind: value.Decimal, Scale: 6}
	float     = value.Type{Kind: value.Float}
	boolean   = value.Type{Kind: value.Boolean}
	date      = value.Type{Kind: value.Date}
	timestamp = value.Type{Kind: value.Timestamp}
	instant   = value.Type{Kind: value.Timestamp, Zoned: true}
	untyped   = value.Type{}
)

func TestCell(t *testing.T) {
	const top, bottom = "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728"
	const digits38 = "99999999999999999999999999999999999999"
	afternoon := time.Date(2024, 3, 5, 14, 3, 7, 0, time.UTC)
	for _, c := range []struct {
		typ     value.Type
		measure bool
		cell    any
		want    string
	}{
		{text, false, nil, `null`},
		{money, true, nil, `null`},

		{whole, false, int64(0), `0`},
		{whole, false, int8(-128), `-128`},
		{whole, false, int16(-32768), `-32768`},
		{whole, false, int32(math.MinInt32), `-2147483648`},
		{whole, false, int(-5), `-5`},
		{whole, false, uint8(255), `255`},
		{whole, false, uint16(65535), `65535`},
		{whole, false, uint32(math.MaxUint32), `4294967295`},
		{wide, false, int64(9007199254740991), `9007199254740991`},
		{wide, false, int64(9007199254740992), `"9007199254740992"`},
		{wide, false, int64(-9007199254740991), `-9007199254740991`},
		{wide, false, int64(-9007199254740992), `"-9007199254740992"`},
		{wide, true, int64(9007199254740993), `9007199254740993`},
		{wide, true, int64(math.MinInt64), `-9223372036854775808`},
		{wide, false, int64(math.MinInt64), `"-9223372036854775808"`},
		{wide, false, uint64(math.MaxUint64), `"18446744073709551615"`},
		{wide, true, uint64(math.MaxUint64), `18446744073709551615`},
		{wide, true, integer(top), top},
		{wide, true, integer(bottom), bottom},
		{wide, false, integer(top), `"` + top + `"`},
		{wide, false, integer(bottom), `"` + bottom + `"`},
		{wide, false, integer("9007199254740991"), `9007199254740991`},
		{wide, false, integer("9007199254740992"), `"9007199254740992"`},
		{wide, true, integer("0"), `0`},
		{wide, true, integer("18446744073709551616"), `18446744073709551616`},
		{wide, true, integer("100000000000000000000000000000000000000"), `100000000000000000000000000000000000000`},
		{wide, true, integer("-" + digits38 + digits38), "-" + digits38 + digits38},
		{whole, true, &Decimal{Unscaled: 1200, Scale: 2}, `12`},
		{whole, false, "007", `7`},
		{whole, false, []byte("-12"), `-12`},
		{wide, false, "9007199254740993", `"9007199254740993"`},

		{money, true, &Decimal{Unscaled: 123456, Scale: 2}, `1234.56`},
		{money, true, &Decimal{Unscaled: -5, Scale: 2}, `-0.05`},
		{money, true, &Decimal{Unscaled: 5, Scale: 2}, `0.05`},
		{money, true, &Decimal{Unscaled: -50, Scale: 2}, `-0.50`},
		{money, true, &Decimal{Unscaled: 0, Scale: 2}, `0.00`},
		{money, true, &Decimal{Unscaled: 0, Scale: 6}, `0.00`},
		{money, true, &Decimal{Unscaled: 7, Scale: 0}, `7.00`},
		{money, true, &Decimal{Unscaled: 100, Scale: 2}, `1.00`},
		{money, true, &Decimal{Unscaled: 1500, Scale: 4}, `0.15`},
		{money, true, &Decimal{Unscaled: 1234567, Scale: 6}, `1.234567`},
		{money, true, &Decimal{Unscaled: math.MinInt64, Scale: 2}, `-92233720368547758.08`},
		{money, false, &Decimal{Unscaled: math.MinInt64, Scale: 2}, `"-92233720368547758.08"`},
		{money, false, &Decimal{Unscaled: 900719925474099199, Scale: 2}, `9007199254740991.99`},
		{money, false, &Decimal{Unscaled: 900719925474099200, Scale: 2}, `"9007199254740992.00"`},
		{money, true, &Decimal{Wide: integer(digits38), Scale: 2}, digits38[:36] + "." + digits38[36:]},
		{money, true, &Decimal{Wide: integer("-" + digits38), Scale: 2}, "-" + digits38[:36] + "." + digits38[36:]},
		{money, true, &Decimal{Wide: integer("-5"), Scale: 2}, `-0.05`},
		{money, true, &Decimal{Wide: integer("0"), Scale: 2}, `0.00`},
		{ratio, true, &Decimal{Unscaled: 5, Scale: 1}, `0.500000`},
		{value.Type{Kind: value.Decimal, Scale: 38}, true, &Decimal{Wide: integer(digits38), Scale: 38}, "0." + digits38},
		{value.Type{Kind: value.Decimal}, true, &Decimal{Unscaled: 42}, `42`},
		{money, true, int64(12), `12.00`},
		{money, false, int64(9007199254740992), `"9007199254740992.00"`},
		{money, true, integer(top), top + ".00"},
		{money, true, "12.5", `12.50`},
		{money, true, []byte("-0.05"), `-0.05`},
		{money, true, "-0.00", `0.00`},
		{money, true, "1.2500", `1.25`},
		{money, true, "000123.456", `123.456`},
		{money, true, "NaN", `null`},
		{money, true, 12.5, `12.50`},
		{money, true, 3.0, `3.00`},
		{money, true, 0.125, `0.125`},
		{money, true, math.NaN(), `null`},
		{money, true, 1e300, `1e+300`},

		{float, true, 0.1, `0.1`},
		{float, true, float32(0.1), `0.1`},
		{float, true, math.Copysign(0, -1), `0`},
		{float, true, 1e20, `100000000000000000000`},
		{float, true, 1e21, `1e+21`},
		{float, true, 1e-6, `0.000001`},
		{float, true, 1e-7, `1e-7`},
		{float, true, math.MaxFloat64, `1.7976931348623157e+308`},
		{float, true, math.SmallestNonzeroFloat64, `5e-324`},
		{float, true, float32(math.MaxFloat32), `3.4028235e+38`},
		{float, true, math.Inf(1), `null`},
		{float, true, math.Inf(-1), `null`},
		{float, true, float32(math.Inf(-1)), `null`},
		{float, true, math.NaN(), `null`},
		{float, true, int64(3), `3`},
		{float, true, "1.5e3", `1500`},
		{float, true, "-Infinity", `null`},

		{boolean, false, true, `true`},
		{boolean, false, false, `false`},
		{boolean, false, int64(1), `true`},
		{boolean, false, int8(0), `false`},
		{boolean, false, uint8(1), `true`},

		{date, false, day(2024, 3, 5), `"2024-03-05"`},
		{date, false, day(1, 1, 1), `"0001-01-01"`},
		{date, false, day(9999, 12, 31), `"9999-12-31"`},
		{date, false, day(10000, 1, 1), `"+10000-01-01"`},
		{date, false, day(-44, 3, 15), `"-0044-03-15"`},
		{date, false, day(0, 1, 1), `"0000-01-01"`},
		{date, false, day(12, 1, 1), `"0012-01-01"`},
		{date, false, day(999, 1, 1), `"0999-01-01"`},
		{date, false, afternoon, `"2024-03-05"`},
		{date, false, "2024-03-05", `"2024-03-05"`},
		{timestamp, false, afternoon, `"2024-03-05T14:03:07"`},
		{timestamp, false, day(1, 1, 1), `"0001-01-01T00:00:00"`},
		{timestamp, false, time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC), `"9999-12-31T23:59:59.999999"`},
		{timestamp, false, afternoon.Add(500 * time.Millisecond), `"2024-03-05T14:03:07.5"`},
		{timestamp, false, afternoon.Add(10 * time.Microsecond), `"2024-03-05T14:03:07.00001"`},
		{timestamp, false, afternoon.Add(999 * time.Nanosecond), `"2024-03-05T14:03:07"`},
		{timestamp, false, []byte("2024-03-05T14:03:07"), `"2024-03-05T14:03:07"`},
		{instant, false, afternoon, `"2024-03-05T22:03:07+08:00"`},
		{instant, false, afternoon.Add(time.Microsecond), `"2024-03-05T22:03:07.000001+08:00"`},
		{instant, false, day(1900, 1, 1), `"1900-01-01T08:05:43+08:05:43"`},

		{text, false, "", `""`},
		{text, false, []byte("a\"b"), `"a\"b"`},
		{text, false, int64(9007199254740993), `"9007199254740993"`},
		{text, false, &Decimal{Unscaled: 150, Scale: 2}, `"1.50"`},
		{text, false, true, `"true"`},
		{text, false, afternoon, `"2024-03-05T14:03:07"`},
		{text, false, integer(top), `"` + top + `"`},

		{untyped, false, int64(3), `3`},
		{untyped, false, "x", `"x"`},
		{untyped, false, true, `true`},
		{untyped, false, afternoon, `"2024-03-05T14:03:07"`},
	} {
		shanghai, err := time.LoadLocation("Asia/Shanghai")
		if err != nil {
			t.Fatal(err)
		}
		got, err := appendCell(nil, c.typ, c.measure, shanghai, c.cell)
		if err != nil || string(got) != c.want {
			t.Errorf("%s (measure %v) of %T %v: got %s, %v, want %s", c.typ.Name(), c.measure, c.cell, c.cell, got, err, c.want)
		}
	}
}

func TestCellRefuses(t *testing.T) {
	for _, c := range []struct {
		typ  value.Type
		cell any
	}{
		{whole, "abc"}, {whole, ""}, {whole, "-"}, {whole, "1."}, {whole, ".5"}, {whole, "1e"}, {whole, "1e+"}, {whole, "0x10"},
		{whole, "1 "}, {whole, []byte("1;2")}, {whole, true}, {whole, day(2024, 1, 1)}, {whole, (*big.Int)(nil)},
		{money, (*Decimal)(nil)}, {money, "1,5"}, {money, "1e999"}, {text, (*Decimal)(nil)},
		{boolean, int64(2)}, {boolean, int8(-1)}, {boolean, uint8(9)}, {boolean, "true"},
		{date, int64(20240305)}, {timestamp, 1.5}, {text, struct{}{}}, {text, []any{1}}, {untyped, map[string]any{}},
	} {
		got, err := appendCell(nil, c.typ, false, time.UTC, c.cell)
		if err == nil {
			t.Errorf("%s of %T %v: got %s, want an error", c.typ.Name(), c.cell, c.cell, got)
			continue
		}
		if fault.As(err).Kind != fault.Internal {
			t.Errorf("%s of %T: %v is not internal", c.typ.Name(), c.cell, err)
		}
	}
}

func TestString(t *testing.T) {
	for in, want := range map[string]string{
		"":                        `""`,
		"plain":                   `"plain"`,
		"tab\tnl\ncr\r":           `"tab\tnl\ncr\r"`,
		"\b\f\x00\x1f\x7f":        "\"\\b\\f\\u0000\\u001f\x7f\"",
		`back\slash "quote" </a>`: `"back\\slash \"quote\" </a>"`,
		"销售额 مبيعات продажи 🛒": `"销售额 مبيعات продажи 🛒"`,
		"a\u2028b\u2029c":       `"a\u2028b\u2029c"`,
		"\u2027\u202a":          "\"\u2027\u202a\"",
		"bad\xffbyte":           "\"bad\uFFFDbyte\"",
		"cut\xe4\xb8":           "\"cut\uFFFD\uFFFD\"",
		"surrogate\xed\xa0\x80": "\"surrogate\uFFFD\uFFFD\uFFFD\"",
		"kept \uFFFD":           "\"kept \uFFFD\"",
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", in, got, want)
		}
		if got := string(AppendString(nil, []byte(in))); got != want {
			t.Errorf("AppendString(bytes of %q) = %s, want %s", in, got, want)
		}
	}
}

// TestScaledDecimals: the short way of most decimals writes what the long one does.
func TestScaledDecimals(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 9, 10, -10, 99, 100, 101, -105, 12345678, 100000000, -999999999, 1 << 53, -(1 << 53), math.MaxInt64, math.MinInt64} {
		for scale := range uint8(len(powers)) {
			short := string(appendScaled(nil, n, scale))
			digits := strconv.AppendUint(nil, magnitude(n), 10)
			if long := string(appendPoint(nil, n < 0, digits, int(scale), int(scale), true)); short != long {
				t.Errorf("%d scaled by %d: %s, want %s", n, scale, short, long)
			}
		}
	}
	if got := string(appendDecimal(nil, &Decimal{Unscaled: 1 << 53, Scale: 0}, 0, false)); got != `"9007199254740992"` {
		t.Errorf("an id beyond what every reader keeps: %s", got)
	}
}
