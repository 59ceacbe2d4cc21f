package httpserver

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// soon is a time-out that a test waits for.
const soon = 300 * time.Millisecond

// impatient is a server with short time-outs, whose one endpoint reads the body and answers with much. What became of
// both is told.
func impatient(t *testing.T) (s *Server, read, written chan error) {
	t.Helper()
	read, written = make(chan error, 1), make(chan error, 1)
	s = newTestServer(t, func(o *Options) {
		o.Listen = "127.0.0.1:0"
		o.RPC[rpcPath] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := io.Copy(io.Discard, r.Body)
			read <- err
			if err != nil {
				return
			}
			for err == nil {
				_, err = w.Write(make([]byte, 1<<20))
			}
			written <- err
		})
	})
	s.http.ReadHeaderTimeout, s.http.ReadTimeout, s.http.WriteTimeout = soon, soon, 2*soon
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s, read, written
}

func dial(t *testing.T, s *Server, say string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, say); err != nil {
		t.Fatal(err)
	}
	return c
}

// drip says a byte again and again until nobody listens any more.
func drip(t *testing.T, c net.Conn) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, c) // an answer, if any, and the end
		close(ended)
	}()
	tick := time.NewTicker(soon / 20)
	defer tick.Stop()
	for late := time.After(time.Minute); ; {
		select {
		case <-ended:
			return
		case <-late:
			t.Fatal("the line is open without end")
		case <-tick.C:
			_, _ = c.Write([]byte("x"))
		}
	}
}

func TestAHeadThatComesByteByByteEnds(t *testing.T) {
	s, _, _ := impatient(t)
	drip(t, dial(t, s, "POST "+rpcPath+" HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "))
}

func TestABodyThatComesByteByByteEnds(t *testing.T) {
	s, read, _ := impatient(t)
	drip(t, dial(t, s, "POST "+rpcPath+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"))
	if err := <-read; err == nil {
		t.Error("the body counts as read")
	}
}

func TestAnAnswerThatNobodyReadsEnds(t *testing.T) {
	s, read, written := impatient(t)
	dial(t, s, "POST "+rpcPath+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n")
	if err := <-read; err != nil {
		t.Fatal(err)
	}
	select {
	case <-written:
	case <-time.After(time.Minute):
		t.Error("the answer is written without end")
	}
}

func TestTimeoutsAreSet(t *testing.T) {
	h := newTestServer(t, nil).http
	for name, d := range map[string]time.Duration{
		"head": h.ReadHeaderTimeout, "request": h.ReadTimeout, "answer": h.WriteTimeout, "idle": h.IdleTimeout,
	} {
		if d <= 0 || d > 3*time.Minute {
			t.Errorf("the time-out of the %s is %s", name, d)
		}
	}
	if h.MaxHeaderBytes <= 0 || h.MaxHeaderBytes > 1<<20 {
		t.Errorf("a head may have %d bytes", h.MaxHeaderBytes)
	}
}
