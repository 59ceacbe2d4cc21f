package page

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestAsk asks in plain words, looks at what was understood, and takes the query to Explore.
func TestAsk(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/ask")
	b.sees("Ask in your own words", "Sales and profit by category in 2024")
	b.press("/")
	b.types("sales by category last year" + kb.Enter)
	b.sees("Understood", "Sales amount by ", "from 2023-01-01 to 2023-12-31", "Electronics")
	b.until(`document.querySelector('[data-chart="bar"]')`)
	asked := b.calls("dataset_nl.query")
	if len(asked) != 1 || asked[0]["query"] != "sales by category last year" {
		t.Errorf("the page asked %v", asked)
	}
	rows := b.cells()
	want := query(t, "FactSalesQueryModel", `{"param":{"columns":["product$categoryName","salesAmount"],"groupBy":["product$categoryName"],"slice":[{"field":"salesDate$year","op":"=","value":2023}]}}`)
	if len(rows) != want.Data.Total {
		t.Errorf("the table shows %q", rows)
	}
	link := b.address()
	b.click("Open in Explore")
	b.settled()
	b.sees("Category", "Sales amount")
	if got := b.cells(); strings.Join(got, "\n") != strings.Join(rows, "\n") {
		t.Errorf("Explore shows %q, want %q", got, rows)
	}

	other := open(t, demo, strings.TrimPrefix(link, demo.address))
	other.sees("from 2023-01-01 to 2023-12-31")
	if got := other.cells(); strings.Join(got, "\n") != strings.Join(rows, "\n") {
		t.Errorf("a second browser shows %q, want %q", got, rows)
	}
	other.press("/")
	other.types("why do cats purr?" + kb.Enter)
	other.sees("Not something the data can tell")
	other.click("New conversation")
	other.sees("Ask in your own words")
}

// TestAskedBack answers a question that has two readings by a click; the link holds the choice.
func TestAskedBack(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	target, err := url.Parse(demo.address)
	if err != nil {
		t.Fatal(err)
	}
	const reply = `{"type":"clarify","question":"amount by channel","message":"Which amount do you mean?","choices":[` +
		`{"text":"Order amount by channel type (Orders).","model":"FactOrderQueryModel","payload":{"columns":["channel$channelType","totalAmount"],"groupBy":[{"field":"channel$channelType"}]}},` +
		`{"text":"Freight amount by channel type (Orders).","model":"FactOrderQueryModel","payload":{"columns":["channel$channelType","freightAmount"],"groupBy":[{"field":"channel$channelType"}]}}]}`
	behind := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mcp/business/rpc" {
			behind.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"1","result":{"content":[{"type":"text","text":`+quoted(reply)+`}]}}`)
	}))
	defer front.Close()
	b := open(t, &server{address: front.URL}, "/#/ask?q=amount+by+channel")
	b.sees("Not quite clear yet", "Which amount do you mean?", "Which one did you mean?")
	b.click("Freight amount by channel type (Orders).")
	b.until(`document.querySelectorAll(".grid tbody tr").length === 2`)
	b.sees("Understood", "Freight amount")
	b.expectPayload(`{"columns":["channel$channelType","freightAmount"],"groupBy":[{"field":"channel$channelType"}]}`)
	if !strings.HasSuffix(b.address(), "#/ask?q=amount+by+channel&pick=1") {
		t.Errorf("the address is %s", b.address())
	}
}

// TestInspect shows how a query is answered.
func TestInspect(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&returnTotal=1")
	b.settled()
	b.click("Inspect")
	b.sees("In words", "one row for each Brand", "Time by stage", "Nothing was narrowed.", "Statement: page", "Statement: totals", "LEFT JOIN", "LIMIT ?")
	b.clickOn(".statement summary")
	b.until(`document.querySelector(".plan")?.innerText.includes("HASH_GROUP_BY")`)
	b.fill("textarea", `{"columns": ["orderLines"]}`)
	b.click("Explain")
	b.sees("Sales: Order lines")
	calls := b.calls("dataset.explain_query")
	if last := calls[len(calls)-1]; last["model"] != "FactSalesQueryModel" || !strings.Contains(normal(toJSON(last["payload"])), "orderLines") {
		t.Errorf("the page asked to explain %v", last)
	}
	b.fill("textarea", `{"columns": [`)
	b.click("Explain")
	b.sees("That is no JSON object")
}
