package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestModels is a newcomer's way: what is there, what is in it, and a first question by one click.
func TestModels(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/")
	b.sees("Sales", "Orders", "Inventory", "10 measures · 8 dimensions")
	b.press("/")
	b.types("order line")
	b.until(`document.querySelectorAll(".model-list a").length < 4`)
	b.seesNot("Inventory")
	b.types(kb.ArrowDown)
	b.until(`document.activeElement.matches(".model-list a")`)
	b.clickOn(`.model-list a[href*="FactSalesQueryModel"]`)

	b.sees("How it is joined", "Merchandise category", "Category group", "Jan 1, 2022", "sum · money", "CNY",
		"Quantity times unit price, less the discount, tax included.", "also: sales, revenue, 销售额", "e.g. Aurelux, Baicao, Casaverde")
	b.clickOn(`[data-field="customer$memberLevel"] summary`)
	b.sees("GOLD", "No membership")
	b.fill(`.field-search input`, "brand")
	b.until(`document.querySelectorAll(".field-line").length === 1`)

	b.click("Sales and profit by category in 2024")
	b.settled()
	b.expectPayload(`{"columns":["product$categoryName","salesAmount","profitAmount"],"groupBy":[{"field":"product$categoryName"}],
		"slice":[{"field":"salesDate$year","op":"=","value":2024}],"orderBy":[{"field":"salesAmount","order":"desc"}]}`)
	want := query(t, "FactSalesQueryModel", `{"param":{"columns":["product$categoryName","salesAmount"],"groupBy":["product$categoryName"],"slice":[{"field":"salesDate$year","op":"=","value":2024}],"orderBy":["-salesAmount"]}}`)
	first := fmt.Sprint(want.Data.Items[0]["product$categoryName"])
	if rows := b.cells(); len(rows) != want.Data.Total || !strings.HasPrefix(rows[0], first+" | ") {
		t.Errorf("the table shows %q, want %d rows, %s first", rows, want.Data.Total, first)
	}
	b.sees("Year is 2024")
}

// TestExplore clicks a query together by keyboard and mouse, and watches the address, the requests and the rows.
func TestExplore(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel")
	b.sees("What would you like to see?", "Which five brands sold most to VIP customers?")
	b.press("/")
	b.until(`document.activeElement.type === "search"`)
	b.types("sales amount" + kb.Enter)
	b.settled()
	b.expectPayload(`{"columns":["sum(salesAmount) as salesAmount"]}`)
	b.until(`document.querySelector('[data-chart="value"]')`)
	b.sees("59,260,304.99")

	b.fill(`.rail input[type=search]`, "")
	b.click("Customer\n8")
	b.clickOn(`[data-field="customer$province"]`)
	b.until(`document.querySelector('[data-chart="bar"]')`)
	b.settled()
	b.expectPayload(`{"columns":["customer$province","salesAmount"],"groupBy":["customer$province"],"orderBy":["-salesAmount"]}`)

	b.filterOn("customer type")
	b.sees("VIP", "37,671")
	b.types("vi" + kb.ArrowDown + kb.ArrowUp)
	b.until(`document.querySelectorAll(".options [role=option]").length === 2`)
	b.press("Enter")
	b.until(`document.querySelector(".options [aria-selected=true]")`)
	b.click("Apply")
	b.sees("Customer type is VIP")
	b.settled()
	b.expectPayload(`{"columns":["customer$province","salesAmount"],"groupBy":["customer$province"],"orderBy":["-salesAmount"],
		"slice":[{"field":"customer$customerType","op":"in","value":["VIP"]}]}`)

	b.click("Edit Any time")
	b.choose(".time-editor label:nth-of-type(1) select", "last year")
	b.sees("last year")
	b.types(kb.Escape)
	b.click("Totals")
	b.until(`document.querySelector(".grid tfoot")`)
	b.settled()
	b.expectPayload(`{"columns":["customer$province","salesAmount"],"groupBy":["customer$province"],"orderBy":["-salesAmount"],"returnTotal":true,
		"slice":[{"field":"customer$customerType","op":"in","value":["VIP"]},{"field":"salesDate$caption","op":"=","value":"last year"}]}`)
	want := query(t, "FactSalesQueryModel", `{"limit":100,"param":{"columns":["customer$province","salesAmount"],"groupBy":["customer$province"],"orderBy":["-salesAmount"],
		"slice":[{"field":"customer$customerType","op":"=","value":"VIP"},{"field":"salesDate$year","op":"=","value":2023}]}}`)
	rows := b.cells()
	if len(rows) != len(want.Data.Items) {
		t.Fatalf("%d rows, want %d: %q", len(rows), len(want.Data.Items), rows)
	}
	for i, item := range want.Data.Items {
		if name := fmt.Sprint(item["customer$province"]); !strings.HasPrefix(rows[i], name+" | ") {
			t.Errorf("row %d is %q, want %s", i, rows[i], name)
		}
	}

	link := b.address()
	other := open(t, demo, strings.TrimPrefix(link, demo.address))
	other.settled()
	if got := other.cells(); strings.Join(got, "\n") != strings.Join(rows, "\n") {
		t.Errorf("a second browser shows %q, want %q", got, rows)
	}

	b.do(chromedp.NavigateBack())
	b.until(`!document.querySelector(".grid tfoot")`)
	b.do(chromedp.NavigateForward())
	b.until(`document.querySelector(".grid tfoot")`)
	if got := b.address(); got != link {
		t.Errorf("back and forward lead to %s, want %s", got, link)
	}
}

// TestComparison asks for time by grain, compared with the year before, and for other charts.
func TestComparison(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=orderCount")
	b.settled()
	b.click("Edit Any time")
	b.choose(".time-editor > .row:last-child label:nth-of-type(1) select", "quarter")
	b.until(`document.querySelector('[data-chart="line"]')`)
	b.settled()
	b.expectPayload(`{"columns":["orderDate$yearQuarter","orderCount"],"groupBy":["orderDate$yearQuarter"]}`)
	b.choose(".time-editor > .row:last-child label:nth-of-type(2) select", "yoy")
	b.sees("Order count, change %")
	b.choose(".time-editor label:nth-of-type(2) select", "2024")
	b.sees("2024-Q1", "+20.2%")
	b.settled()
	b.expectPayload(`{"columns":["orderCount"],"timeWindow":{"field":"orderDate","grain":"quarter","comparison":"yoy","range":"2024"}}`)
	b.types(kb.Escape)
	b.click("Bars")
	b.until(`document.querySelector('[data-chart="bar"] svg rect')`)
	if !strings.HasSuffix(b.address(), "&chart=bar") {
		t.Errorf("the address is %s", b.address())
	}
}

// TestRows asks for the largest with the rest, for subtotals, for single rows, and sorts.
func TestRows(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand")
	b.settled()
	b.choose(`select[aria-label="Top"]`, "5")
	b.click("the rest as one row")
	b.sees("Others")
	b.settled()
	b.expectPayload(`{"columns":["product$brand","salesAmount"],"groupBy":["product$brand"],"topN":{"by":"salesAmount","n":5,"others":true}}`)
	if rows := b.cells(); len(rows) != 6 || !strings.HasPrefix(rows[5], "Others | ") {
		t.Errorf("the table shows %q", rows)
	}
	b.click("Every row")
	b.until(`document.querySelector("[data-total='110532']")`)
	b.settled()
	b.expectPayload(`{"columns":["product$brand","salesAmount"]}`)
	b.click("Sort by Sales amount CNY")
	b.until(`document.querySelector("th[aria-sort=descending]")`)
	b.settled()
	b.expectPayload(`{"columns":["product$brand","salesAmount"],"orderBy":["-salesAmount"]}`)
}

// TestMend follows the mend that is offered for a mistake in a link.
func TestMend(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=product$brnad,salesAmount&groupBy=product$brnad")
	b.sees(`FactSalesQueryModel has no field "product$brnad"`)
	b.click("Use product$brand")
	b.settled()
	b.sees("Kinetiq")
	b = open(t, demo, "/#/explore/FactOrderQueryModel?columns=orderDate$year,orderCount&groupBy=orderDate$year&slice="+`[{"field":"orderDate$caption","op":"=","value":"2031"}]`)
	b.sees("No rows", "orderDate$caption covers 2022-01-01…2024-12-31")
	b.click("Without “Order date is in 2031”")
	b.settled()
	b.sees("7,723")
}

// TestLanguages shows the same page in Chinese, numbers included.
func TestLanguages(t *testing.T) {
	t.Parallel()
	b := openAs(t, demo, "/#/explore/FactOrderQueryModel?columns=channel$channelType,totalAmount&groupBy=channel$channelType", look{width: 1280, height: 900, language: "zh-CN"})
	b.sees("模型", "探索", "添加条件", "万")
	b.click("English")
	b.sees("Models", "Add a filter", "20m")
	if got := value[string](b, `document.documentElement.lang`); got != "en" {
		t.Errorf("the page says that it is in %q", got)
	}
}
