package dialect

import (
	"testing"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// TestMySQLForms holds the texts on which exactness rests: what the server's own functions would get wrong.
func TestMySQLForms(t *testing.T) {
	wide := value.Type{Kind: value.Decimal, Scale: 2, Wide: true}
	many := value.Type{Kind: value.Decimal, Scale: 20, Wide: true}
	text := value.Type{Kind: value.String}
	d := MySQL(MySQLServer{Text: "by_point", Case: "by_case"})
	for name, c := range map[string]struct {
		write func(w *Writer)
		want  string
	}{
		"a quotient is cut after more digits than are kept, and then rounded": {
			func(w *Writer) {
				d.Call(w, compute.Div, []Arg{column(w, "x", wide), column(w, "y", value.Type{Kind: value.Integer})}, value.Type{Kind: value.Decimal, Scale: 6})
			},
			"CAST(CAST(x AS DECIMAL(65,6)) / y AS DECIMAL(38,6))",
		},
		"a product says by a warning where it passes 38 digits": {
			func(w *Writer) {
				d.Call(w, compute.Mul, []Arg{column(w, "x", wide), column(w, "y", wide)}, value.Type{Kind: value.Decimal, Scale: 4})
			},
			"CAST((x * y) AS DECIMAL(38,4))",
		},
		"a product that could lose digits is not formed": {
			func(w *Writer) {
				d.Call(w, compute.Mul, []Arg{column(w, "x", many), column(w, "y", value.Type{Kind: value.Decimal, Scale: 10, Wide: true})}, value.Type{Kind: value.Decimal, Scale: 30})
			},
			"CAST(CASE WHEN ABS(x) >= 1e18 OR ABS(y) >= 1e18 THEN CAST(CAST(x AS DOUBLE) * 1e60 AS DECIMAL(38,30)) ELSE (x * y) END AS DECIMAL(38,30))",
		},
		"a sum of wide numbers too": {
			func(w *Writer) { x := column(w, "x", wide); d.Aggregate(w, compute.Sum, &x, wide, func() {}) },
			"CAST(SUM(x) AS DECIMAL(38,2))",
		},
		"the lower middle value": {
			func(w *Writer) { x := column(w, "x", wide); d.Aggregate(w, compute.MedianLow, &x, wide, func() {}) },
			"CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(GROUP_CONCAT(x ORDER BY x SEPARATOR ','), ',', (COUNT(x) + 1) DIV 2), ',', -1) AS DECIMAL(38,2))",
		},
		"text of any character set compares by code point": {
			func(w *Writer) { d.Stored(w, func() { w.Text("x") }, text, false) },
			"CONVERT(x USING utf8mb4) COLLATE by_point",
		},
		"native text does as its column does": {
			func(w *Writer) { d.Stored(w, func() { w.Text("x") }, text, true) },
			"x",
		},
		"letters are matched in each of their forms": {
			func(w *Writer) {
				d.Call(w, compute.StartsWith, []Arg{column(w, "x", text), constant(w, value.String, "s%.")}, value.Type{Kind: value.Boolean})
			},
			`(x REGEXP ?)`,
		},
		"nulls stand last": {
			func(w *Writer) { d.Order(w, column(w, "x", text), false, false) },
			"(x IS NULL), x",
		},
		"where they stand last anyway": {
			func(w *Writer) { d.Order(w, column(w, "x", text), true, false) },
			"x DESC",
		},
		"nulls stand last along one term": {
			func(w *Writer) { d.(AloneOrderer).OrderAlone(w, column(w, "x", wide), false, false) },
			"(0.0 - x) DESC",
		},
		"an instant in UTC is the session's own time": {
			func(w *Writer) {
				d.Call(w, compute.ToLocal, []Arg{column(w, "x", value.Type{Kind: value.Timestamp, Zoned: true}), constant(w, value.String, "UTC")}, value.Type{Kind: value.Timestamp})
			},
			"x",
		},
	} {
		w := NewWriter(d)
		c.write(w)
		if sql, _ := w.Statement(); sql != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, sql, c.want)
		}
	}
}

// TestMySQLPatterns: a letter stands as the set of its forms under simple case folding, anything else as itself.
func TestMySQLPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"s": "[sſS]", "S": "[Ssſ]", "k": "[k\u212aK]", "σ": "[σΣς]", "ß": "[ßẞ]", "i": "[iI]", "İ": "İ", "ı": "ı", "50%.*": `50%\.\*`, "[": `\[`, "中": "中", "": "",
	} {
		if got := folding(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
