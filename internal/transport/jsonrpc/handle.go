package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// handle asks the handler. Whatever it does, panics included, becomes a result or an *Error.
func (c *call) handle(dst []byte, r *Request) (out []byte, failed *Error) {
	defer func() {
		if p := recover(); p != nil {
			c.log().ErrorContext(c.ctx, "panic in a request", "trace", c.trace, "method", Clip(r.Method),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			out, failed = dst, internal(c.trace)
		}
	}()
	out, err := c.handler.Handle(c.ctx, dst, r)
	if err == nil {
		return out, nil
	}
	if errors.As(err, &failed) {
		return dst, failed
	}
	if !c.gone(err) {
		c.log().ErrorContext(c.ctx, "request failed", "trace", c.trace, "method", Clip(r.Method), "error", err.Error())
	}
	return dst, internal(c.trace)
}

// gone reports whether the request failed because nobody waits for its answer any more.
func (c *call) gone(err error) bool {
	return errors.Is(err, context.Canceled) && c.ctx.Err() != nil
}

func (c *call) log() *slog.Logger {
	if c.server.Log == nil {
		return slog.Default()
	}
	return c.server.Log
}
