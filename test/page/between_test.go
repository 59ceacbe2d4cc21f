package page

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// between stands between the page and the demo. Its rule sees every request, and says whether it has answered it.
func between(t *testing.T, rule func(w http.ResponseWriter, r *http.Request, body string) bool) *server {
	t.Helper()
	needBrowser(t)
	return before(t, demo, rule)
}

// before is between, in front of any server.
func before(t *testing.T, s *server, rule func(w http.ResponseWriter, r *http.Request, body string) bool) *server {
	t.Helper()
	target, err := url.Parse(s.address)
	if err != nil {
		t.Fatal(err)
	}
	behind := httputil.NewSingleHostReverseProxy(target)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		if !rule(w, r, string(body)) {
			behind.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(proxy.Close)
	return &server{address: proxy.URL}
}

// says answers a call of a tool with a text.
func says(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"1","result":{"content":[{"type":"text","text":`+quoted(text)+`}]}}`)
}

// TestAnotherCaller: what one identity was shown is gone as soon as another asks, before anything is answered.
func TestAnotherCaller(t *testing.T) {
	t.Parallel()
	free := make(chan struct{})
	s := between(t, func(_ http.ResponseWriter, r *http.Request, _ string) bool {
		if strings.Contains(r.Header.Get("Authorization"), "viewer") {
			<-free
		}
		return false
	})
	b := open(t, s, "/#/explore/FactSalesQueryModel?ns=demo-secure&columns=product$brand,salesAmount&groupBy=product$brand")
	b.signIn("plc_demo-admin")
	b.settled()
	b.sees("Profit amount", "Cost amount", "Kinetiq")
	b.clickOn(".who")
	b.fill("dialog[open] input[name=token]", "plc_demo-viewer")
	b.click("Use")
	b.until(`!document.querySelector("dialog")`)
	b.seesNot("Profit amount", "Cost amount", "Kinetiq")
	close(free)
	b.settled()
	b.sees("Sales amount", "Kinetiq")
	b.seesNot("Profit amount", "Cost amount")
}

// TestOneDoorFails: where only some requests get no answer, the rest is not asked again, and the failing ones ever later.
func TestOneDoorFails(t *testing.T) {
	t.Parallel()
	var lists, describes atomic.Int32
	var mended atomic.Bool
	s := between(t, func(_ http.ResponseWriter, _ *http.Request, body string) bool {
		if strings.Contains(body, "dataset.list_models") {
			lists.Add(1)
		}
		if strings.Contains(body, "describe_model_internal") && !mended.Load() {
			describes.Add(1)
			panic(http.ErrAbortHandler)
		}
		return false
	})
	b := open(t, s, "/#/models/FactSalesQueryModel")
	b.sees("The server does not answer", "Inventory")
	b.until(fmt.Sprintf(`performance.getEntriesByType("resource").filter((e) => e.name.includes("/mcp/")).length >= %d`, 4))
	if l, d := lists.Load(), describes.Load(); l != 1 || d < 3 || d > 4 {
		t.Errorf("models were listed %d times and one was described %d times, want 1 and 3", l, d)
	}
	mended.Store(true)
	b.sees("How it is joined")
	b.seesNot("The server does not answer")
}

// TestRowsThatDoNotArrive: a page of rows that fails is told, and comes when it is asked for again.
func TestRowsThatDoNotArrive(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	failing.Store(true)
	s := between(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if !strings.HasPrefix(r.URL.Path, "/jdbc-model/") || !failing.Load() {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"code":500,"data":null,"msg":"Internal error"}`)
		return true
	})
	b := open(t, s, "/#/explore/FactSalesQueryModel?columns=orderId,orderLineNo,product$caption,salesAmount&orderBy=orderId,orderLineNo")
	b.settled()
	value[bool](b, `(document.querySelector(".grid-box").scrollTop = 32 * 5000, true)`)
	b.sees("Some rows did not arrive.")
	failing.Store(false)
	b.click("Try again")
	b.until(`![...document.querySelectorAll(".grid tbody td")].some((c) => c.innerText === "…")`)
	b.seesNot("Some rows did not arrive.")
}

// TestAnswersThatMakeNoSense: what cannot be drawn is told in words with a way out, and the rest of the page lives on.
func TestAnswersThatMakeNoSense(t *testing.T) {
	t.Parallel()
	var odd atomic.Bool
	odd.Store(true)
	s := between(t, func(w http.ResponseWriter, _ *http.Request, body string) bool {
		if !odd.Load() || !strings.Contains(body, "describe_model_internal") {
			return false
		}
		says(w, `{"model":"FactSalesQueryModel","caption":"Sales","fields":[null]}`)
		return true
	})
	b := open(t, s, "/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand")
	b.sees("This cannot be shown")
	b.click("Ask")
	b.sees("Ask in your own words")
	odd.Store(false)
	b.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](`location.hash = "#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&chart=pie"`))
	b.settled()
	b.sees("There is no chart called “pie”; the one that fits is shown.")
	b.until(`document.querySelector('[data-chart="bar"]')`)
}

// TestMalformedLinks: no link breaks the page.
func TestMalformedLinks(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/")
	b.sees("Inventory")
	for _, query := range []string{
		`slice=[null]`, `groupBy=[null]`, `calculatedFields=[null]`, `topN={"by":5}`, `columns=[1]`, `orderBy=[null]`, `slice=%7B%7D`, `slice=[[]]`, `having=[{"$or":null}]`,
		`slice=[{"field":"salesDate$caption","op":"[]","value":["2024-02-31",null]}]`, `timeWindow={"field":5}`, `limit=-1`, `slice=[{"field":"salesDate$caption","op":"[]","value":[]}]`,
		`slice=[{"field":"salesAmount","op":">","value":{"a":[1]}}]`, `columns=%FF%`, `withSubtotals=maybe`, `groupBy=[{"field":7}]`,
	} {
		b.do(chromedp.Evaluate[chromedp.Void](`location.hash = ` + quoted("#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&"+query)))
		b.until(`document.querySelector("h1")?.innerText === "Sales" && document.querySelector(".query-bar") && !document.querySelector(".outcome[aria-busy=true]")`)
		if shown := value[string](b, `document.querySelector("[data-failure=page]")?.innerText ?? ""`); shown != "" {
			t.Errorf("%s: %s", query, shown)
		}
	}
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#/explore/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"`))
	b.sees("<img src=x onerror=alert(1)>", "That is not there, or not for you")
	if title := value[string](b, `document.title`); title != "<img src=x onerror=alert(1)> · Explore · Parlance" {
		t.Errorf("the title is %q", title)
	}
	b.click("See all models")
	b.sees("Pick a model to see what is in it")
}

// TestKeysKeepTheQuery goes through the views by keyboard: the query goes along, and the heading has the focus.
func TestKeysKeepTheQuery(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
	b.settled()
	link := b.address()
	alt := func(digit string) {
		t.Helper()
		value[bool](b, `dispatchEvent(new KeyboardEvent("keydown", {altKey: true, code: "Digit`+digit+`", key: "`+digit+`"}))`)
	}
	alt("2")
	if got := b.address(); got != link {
		t.Errorf("Alt 2 in Explore leads to %s", got)
	}
	for _, step := range []struct{ digit, heading string }{{"4", "Inspect a query"}, {"1", "Orders"}, {"2", "Orders"}} {
		alt(step.digit)
		b.until(`document.activeElement.tagName === "H1" && document.activeElement.innerText === ` + quoted(step.heading))
	}
	b.settled()
	if got := b.address(); got != link {
		t.Errorf("by way of Inspect and Models Explore has %s, want %s", got, link)
	}
	b.click("Remove Channel type")
	b.until(`document.activeElement.matches(".query-bar .chip-add")`)
	b.click("中文")
	b.until(`document.title === "FactOrderQueryModel · 探索 · Parlance"`)
}

// TestRefusedByTheBrowser: a clipboard or a canvas that refuses is told.
func TestRefusedByTheBrowser(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
	b.settled()
	value[bool](b, `(Object.defineProperty(navigator, "clipboard", {value: undefined}), document.execCommand = () => false, HTMLCanvasElement.prototype.toBlob = (done) => done(null), true)`)
	b.click("Take away")
	b.click("Copy: Payload")
	b.sees("Not copied: the browser refused.")
	b.seesNot("Copied")
	b.click("Chart as PNG")
	b.sees("The chart could not be turned into a picture.")
}

// TestRuntimeCode enters the code that a deployment asks for.
func TestRuntimeCode(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "parlance.yaml")
	if err := os.WriteFile(path, []byte("runtime_code: {env: PAGE_TEST_CODE}\nnamespaces:\n  things: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shop := filepath.Dir(hostileShop(t))
	for _, name := range []string{"data", "models"} {
		if err := os.Rename(filepath.Join(shop, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := serveWith(t, []string{"PAGE_TEST_CODE=open-sesame"}, "--config", path)
	b := open(t, s, "/#/models/Things")
	b.sees("This deployment asks for its runtime code")
	b.click("Enter the runtime code")
	b.fill("dialog[open] input[name=code]", "wrong")
	b.click("Use")
	b.sees("This deployment asks for its runtime code")
	b.click("Enter the runtime code")
	b.fill("dialog[open] input[name=code]", "open-sesame")
	b.click("Use")
	b.sees("<u>Name</u>")
	b.types(kb.Escape)
	b.click("Explore <b onmouseover=alert(1)>Things</b>")
	b.sees("What would you like to see?")
}
