package result

import (
	"sync/atomic"

	"parlance/internal/fault"
)

// uncounted is the size of an encoder's buffer that no budget counts: most answers are smaller, and as many as run at
// once take little.
const uncounted = 64 << 10

// Budget bounds the memory that the encoders of answers on their way take together. It is safe for concurrent use.
type Budget struct {
	most int64
	used atomic.Int64
}

// NewBudget returns a budget of so many bytes; nil, which bounds nothing, of none.
func NewBudget(most int64) *Budget {
	if most <= 0 {
		return nil
	}
	return &Budget{most: most}
}

// Used returns the bytes that are taken.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// take counts n bytes more, or refuses them.
func (b *Budget) take(n, whole int64) error {
	switch {
	case b.used.Add(n) <= b.most:
		return nil
	case whole > b.most:
		b.used.Add(-n)
		return tooLarge(b.most)
	}
	b.used.Add(-n)
	return noRoom()
}

func (b *Budget) give(n int64) { b.used.Add(-n) }

func tooLarge(most int64) error {
	e := fault.Invalidf("result_too_large", "", "The rows take more than the %d MB that the server has for all results", most>>20)
	e.Hint = "ask for fewer rows or columns, and read on with start"
	return e
}

func noRoom() error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "overloaded", Retryable: true,
		Message: "The server holds as many results as it can", Hint: "try again in a moment",
	}
}

// Hold counts n bytes that an answer on its way takes beside those of encoders, until the returned function is called. What
// a budget does not count is not counted here either.
func (b *Budget) Hold(n int64) (give func(), err error) {
	if b == nil || n <= uncounted {
		return func() {}, nil
	}
	if err := b.take(n, n); err != nil {
		return nil, err
	}
	return func() { b.give(n) }, nil
}
