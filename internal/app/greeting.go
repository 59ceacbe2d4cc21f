package app

import (
	"fmt"
	"io"
	"net"
)

// greet tells where the server listens, whether it has a page for browsers, and three things to try.
func greet(w io.Writer, scheme string, addr net.Addr, demo, page bool) {
	base := scheme + "://" + reachable(addr)
	fmt.Fprintf(w, "parlance %s listens on %s\n", Version(), base)
	if page {
		fmt.Fprintf(w, "Open %s/ in a browser (parlance open does)\n", base)
	}
	model, body := "MODEL", "{}"
	if demo {
		model = "FactSalesQueryModel"
		body = `{"param":{"columns":["product$categoryName","salesAmount"],"groupBy":[{"field":"product$categoryName"}]}}`
	}
	fmt.Fprintf(w, `Try:
  curl -s %[1]s/readyz
  curl -s %[1]s/mcp/analyst/rpc -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"dataset.list_models","arguments":{}}}'
  curl -s %[1]s/jdbc-model/query-model/v2/%[2]s -H 'Content-Type: application/json' -d '%[3]s'
`, base, model, body)
}

// reachable returns an address that a client on this machine can use: a listener on every address has none itself.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(tcp.Port))
	}
	return addr.String()
}

// beyondLoopback reports whether other machines can reach the address.
func beyondLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return !ok || !tcp.IP.IsLoopback()
}
