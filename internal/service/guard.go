package service

import (
	"fmt"
	"runtime/debug"

	"parlance/internal/fault"
)

// guarded runs f and turns a panic into an internal error: work that a request does beside its own goroutine must
// not end the process.
func guarded(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fault.Internalf(fmt.Errorf("panic: %v\n%s", v, debug.Stack()), "Internal error")
		}
	}()
	return f()
}
