package app

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"parlance/internal/identity"
)

const wideModel = `model: Wide
source: {sql: "select range as id, repeat('x', 1000) as pad from range(10000)", key: [id]}
attributes:
  - {name: id, column: id}
  - {name: pad, column: pad}
`

// Whoever does not take his answers is refused before the others are.
func TestAnswersThatNobodyTakesLeaveRoomForOthers(t *testing.T) {
	wang, li := identity.NewToken(), identity.NewToken()
	c, dir := guarded(t, "limits: {result_memory: 64MiB}\nnamespaces: {shop: {models: ./models, datasource: files, auth: {mode: tokens, file: tokens.yaml}}}\ndefault_namespace: shop\n",
		map[string]string{"tokens.yaml": tokensText(tokenLine(wang, "{user: wang, roles: [analyst]}"), tokenLine(li, "{user: li, roles: [analyst]}"))})
	write(t, dir+"/models", "wide.yaml", wideModel)
	r := run(t, c)
	const path = "/jdbc-model/query-model/v2/Wide"
	body := func(rows int) string { return fmt.Sprintf(`{"limit":%d,"param":{"columns":["id","pad"]}}`, rows) }
	// asks asks as wang, reads the first line of the answer and takes nothing more.
	asks := func() string {
		line, err := net.Dial("tcp", r.http.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = line.Close() })
		if err := line.(*net.TCPConn).SetReadBuffer(4096); err != nil {
			t.Fatal(err)
		}
		text := body(10_000)
		fmt.Fprintf(line, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", path, wang, len(text), text)
		first, err := bufio.NewReaderSize(line, 16).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(first)
	}
	n := 0
	for ; n < 20; n++ {
		if first := asks(); strings.HasSuffix(first, http.StatusText(http.StatusServiceUnavailable)) {
			break
		} else if !strings.HasSuffix(first, http.StatusText(http.StatusOK)) {
			t.Fatalf("answer %d: %s", n, first)
		}
	}
	if held := r.service.ResultBytes(); n < 4 || n > 5 || held < 40<<20 || held > 48<<20 {
		t.Errorf("somebody who does not take his answers has %d of them, %d bytes", n, held)
	}
	status, got := r.post(t, path, body(5000), "Authorization", "Bearer "+li)
	if status != http.StatusOK || !strings.Contains(got, `"total":10000`) || strings.Count(got, `"pad"`) != 5000 {
		t.Errorf("another: %d %.200s", status, got)
	}
}
