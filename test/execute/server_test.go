package execute

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// all are the servers of the package, each started by the first test that needs it and stopped after the last test.
var all suite

func TestMain(m *testing.M) {
	code := m.Run()
	all.end()
	os.Exit(code)
}

// databases counts the databases that were made on servers.
var databases atomic.Uint64

// suite is what a server needs of a test, for all tests of the package.
type suite struct {
	mu       sync.Mutex
	cleanups []func()
}

// started runs what starts a server; otherwise it says why there is none.
func (s *suite) started(start func(testing.TB) opener) (open opener, absent string) {
	st := &starting{suite: s}
	done := make(chan struct{})
	go func() {
		defer close(done)
		open = start(st)
	}()
	<-done
	return open, st.why
}

func (s *suite) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
	s.cleanups = nil
}

// starting stands for a test while a server starts. Like one it ends its goroutine when it fails or is skipped.
type starting struct {
	testing.TB
	*suite
	why string
}

func (s *starting) Helper() {}

func (s *starting) Cleanup(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cleanups = append(s.cleanups, f)
}

func (s *starting) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s *starting) Error(args ...any) { fmt.Fprintln(os.Stderr, args...) }

func (s *starting) Fatal(args ...any) { s.stop(fmt.Sprint(args...)) }

func (s *starting) Fatalf(format string, args ...any) { s.stop(fmt.Sprintf(format, args...)) }

func (s *starting) Skipf(format string, args ...any) { s.stop(fmt.Sprintf(format, args...)) }

func (s *starting) stop(why string) {
	s.why = why
	runtime.Goexit()
}
