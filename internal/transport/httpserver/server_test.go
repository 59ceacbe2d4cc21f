package httpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// running is a server whose one endpoint waits to be let go.
type running struct {
	server  *Server
	begun   chan struct{}
	release chan struct{}
	stop    context.CancelFunc
	served  chan error
}

func start(t *testing.T, drain time.Duration) *running {
	t.Helper()
	r := &running{begun: make(chan struct{}, 1), release: make(chan struct{}), served: make(chan error, 1)}
	r.server = newTestServer(t, func(o *Options) {
		o.Listen, o.Drain = "127.0.0.1:0", drain
		o.RPC[rpcPath] = http.HandlerFunc(func(w http.ResponseWriter, rq *http.Request) {
			r.begun <- struct{}{}
			select {
			case <-r.release:
				_, _ = w.Write([]byte("whole"))
			case <-rq.Context().Done():
			}
		})
	})
	if r.server.Addr() != nil {
		t.Error("an address before Listen")
	}
	if err := r.server.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	t.Cleanup(cancel)
	go func() { r.served <- r.server.Serve(ctx) }()
	return r
}

type reply struct {
	body string
	err  error
}

// call posts to the waiting endpoint from a client of its own.
func (r *running) call() chan reply {
	got := make(chan reply, 1)
	go func() {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Post("http://"+r.server.Addr().String()+rpcPath, "application/json", strings.NewReader("{}"))
		if err != nil {
			got <- reply{err: err}
			return
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		got <- reply{string(b), err}
	}()
	return got
}

func TestStoppingLetsRunningRequestsFinish(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := start(t, time.Minute)
	stopping := make(chan struct{})
	r.server.http.RegisterOnShutdown(func() { close(stopping) })
	got := r.call()
	<-r.begun
	r.stop()
	<-stopping
	close(r.release)
	if answer := <-got; answer.err != nil || answer.body != "whole" {
		t.Errorf("the running request got %+v", answer)
	}
	if err := <-r.served; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if conn, err := net.Dial("tcp", r.server.Addr().String()); err == nil {
		conn.Close()
		t.Error("the server still accepts")
	}
}

func TestStoppingCutsOffAtTheEndOfTheDrain(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := start(t, time.Nanosecond)
	got := r.call()
	<-r.begun
	r.stop()
	if err := <-r.served; !errors.Is(err, ErrCutOff) {
		t.Errorf("Serve = %v", err)
	}
	if answer := <-got; answer.err == nil {
		t.Errorf("the request was answered: %+v", answer)
	}
}

func TestADisconnectCancelsTheRequest(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := start(t, time.Minute)
	conn, err := net.Dial("tcp", r.server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST "+rpcPath+" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-r.begun
	conn.Close()
	r.stop()
	if err := <-r.served; err != nil { // a handler that was not cancelled would hold the drain
		t.Errorf("Serve = %v", err)
	}
}

func TestListenOnATakenPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s := newTestServer(t, func(o *Options) { o.Listen = taken.Addr().String() })
	if err := s.Serve(context.Background()); err == nil || !strings.Contains(err.Error(), taken.Addr().String()) {
		t.Errorf("Serve = %v", err)
	}
}
