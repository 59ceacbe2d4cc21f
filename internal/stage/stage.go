// Package stage says what a request spends its time on. The code that does the work names the stage; who watches, if
// anybody, is the context's affair.
package stage

import (
	"context"
	"time"
)

// Stage is a part of the way of a request.
type Stage uint8

// The stages, in the order of the way. Statements of one request run side by side, so their times may overlap.
const (
	Decode Stage = iota // the payload's bytes to a query
	Plan                // the query to statements
	Cache               // the look for an answer that may be used again
	Queue               // the wait for a place at the datasource
	Run                 // a statement, from its start to its last row
	Send                // the answer to the connection

	Count = iota
)

var names = [Count]string{"decode", "plan", "cache", "queue", "run", "send"}

// String returns the name under which the stage is reported.
func (s Stage) String() string { return names[s] }

// Observer is told of each stage that ends. Its calls come from several goroutines at once.
type Observer interface {
	Spent(s Stage, begun time.Time, took time.Duration)
}

type key struct{}

// With returns a context whose stages are told to the observer.
func With(ctx context.Context, o Observer) context.Context { return context.WithValue(ctx, key{}, o) }

// Carry returns a context whose stages are told to whoever watches those of another.
func Carry(ctx, from context.Context) context.Context {
	if o, ok := from.Value(key{}).(Observer); ok {
		return With(ctx, o)
	}
	return ctx
}

// Timer is a stage that has begun.
type Timer struct {
	observer Observer
	begun    time.Time
	stage    Stage
}

// Start begins a stage. Where nobody watches it costs a look at the context and no clock.
func Start(ctx context.Context, s Stage) Timer {
	o, ok := ctx.Value(key{}).(Observer)
	if !ok {
		return Timer{}
	}
	return Timer{o, time.Now(), s}
}

// End ends the stage. It is called once.
func (t Timer) End() {
	if t.observer != nil {
		t.observer.Spent(t.stage, t.begun, time.Since(t.begun))
	}
}
