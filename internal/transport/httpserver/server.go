package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 60 * time.Second
	idleTimeout       = 120 * time.Second
	writeMargin       = 30 * time.Second // beyond reading a body and running a statement
	maxHeaderBytes    = 64 << 10
	cutOffMargin      = 2 * time.Second // for handlers whose requests were cut off to come to their end
)

// Server is one listener with its handlers. Listen and Serve are called once each, in that order.
type Server struct {
	opts     Options
	handler  http.Handler
	http     *http.Server
	listener net.Listener
	draining atomic.Bool
	running  inFlight
	cutOff   context.CancelFunc // ends every request that still runs
}

// New checks the options and builds the server; it opens nothing.
func New(o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Server{opts: o.withDefaults()}
	handler, err := s.routes()
	if err != nil {
		return nil, err
	}
	s.handler = s.running.around(handler)
	base, cutOff := context.WithCancel(context.Background())
	s.cutOff = cutOff
	s.http = &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + s.opts.StatementTimeout + writeMargin,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelWarn),
		// OPTIONS * is a path that is not served, like any other.
		DisableGeneralOptionsHandler: true,
		BaseContext:                  func(net.Listener) context.Context { return base },
	}
	if certificate := s.opts.Certificate; certificate != nil {
		s.http.TLSConfig = &tls.Config{
			MinVersion:     tls.VersionTLS12,
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return certificate(), nil },
		}
	}
	return s, nil
}

// Handler is all that the listener serves, for callers that bring their own connection.
func (s *Server) Handler() http.Handler { return s.handler }

// Listen binds the address, so that Addr is known before Serve and a taken port is an error at start.
func (s *Server) Listen() error {
	l, err := net.Listen("tcp", s.opts.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", s.opts.Listen, err)
	}
	s.listener = l
	return nil
}

// Addr is the bound address; nil before Listen.
func (s *Server) Addr() net.Addr {
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// ErrCutOff says that requests were still running when the drain time was over.
var ErrCutOff = errors.New("requests were cut off at the end of the drain time")

// Serve answers requests until ctx ends, then accepts no more, lets running requests finish within the drain time
// and returns. Requests beyond that have their contexts cancelled and their connections closed, and the error is
// ErrCutOff. It binds the address if Listen did not.
func (s *Server) Serve(ctx context.Context) error {
	defer s.cutOff()
	if s.listener == nil {
		if err := s.Listen(); err != nil {
			return err
		}
	}
	failed := make(chan error, 1)
	go func() { failed <- s.serve() }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", s.listener.Addr(), err)
	case <-ctx.Done():
	}
	err := s.drain()
	<-failed
	return err
}

func (s *Server) serve() error {
	if s.http.TLSConfig != nil {
		return s.http.ServeTLS(s.listener, "", "")
	}
	return s.http.Serve(s.listener)
}

func (s *Server) drain() error {
	s.draining.Store(true)
	bounded, cancel := context.WithTimeout(context.Background(), s.opts.Drain)
	defer cancel()
	err := s.http.Shutdown(bounded)
	if err == nil {
		return nil
	}
	s.cutOff()
	if closeErr := s.http.Close(); closeErr != nil {
		return fmt.Errorf("close: %w", closeErr)
	}
	s.running.wait(cutOffMargin)
	if errors.Is(err, context.DeadlineExceeded) {
		return ErrCutOff
	}
	return fmt.Errorf("shut down: %w", err)
}
