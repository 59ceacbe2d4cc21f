package resolve_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parlance/internal/compile/resolve"
)

// TestValuesAreTyped is decision 44: what a JSON value becomes beside a field of each type, or that it is refused.
func TestValuesAreTyped(t *testing.T) {
	m := visits(t, utc)
	const refused = "bad_value"
	digits := strings.Repeat("9", 38)
	for _, c := range []struct {
		field string
		value any
		want  string
	}{
		{"page", "a", "a string"},
		{"page", "", " string"},
		{"page", "12", "12 string"},
		{"page", 12, "12 string"},
		{"page", json.Number("1.5"), refused},
		{"page", true, refused},

		{"count", 12, "12 bigint"},
		{"count", "12", "12 bigint"},
		{"count", -3, "-3 bigint"},
		{"count", "-3", "-3 bigint"},
		{"count", "007", "7 bigint"},
		{"count", json.Number("1e3"), "1000 bigint"},
		{"count", json.Number("2.50"), "2.50 decimal"},
		{"count", json.Number("-0"), "0 bigint"},
		{"count", json.Number(digits), digits + " bigint"},
		{"count", json.Number("1" + digits), "numeric_overflow"},
		{"count", json.Number("1e99"), "numeric_overflow"},
		{"count", "abc", refused},
		{"count", "", refused},
		{"count", " 1", refused},
		{"count", "1_000", refused},
		{"count", "0x10", refused},
		{"count", "1e3", refused},
		{"count", "+1", refused},
		{"count", "--1", refused},
		{"count", ".5", refused},
		{"count", "5.", refused},
		{"count", "１２", refused},
		{"count", true, refused},
		{"big", json.Number("9007199254740993"), "9007199254740993 bigint"},
		{"big", "9007199254740993", "9007199254740993 bigint"},

		{"rate", json.Number("0.10"), "0.10 decimal"},
		{"rate", "0.10", "0.10 decimal"},
		{"rate", json.Number("1e-5"), "0.00001 decimal"},
		{"rate", 5, "5 bigint"},
		{"rate", "x", refused},

		{"speed", json.Number("0.1"), "0.1 float"},
		{"speed", "0.1", "0.1 float"},
		{"speed", json.Number("1e300"), "1e+300 float"},
		{"speed", json.Number("1e999"), refused},
		{"speed", "Infinity", refused},
		{"speed", "NaN", refused},

		{"mobile", true, "true boolean"},
		{"mobile", "false", "false boolean"},
		{"mobile", "TRUE", refused},
		{"mobile", "yes", refused},
		{"mobile", 1, refused},

		{"day", "2024-03-05", "2024-03-05 date"},
		{"day", 20240305, refused},
		{"day", true, refused},
		{"wall", "2024-03-05T10:00:00", "2024-03-05T10:00:00 timestamp"},
		{"customer$id", "7", "7 bigint"},
		{"customer$caption", 7, "7 string"},
		{"spent", "12.5", "12.5 decimal"},
		{"day$month", "2024-03", "2024-03 string"},
		{"day$year", "2024", "2024 bigint"},
	} {
		q, err := filter(t, m, c.field, "=", c.value)
		got := reason(err)
		if err == nil {
			l := q.Rows.(*resolve.Op).Args[1].(resolve.Literal)
			got = l.V.Text + " " + l.T.Name()
		}
		if got != c.want {
			t.Errorf("%s = %v (%T) is %q (%v), want %q", c.field, c.value, c.value, got, err, c.want)
		}
	}
}

// TestOperatorsFitTypes: an operator that means nothing for a type is refused before any SQL.
func TestOperatorsFitTypes(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct {
		field, op string
		value     any
		want      string
	}{
		{"page", "like", "a", "contains(page, a)"},
		{"page", "left_like", "a", "ends_with(page, a)"},
		{"page", "starts_with", 5, "starts_with(page, 5)"},
		{"page", "not like", "a", "not(contains(page, a))"},
		{"page", "[]", []any{"a", "b"}, "((page >= a) and (page <= b))"},
		{"page", "isNullAndEmpty", nil, "(is_null(page) or (page = ))"},
		{"count", "isNullAndEmpty", nil, "is_null(count)"},
		{"count", "isNotNullAndEmpty", nil, "not(is_null(count))"},
		{"count", "bit_in", []any{1, 4}, "(bits_set(count, 1) and bits_set(count, 4))"},
		{"count", "bit_in", []any{}, "true"},
		{"count", "in", []any{}, "false"},
		{"count", "not in", []any{}, "not(false)"},
		{"count", "in", []any{1, nil}, "(in(count, 1) or is_null(count))"},
		{"count", "not in", []any{1, nil}, "not((in(count, 1) or is_null(count)))"},
		{"count", "in", 1, "in(count, 1)"},
		{"count", "===", nil, "false"},
		{"count", ">", nil, "false"},
		{"count", "!=", nil, "not(is_null(count))"},
		{"count", "()", []any{nil, nil}, "not(is_null(count))"},
		{"mobile", "=", true, "(mobile = true)"},
		{"mobile", "in", []any{true}, "in(mobile, true)"},

		{"count", "like", "1", "wrong_operator"},
		{"mobile", "like", "t", "wrong_operator"},
		{"day", "starts_with", "2024", "wrong_operator"},
		{"mobile", ">", true, "wrong_operator"},
		{"mobile", "[]", []any{false, true}, "wrong_operator"},
		{"page", "bit_in", []any{1}, "wrong_operator"},
		{"rate", "bit_in", []any{1}, "wrong_operator"},
		{"count", "bit_in", []any{-1}, "bad_value"},
		{"page", "like", nil, "bad_value"},
		{"page", "like", true, "bad_value"},
		{"page", "=", map[string]any{"$field": "count"}, "wrong_type"},
		{"count", "in", []any{"a"}, "bad_value"},
		{"day", "=", map[string]any{"$field": "instant"}, "wrong_type"},
		{"page", "like", map[string]any{"$field": "page"}, "wrong_operator"},
	} {
		q, err := filter(t, m, c.field, c.op, c.value)
		got := reason(err)
		if err == nil {
			got = shown(q.Rows)
		}
		if got != c.want {
			t.Errorf("%s %s %v is %s (%v), want %s", c.field, c.op, c.value, got, err, c.want)
		}
	}
}
