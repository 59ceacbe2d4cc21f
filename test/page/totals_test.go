package page

import "testing"

// TestTotalsSayOfWhat: the totals are of everything that the filters leave; where fewer rows are shown, they say so.
func TestTotalsSayOfWhat(t *testing.T) {
	t.Parallel()
	const groups = "/#/explore/FactSalesQueryModel?columns=product$categoryName,salesAmount&groupBy=product$categoryName&returnTotal=1"
	for _, c := range []struct{ path, want string }{
		{groups, "Total | 59,260,304.99"},
		{groups + `&topN={"by":"salesAmount","n":3,"others":true}`, "Total | 59,260,304.99"},
		{groups + `&topN={"by":"salesAmount","n":3}`, "Total of all groups | 59,260,304.99"},
		{groups + `&limit=2`, "Total of all groups | 59,260,304.99"},
		{"/#/explore/FactSalesQueryModel?columns=orderId,salesAmount&returnTotal=1&limit=2", "Total of all rows | 59,260,304.99"},
	} {
		b := open(t, demo, c.path)
		b.settled()
		if got := value[string](b, `[...document.querySelectorAll(".grid tfoot th, .grid tfoot td")].map((c) => c.textContent).join(" | ")`); got != c.want {
			t.Errorf("%s: the foot is %q, want %q", c.path, got, c.want)
		}
		if cut := value[string](b, `[...document.querySelectorAll(".grid td, .grid th, .grid thead .grow")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent).join(" | ")`); cut != "" {
			t.Errorf("%s: there is no room for %s", c.path, cut)
		}
	}
}
