package page

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/test/servers"
)

// TestServerRestarts stops the server under an open page. The page says so, and goes on by itself when it is back.
func TestServerRestarts(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(servers.FreePort(t)))
	s, err := startServer(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	b := open(t, s, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
	b.settled()
	s.stop()
	b.click("Totals")
	b.sees("The server does not answer")
	again, err := startServer(address)
	if err != nil {
		t.Fatal(err)
	}
	defer again.stop()
	b.until(`document.querySelector(".outcome[aria-busy=false] .grid tfoot")`)
	b.sees("20,000")
	b.seesNot("The server does not answer")
}

// trouble stands between the page and the server.
type trouble struct {
	mode atomic.Pointer[string]
	free chan struct{} // ends the waiting of what is slow
	real http.Handler
}

// ServeHTTP lets a request pass, holds it, or answers in the server's place.
func (p *trouble) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	if !strings.Contains(string(body), "dataset.query_model") {
		p.real.ServeHTTP(w, r)
		return
	}
	switch *p.mode.Load() {
	case "slow":
		select {
		case <-p.free:
		case <-r.Context().Done():
			return
		}
	case "internal":
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":"1","error":{"code":-32603,"message":"Internal error","data":{"traceId":"abc123"}}}`)
		return
	case "busy":
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Too many queries are waiting"}}`)
		return
	case "nonsense":
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, "<html><h1>Bad Gateway</h1></html>")
		return
	case "broken":
		panic(http.ErrAbortHandler)
	}
	p.real.ServeHTTP(w, r)
}

// TestTrouble has the interface slow, failing and talking nonsense; the page says so in words and lets one try again.
func TestTrouble(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	target, err := url.Parse(demo.address)
	if err != nil {
		t.Fatal(err)
	}
	p := &trouble{free: make(chan struct{}), real: httputil.NewSingleHostReverseProxy(target)}
	be := func(mode string) { p.mode.Store(&mode) }
	be("slow")
	front := httptest.NewServer(p)
	defer front.Close()
	b := open(t, &server{address: front.URL}, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType")
	b.sees("Running …")
	b.click("Cancel")
	b.sees("Cancelled. There is no result for this query yet.")
	b.click("Totals")
	b.sees("Running …")
	close(p.free)
	b.settled()
	b.sees("20,000")

	be("internal")
	b.click("Totals")
	b.sees("Something went wrong on the server", "Trace abc123")
	be("busy")
	b.click("Try again")
	b.sees("The server is busy", "Too many queries are waiting")
	be("nonsense")
	b.click("Try again")
	b.sees("Bad Gateway")
	be("broken")
	b.click("Try again")
	b.sees("The server does not answer")
	be("")
	b.settled()
	b.seesNot("The server does not answer", "Bad Gateway")
}

// TestRefusedInChinese: the page says in Chinese why a query is refused, with what is wrong, what is near and the server's
// own words; the mend is a button.
func TestRefusedInChinese(t *testing.T) {
	t.Parallel()
	const path = "/#/explore/FactSalesQueryModel?columns=product$brand,salesAmout&groupBy=product$brand"
	b := openAs(t, demo, path, look{width: 1280, height: 900, language: "zh-CN"})
	b.sees("查询无法按现在的写法回答", "此字段不存在。", "服务器原文：FactSalesQueryModel has no field \"salesAmout\"")
	const details = `[...document.querySelectorAll(".failure-details > div")].map((e) => [...e.children].map((c) => c.textContent).join(" ")).join("; ")`
	if got := value[string](b, details); got != "位置 payload.columns[1]; 收到 salesAmout; 最接近 salesAmount" {
		t.Errorf("the details are %s", got)
	}
	b.click("改用 salesAmount")
	b.settled()
	b.expectPayload(`{"columns":["product$brand","salesAmount"],"groupBy":["product$brand"]}`)
}
