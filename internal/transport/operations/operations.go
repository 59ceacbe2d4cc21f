// Package operations serves what people who run the server look at, on an address of its own that callers of the data do
// not reach: metrics and, where they are switched on, profiles.
package operations

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// Options are the settings of a Server. Listen and Metrics are required.
type Options struct {
	Listen   string       // HOST:PORT; port 0 takes a free one, which Addr tells
	Metrics  http.Handler // /metrics
	Profiles bool         // whether /debug/pprof/ is served
	Hosts    []string     // names that the Host header may carry beside loopback ones, where the address is on loopback
	Log      *slog.Logger // nil: slog.Default()
}

// Server is the listener of operations.
type Server struct {
	http     *http.Server
	listener net.Listener
}

const (
	readTimeout  = 10 * time.Second
	writeTimeout = 3 * time.Minute // a profile may run for two
	idleTimeout  = 2 * time.Minute
	drain        = time.Second
	maxHeader    = 16 << 10
)

// Listen binds the address.
func Listen(o Options) (*Server, error) {
	l, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for operations on %s: %w", o.Listen, err)
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Server{listener: l, http: &http.Server{
		Handler: guarded(routes(o), o.Hosts, l.Addr()), ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}}, nil
}

func routes(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", o.Metrics)
	if o.Profiles {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// Addr is the bound address.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Serve answers until ctx ends. What runs then has a second to end.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve operations on %s: %w", s.Addr(), err)
	case <-ctx.Done():
	}
	bounded, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	err := s.http.Shutdown(bounded)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	<-failed
	return err
}

// Close gives the address back, also where Serve was never called.
func (s *Server) Close() { _ = s.listener.Close() } // closed already: nothing to do
