package datasource

import (
	"context"
	"math"
)

// Places lets a bounded number of whatever it is run at once, fair between owners as the gate of a source is. Any number
// may wait.
type Places struct{ gate *gate }

// NewPlaces returns so many places.
func NewPlaces(n int) *Places { return &Places{newGate(n, math.MaxInt, 0)} }

// Take returns with a place, which the returned function gives back, or with the context's error.
func (p *Places) Take(ctx context.Context, owner string) (leave func(), err error) {
	if err := p.gate.enter(ctx, owner); err != nil {
		return nil, err
	}
	return func() { p.gate.leave(owner) }, nil
}
