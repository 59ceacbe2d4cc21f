package page

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const brands = "/#/explore/FactSalesQueryModel?columns=salesDate$yearMonth,product$brand,salesAmount&groupBy=salesDate$yearMonth,product$brand"

// top is where the table begins.
func (b *tab) top() float64 {
	b.t.Helper()
	return value[float64](b, `document.querySelector(".table-card").getBoundingClientRect().top + scrollY`)
}

// TestNothingMoves: the table stays where it is while the rows of its chart arrive and while the chart is read.
func TestNothingMoves(t *testing.T) {
	t.Parallel()
	t.Run("single rows of two keys", func(t *testing.T) {
		b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=orderId,product$caption,salesAmount")
		b.settled()
		if value[bool](b, `document.querySelector(".chart-card") !== null`) {
			t.Error("a chart is promised that rows with the same keys cannot make")
		}
	})
	t.Run("while rows arrive", func(t *testing.T) {
		b := openAs(t, demo, brands, look{width: 1280, height: 1600})
		b.until(`document.querySelector("[data-chart=heat] .chart-body[aria-busy=false] svg")`)
		moved := value[float64](b, `new Promise((done) => new PerformanceObserver((all) => done(all.getEntries().reduce((sum, e) => sum + e.value, 0))).observe({type: "layout-shift", buffered: true}))`)
		if moved > 0.05 {
			t.Errorf("the page moved by %.3f while it was drawn", moved)
		}
	})
	t.Run("while further pages arrive", func(t *testing.T) {
		needBrowser(t)
		free := make(chan struct{})
		b := open(t, before(t, serve(t, "--config", wholeShop(t, 90)), func(_ http.ResponseWriter, _ *http.Request, body string) bool {
			if strings.Contains(body, `"start":90`) {
				<-free
			}
			return false
		}), "/#/explore/Sales?columns=day,shop,amount&groupBy=day,shop")
		b.settled()
		b.until(`document.querySelector(".chart-body[aria-busy=true]")`)
		waiting := b.top()
		close(free)
		b.sees("The chart shows the first 40 of 67.")
		if now := b.top(); now != waiting {
			t.Errorf("the table moved from %v to %v", waiting, now)
		}
	})
	t.Run("while a query runs", func(t *testing.T) {
		free := make(chan struct{})
		b := open(t, between(t, func(_ http.ResponseWriter, _ *http.Request, body string) bool {
			if strings.Contains(body, "returnTotal") {
				<-free
			}
			return false
		}), "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
		b.settled()
		before := b.top()
		b.click("Totals")
		b.sees("Running …")
		if now := b.top(); now != before {
			t.Errorf("the table moved from %v to %v", before, now)
		}
		close(free)
		b.until(`document.querySelector(".grid tfoot")`)
	})
	t.Run("while it is read", func(t *testing.T) {
		b := open(t, demo, brands+`&slice=[{"field":"salesDate$caption","op":"=","value":"2024"}]&chart=line`)
		b.until(`document.querySelector("[data-chart=line] .chart-body[aria-busy=false] svg")`)
		before := b.top()
		value[bool](b, `document.querySelector(".chart").focus() ?? true`)
		for range 12 {
			b.types(kb.ArrowRight)
			if now := b.top(); now != before {
				t.Fatalf("the table moved from %v to %v", before, now)
			}
		}
		b.until(`document.querySelector(".readout").innerText.startsWith("2024-12")`)
	})
}

// TestEveryCellIsRead points at a cell far down in a table of colours: it is that cell that is read.
func TestEveryCellIsRead(t *testing.T) {
	t.Parallel()
	b := open(t, demo, brands)
	b.until(`document.querySelector("[data-chart=heat] .chart-body[aria-busy=false] svg")`)
	value[bool](b, `document.querySelector(".chart").focus() ?? true`)
	b.types(kb.ArrowRight + strings.Repeat(kb.ArrowDown, 14))
	b.until(`document.querySelectorAll(".readout span.nowrap").length === 1`)
	brand := value[string](b, `document.querySelectorAll(".chart g > text[text-anchor=end]")[14].textContent`)
	rows := query(t, "FactSalesQueryModel", fmt.Sprintf(`{"param":{"columns":["sum(salesAmount) as v"],"slice":[{"field":"product$brand","op":"=","value":%q},{"field":"salesDate$yearMonth","op":"=","value":"2022-01"}]}}`, brand))
	want := fmt.Sprintf("2022-01 %s %.2f", brand, rows.Data.Items[0]["v"])
	b.until(`document.querySelector(".readout").innerText.replace(/\s+/g, " ").replaceAll(",", "") === ` + quoted(want))
}
