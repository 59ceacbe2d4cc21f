package page

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestFollowUp asks on: each question knows the one before, the last answer is in sight, and a link asks it all again.
func TestFollowUp(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/ask?q=sales+by+category+last+year")
	b.sees("from 2023-01-01 to 2023-12-31")
	b.fill(".ask-box input", "only VIP customers")
	b.types(kb.Enter)
	b.sees("where customer type is VIP")
	asked := b.calls("dataset_nl.query")
	if len(asked) != 2 || asked[1]["query"] != "only VIP customers" || asked[1]["session_id"] == nil {
		t.Errorf("the page asked %v", asked)
	}
	want := query(t, "FactSalesQueryModel", `{"param":{"columns":["product$categoryName","salesAmount"],"groupBy":["product$categoryName"],"orderBy":["-salesAmount"],"slice":[{"field":"salesDate$year","op":"=","value":2023},{"field":"customer$customerType","op":"=","value":"VIP"}]}}`)
	const lastRows = `[...[...document.querySelectorAll(".grid")].at(-1).querySelectorAll("tbody tr")].map((r) => r.cells[0].innerText).join(" ")`
	var names []string
	for _, item := range want.Data.Items {
		name, _ := item["product$categoryName"].(string)
		names = append(names, name)
	}
	if got := value[string](b, lastRows); strings.ReplaceAll(got, "–", "") != strings.Join(names, " ") {
		t.Errorf("the last table has %s, want %s", got, names)
	}
	b.fill(".ask-box input", "why do cats purr?")
	b.types(kb.Enter)
	b.sees("Not something the data can tell")
	b.until(`[...document.querySelectorAll("[data-reply]")].at(-1).getBoundingClientRect().bottom <= document.querySelector(".ask-box").getBoundingClientRect().top`)
	b.do(chromedp.NavigateBack())
	b.until(`!document.querySelector("[data-reply]") && document.querySelectorAll(".understood").length === 2`)
	other := open(t, demo, strings.TrimPrefix(b.address(), demo.address))
	other.sees("where customer type is VIP")
	if got := value[string](other, lastRows); strings.ReplaceAll(got, "–", "") != strings.Join(names, " ") {
		t.Errorf("a second browser has %s, want %s", got, names)
	}
}

// TestOneLanguage: a conversation in Chinese stays in Chinese, also after a word that is no language's own, and the chart
// and the table have the names of its sentences; asked on in English, it is in English.
func TestOneLanguage(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/ask?q=去年各省份的利润&q=VIP")
	b.until(`document.querySelectorAll(".understood").length === 2 && document.querySelectorAll(".grid thead").length === 2 && document.querySelectorAll(".chart-card h2").length === 2`)
	b.sees("2023-01-01至2023-12-31，客户类型为VIP客户，按省份统计利润（销售）。")
	const heads = `[...[...document.querySelectorAll(".grid")].at(-1).querySelectorAll("thead th")].map((e) => e.textContent).join(" | ") + " | " + [...document.querySelectorAll(".chart-card h2")].at(-1).innerText`
	if got := value[string](b, heads); got != "省份 | 利润 CNY | 利润 CNY" {
		t.Errorf("the heads are %s", got)
	}
	b.fill(".ask-box input", "by month")
	b.types(kb.Enter)
	b.sees("Profit amount by month, from 2023-01-01 to 2023-12-31, where customer type is VIP (Sales).")
	b.until(`document.querySelectorAll(".grid thead").length === 3`)
	if got := value[string](b, heads); got != "Month | Profit amount CNY | Profit amount CNY" {
		t.Errorf("the heads are %s", got)
	}
}

// TestAskFails: a question that the server cannot take is told, and asked again by a click; one that it will take in a
// moment is asked again by itself.
func TestAskFails(t *testing.T) {
	t.Parallel()
	var mode atomic.Int32
	s := between(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if r.URL.Path != "/mcp/business/rpc" {
			return false
		}
		switch mode.Add(1) {
		case 1:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"Internal error","data":{"traceId":"t-1"}}}`)
			return true
		case 2:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Too many queries are waiting"}}`)
			return true
		}
		return false
	})
	b := open(t, s, "/#/ask?q=sales+by+category+last+year")
	b.sees("Something went wrong on the server", "Trace t-1")
	b.click("Try again")
	b.sees("from 2023-01-01 to 2023-12-31")
	if got := mode.Load(); got != 3 {
		t.Errorf("the question was asked %d times, want 3", got)
	}
}

// TestBackAndForward goes through three queries and back: each place has its own rows.
func TestBackAndForward(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
	b.settled()
	at := func() string { b.settled(); return b.address() + " " + strings.Join(b.cells(), "; ") }
	first := at()
	b.click("Totals")
	b.until(`document.querySelector(".grid tfoot")`)
	second := at()
	b.click("Remove Channel type")
	b.until(`document.querySelector('[data-chart="value"]')`)
	third := at()
	b.do(chromedp.NavigateBack())
	b.until(`document.querySelector('[data-chart="bar"]') && document.querySelector(".grid tfoot")`)
	if got := at(); got != second {
		t.Errorf("back leads to %s, want %s", got, second)
	}
	b.do(chromedp.NavigateBack())
	b.until(`!document.querySelector(".grid tfoot")`)
	if got := at(); got != first {
		t.Errorf("back again leads to %s, want %s", got, first)
	}
	b.do(chromedp.NavigateForward(), chromedp.NavigateForward())
	b.until(`document.querySelector('[data-chart="value"]')`)
	if got := at(); got != third {
		t.Errorf("forward leads to %s, want %s", got, third)
	}
}
