package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// axis is the text of the labels below a chart.
const axis = `[...document.querySelectorAll(".chart svg > g[text-anchor=middle] > text")].map((e) => e.textContent).join(" ")`

// TestChartsHaveTheirRows: a line has every day, months stand in their order, and what is left out is told.
func TestChartsHaveTheirRows(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=salesDate$caption,salesAmount&groupBy=salesDate$caption&orderBy=-salesAmount")
	b.until(`document.querySelector(".chart-body[aria-busy=false] svg path")`)
	if got := value[int](b, `document.querySelector(".chart svg path").getAttribute("d").split(/[ML]/).length - 1`); got != 1096 {
		t.Errorf("the line has %d points, want the 1096 days of three years", got)
	}
	if got := value[string](b, axis); !strings.HasPrefix(got, "Jan 1, 2022 ") {
		t.Errorf("the axis begins with %.40s", got)
	}
	b = open(t, demo, "/#/explore/FactSalesQueryModel?columns=salesDate$month,salesAmount&groupBy=salesDate$month&orderBy=-salesAmount")
	b.until(`document.querySelector(".chart-body[aria-busy=false] svg path")`)
	if got := value[string](b, axis); got != "1 2 3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("the months stand as %s", got)
	}
	b = open(t, demo, "/#/explore/FactSalesQueryModel?columns=customer$caption,salesAmount&groupBy=customer$caption&orderBy=-salesAmount")
	b.settled()
	of := query(t, "FactSalesQueryModel", `{"limit":1,"param":{"columns":["customer$caption","salesAmount"],"groupBy":["customer$caption"]}}`).Data.Total
	b.sees(fmt.Sprintf("The chart shows the first 40 of %s.", grouped(of)))
	b = open(t, demo, "/#/explore/FactOrderQueryModel?columns=orderDate$caption,customer$caption,orderCount&groupBy=orderDate$caption,customer$caption")
	of = query(t, "FactOrderQueryModel", `{"limit":1,"param":{"columns":["orderDate$caption","customer$caption","orderCount"],"groupBy":["orderDate$caption","customer$caption"]}}`).Data.Total
	b.sees(fmt.Sprintf("The chart is of the first 5,000 of %s rows", grouped(of)))
}

// grouped writes a number as the page does in English.
func grouped(n int) string {
	text := itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// TestExactFigures shows sums that no double holds, as one figure, as bars and in words.
func TestExactFigures(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"data/things.csv": "id,kind,amount\na,x,9007199254740993\nb,y,9007199254740995\nc,z,1\n",
		"things.yaml": `
model: Things
source: {table: things, key: [id]}
attributes: [{name: id, column: id, type: string}, {name: kind, column: kind, type: string, caption: Kind}]
measures: [{name: amount, column: amount, type: integer, agg: sum, caption: Amount}]
`,
		"parlance.yaml": "namespaces:\n  things: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n",
	} {
		path := filepath.Join(folder, name)
		if strings.HasSuffix(name, "things.yaml") {
			path = filepath.Join(folder, "models", name)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serve(t, "--config", filepath.Join(folder, "parlance.yaml"))
	b := open(t, s, "/#/explore/Things?columns=sum(amount)+as+amount")
	b.until(`document.querySelector('[data-chart="value"] .chart svg')?.textContent.includes("18,014,398,509,481,989")`)
	b = open(t, s, "/#/explore/Things?columns=kind,amount&groupBy=kind")
	b.until(`document.querySelector(".chart svg")`)
	b.clickOn(".chart")
	b.types(kb.ArrowRight)
	b.until(`document.querySelector(".readout").innerText.includes("9,007,199,254,740,99")`)
	if got := strings.Join(b.cells(), "; "); got != "x | 9,007,199,254,740,993; y | 9,007,199,254,740,995; z | 1" {
		t.Errorf("the table shows %s", got)
	}
}
