package result

import (
	"sync"

	"parlance/internal/fault"
)

// uncounted is the size of an encoder's buffer that no budget counts: most answers are smaller, and as many as run at
// once take little.
const uncounted = 64 << 10

// greed is how many times as much as it leaves free one owner may have of a budget. Alone it has at most greed parts in
// greed + 1 of all; however much the others have, there is room for who comes next.
const greed = 3

// Budget bounds the memory that answers on their way take together, fair between those whose they are. Nothing that was
// given is taken back, and nobody waits: whoever holds much is refused before there is no room for others. It is safe for
// concurrent use.
type Budget struct {
	most int64

	mu   sync.Mutex
	used int64
	held map[string]int64 // by owner
}

// NewBudget returns a budget of so many bytes; nil, which bounds nothing, of none.
func NewBudget(most int64) *Budget {
	if most <= 0 {
		return nil
	}
	return &Budget{most: most, held: map[string]int64{}}
}

// Used returns the bytes that are taken.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// share is what one owner has at most.
func (b *Budget) share() int64 { return b.most / (greed + 1) * greed }

// take counts n bytes more of an answer of whole bytes, or refuses them.
func (b *Budget) take(owner string, n, whole int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if left := b.most - b.used - n; b.held[owner]+n <= greed*left {
		b.used += n
		b.held[owner] += n
		return nil
	}
	if whole > b.share() {
		return tooLarge(b.share())
	}
	return noRoom()
}

func (b *Budget) give(owner string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	b.let(owner, n)
}

// let counts n bytes of an owner out.
func (b *Budget) let(owner string, n int64) {
	if b.held[owner] -= n; b.held[owner] == 0 {
		delete(b.held, owner)
	}
}

func tooLarge(most int64) error {
	e := fault.Invalidf("result_too_large", "", "The rows take more than the %d MB that the server has for the results of one caller", most>>20)
	e.Hint = "ask for fewer rows or columns, and read on with start"
	return e
}

func noRoom() error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "overloaded", Retryable: true,
		Message: "The server holds as many results as it can", Hint: "try again in a moment",
	}
}

// Held is bytes of an answer on its way that a budget counts.
type Held struct {
	budget *Budget // nil: they are not counted
	owner  string
	bytes  int64
}

// Hold counts n bytes that an owner's answer takes beside those of encoders, until Give. What a budget does not count is
// not counted here either.
func (b *Budget) Hold(owner string, n int64) (Held, error) {
	if b == nil || n <= uncounted {
		return Held{}, nil
	}
	if err := b.take(owner, n, n); err != nil {
		return Held{}, err
	}
	return Held{b, owner, n}, nil
}

// Give counts the bytes out.
func (h Held) Give() {
	if h.budget != nil {
		h.budget.give(h.owner, h.bytes)
	}
}

// Of returns the same bytes as those of another owner, who is never refused them: they are there already.
func (h Held) Of(owner string) Held {
	if h.budget == nil || h.owner == owner {
		return h
	}
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.budget.let(h.owner, h.bytes)
	h.budget.held[owner] += h.bytes
	h.owner = owner
	return h
}
