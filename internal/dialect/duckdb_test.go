package dialect

import (
	"testing"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// TestDuckDBForms holds the texts on which exactness rests: what DuckDB's own functions would get wrong.
func TestDuckDBForms(t *testing.T) {
	money := value.Type{Kind: value.Decimal, Scale: 2}
	wide := value.Type{Kind: value.Decimal, Scale: 2, Wide: true}
	text := value.Type{Kind: value.String}
	d := DuckDB()
	for name, c := range map[string]struct {
		write func(w *Writer)
		want  string
	}{
		"a quotient is one of 128-bit integers, rounded half away from zero": {
			func(w *Writer) {
				d.Call(w, compute.Div, []Arg{column(w, "x", wide), column(w, "y", value.Type{Kind: value.Integer})}, value.Type{Kind: value.Decimal, Scale: 6})
			},
			`(CAST((2 * CAST(x * 100 AS HUGEINT) * CAST(10000 AS HUGEINT) + SIGN(x) * ABS(CAST(y AS HUGEINT))) // NULLIF(2 * CAST(y AS HUGEINT), 0) AS DECIMAL(38,0)) * CAST(0.000001 AS DECIMAL(6,6)))`,
		},
		"a sum of wide numbers fails where it would wrap around": {
			func(w *Writer) { x := column(w, "x", wide); d.Aggregate(w, compute.Sum, &x, wide, func() {}) },
			`CASE WHEN ABS(SUM(CAST(x AS DOUBLE))) >= 9e35 THEN error('numeric overflow') ELSE SUM(x) END`,
		},
		"a sum of a column cannot": {
			func(w *Writer) { x := column(w, "x", money); d.Aggregate(w, compute.Sum, &x, wide, func() {}) },
			`SUM(x)`,
		},
		"the lower middle value": {
			func(w *Writer) { x := column(w, "x", money); d.Aggregate(w, compute.MedianLow, &x, money, func() {}) },
			`LIST_SORT(LIST(x) FILTER (WHERE x IS NOT NULL))[(COUNT(x) + 1) // 2]`,
		},
		"texts join in code-point order": {
			func(w *Writer) { x := column(w, "x", text); d.Aggregate(w, compute.GroupConcat, &x, text, func() {}) },
			`STRING_AGG(x, ',' ORDER BY x)`,
		},
		"a complement keeps nulls": {
			func(w *Writer) {
				d.Call(w, compute.Not, []Arg{column(w, "x", value.Type{Kind: value.Boolean})}, value.Type{})
			},
			`((x) IS NOT TRUE)`,
		},
		"an ISO week": {
			func(w *Writer) { d.Call(w, compute.ToWeek, []Arg{column(w, "x", value.Type{Kind: value.Date})}, text) },
			`STRFTIME(x, '%G-W%V')`,
		},
		"nulls stand last": {
			func(w *Writer) { d.Order(w, column(w, "x", text), true, false) },
			`x DESC NULLS LAST`,
		},
		"equal or both null": {
			func(w *Writer) { d.Same(w, column(w, "x", text).Write, column(w, "y", text).Write) },
			`x IS NOT DISTINCT FROM y`,
		},
	} {
		w := NewWriter(d)
		c.write(w)
		if sql, _ := w.Statement(); sql != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, sql, c.want)
		}
	}
}

func TestDuckDBMatchesLiterally(t *testing.T) {
	for text, want := range map[string]string{"50%": `(?is)50%`, "a.b*": `(?is)a\.b\*`, `\d`: `(?is)\\d`, "(?i)": `(?is)\(\?i\)`} {
		w := NewWriter(DuckDB())
		DuckDB().Call(w, compute.Contains, []Arg{column(w, "x", value.Type{Kind: value.String}), constant(w, value.String, text)}, value.Type{})
		if sql, args := w.Statement(); sql != "REGEXP_MATCHES(x, ?)" || args[0] != want {
			t.Errorf("%q: %s with %q, want %q", text, sql, args, want)
		}
	}
}
