package outage

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// dial opens a line to a server that takes little at a time.
func dial(t *testing.T, p *program) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.(*net.TCPConn).SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	return c
}

func say(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// TestClientsThatNeverRead: an answer that nobody takes holds no place at the database, and no connection of it.
func TestClientsThatNeverRead(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	p := s.launch(t, "concurrency: 2, queue: 16", "")
	const body = `{"limit":10000,"param":{"columns":["id","pad"]}}`
	ran := func() float64 { return p.metric(t, "parlance_stage_seconds_count", `stage="run"`) }
	for i := range 12 { // far more than there are places; each is there for some seconds
		before := ran()
		say(t, dial(t, p), fmt.Sprintf("POST /jdbc-model/query-model/v2/Wide HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body))
		until(t, "the answer is there and nobody takes it", func() bool {
			return ran() > before && p.metric(t, "parlance_statements_running", "") == 0
		})
		if n := p.metric(t, "parlance_requests_running", ""); n < 1 {
			t.Errorf("nobody is left who does not read, so nothing was tried")
		}
		if r, err := p.sum(t.Context(), "Sales", 1+i); err != nil || !r.right(1+i) {
			t.Errorf("beside clients that do not read: %+v, %v", r, err)
		}
	}
}

// TestClientsThatHardlySpeak: heads and bodies that come a byte at a time keep nobody else waiting.
func TestClientsThatHardlySpeak(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	p := s.launch(t, "concurrency: 2, queue: 2", "")
	const head = "POST /jdbc-model/query-model/queryKpi HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
	var lines []net.Conn
	for i := range 200 {
		c := dial(t, p)
		lines = append(lines, c)
		if i%2 == 0 {
			say(t, c, head)
		}
	}
	speak := func(i int, c net.Conn, text string) {
		if _, err := io.WriteString(c, text); err != nil {
			lines[i] = dial(t, p) // on a busy machine the server has waited long enough for the old one
		}
	}
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for i := range 40 {
		<-ticker.C
		for j, c := range lines {
			if j%2 == 0 {
				speak(j, c, " ")
			} else {
				speak(j, c, head[i:i+1])
			}
		}
		if r, err := p.sum(t.Context(), "Sales", 1+i); err != nil || !r.right(1+i) {
			t.Fatalf("beside clients that hardly speak: %+v, %v", r, err)
		}
	}
	if n := p.metric(t, "parlance_statements_running", "") + p.metric(t, "parlance_statements_waiting", ""); n > 0 {
		t.Errorf("%v statements of requests that are not read yet", n)
	}
}
