package page

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestLongWords: what readers write into filters, questions and links may be one word without end; it breaks, and the page
// stays as wide as its window.
func TestLongWords(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("endless", 40)
	for name, c := range map[string]struct{ path, seen string }{
		"filter":   {`/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&slice=[{"field":"customer$caption","op":"like","value":"` + word + `"}]`, "Nothing matches these filters."},
		"chart":    {`/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&chart=` + word, "Sales amount"},
		"question": {`/#/ask?q=` + word, "I did not understand"},
		"view":     {`/#/` + word, word},
		"model":    {`/#/explore/` + word, word},
	} {
		t.Run(name, func(t *testing.T) {
			b := openAs(t, demo, c.path, look{width: 360, height: 740})
			b.sees(c.seen)
			if width := value[int](b, `document.documentElement.scrollWidth`); width > 360 {
				t.Errorf("the page is %d pixels wide, in a window of 360", width)
			}
		})
	}
}

// TestNarrowPanels: in a narrow window a panel keeps the same distance from both of its edges.
func TestNarrowPanels(t *testing.T) {
	t.Parallel()
	b := openAs(t, demo, "/#/explore/FactOrderQueryModel?columns=orderStatus,totalAmount&groupBy=orderStatus", look{width: 360, height: 740})
	b.settled()
	for _, button := range []string{"Add a filter", "Take away"} {
		b.click(button)
		b.until(`document.querySelector(".popover")`)
		if got := value[string](b, `((r) => r.left + " to " + r.right)(document.querySelector(".popover").getBoundingClientRect())`); got != "12 to 348" {
			t.Errorf("%s: the panel stands from %s", button, got)
		}
		b.types(kb.Escape)
		b.until(`!document.querySelector(".popover")`)
	}
}

// wordyShop writes a folder of one model whose captions, unit and values are long, with a value for each of many rows.
func wordyShop(t *testing.T) string {
	t.Helper()
	folder, write := newFolder(t)
	caption := strings.TrimSpace(strings.Repeat("a caption of many words ", 6))
	var rows strings.Builder
	rows.WriteString("id,kind,amount\n")
	for i := range 400 {
		fmt.Fprintf(&rows, "%d,%s,%d\n", i, strings.Repeat("kind ", 1+i/8), i-200)
	}
	write("data/things.csv", rows.String())
	write("models/things.yaml", fmt.Sprintf(`
model: Things
caption: %[1]s
source: {table: things, key: [id]}
attributes:
  - {name: id, column: id, type: integer, caption: Id}
  - {name: kind, column: kind, type: string, caption: %[1]s by kind}
measures:
  - {name: amount, column: amount, type: integer, agg: sum, caption: %[1]s, unit: thousands of convertible units}
  - {name: rows, column: id, agg: count, caption: Rows}
`, caption))
	write("parlance.yaml", "namespaces:\n  things: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n")
	return filepath.Join(folder, "parlance.yaml")
}

// TestLongCaptions: what models are called takes no more room than there is, leaves room for what stands beside it, and no
// column changes its width while rows are scrolled through.
func TestLongCaptions(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", wordyShop(t))
	for _, width := range []int64{360, 1280} {
		for path, whole := range map[string]string{
			"/#/models/Things": `document.querySelector(".field-line")`,
			"/#/explore/Things?columns=kind,amount,rows&groupBy=kind":          `document.querySelector(".chart svg") && document.querySelector(".measure-choice")`,
			"/#/explore/Things?columns=sum(amount)+as+amount,rows":             `document.querySelector('[data-chart="value"] svg')`,
			"/#/inspect/Things?columns=kind,amount&groupBy=kind&returnTotal=1": `document.querySelector(".sql")`,
		} {
			b := openAs(t, s, path, look{width: width, height: 800})
			b.until(whole)
			if wide := value[int](b, `Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth, ...[...document.querySelectorAll(".card > header *, .chart svg text")].map((e) => e.getBoundingClientRect().right - e.closest(".card").getBoundingClientRect().right).map(Math.ceil))`); wide > 0 {
				t.Errorf("%s: in a window of %d something is %d pixels too wide", path, width, wide)
			}
		}
	}
	b := open(t, s, "/#/explore/Things?columns=id,kind,amount&orderBy=id")
	b.settled()
	if got := value[float64](b, `document.querySelector('.pick[data-field="amount"] .grow').getBoundingClientRect().width`); got < 90 {
		t.Errorf("a caption has %.0f pixels beside its unit", got)
	}
	const widths = `[...document.querySelectorAll(".grid thead th")].map((e) => e.getBoundingClientRect().width).join(" ")`
	before := value[string](b, widths)
	value[bool](b, `(document.querySelector(".grid-box").scrollTop = 1e6, true)`)
	b.until(`[...document.querySelectorAll(".grid tbody td:first-child")].at(-1)?.textContent === "399"`)
	if after := value[string](b, widths); after != before {
		t.Errorf("the columns are %s wide, and after scrolling %s", before, after)
	}
}
