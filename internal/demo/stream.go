package demo

import (
	"math/bits"
	"math/rand/v2"
	"sort"
)

// seed is the first half of every stream's seed; the second is the stream's own number.
const seed = 20241231

// The streams. Each kind of thing draws from its own, so that a change in one leaves the others as they were.
const (
	productStream uint64 = iota + 1
	customerStream
	storeStream
	orderStream
	lineStream
	paymentStream
	returnStream
	inventoryStream
	teamSalesStream
)

// stream is a source of chance. Only the generator's 64-bit outputs are used, whose sequence is fixed.
type stream struct{ pcg *rand.PCG }

func newStream(number uint64) stream { return stream{rand.NewPCG(seed, number)} }

// below returns a number in [0, n).
func (s stream) below(n int) int {
	high, _ := bits.Mul64(s.pcg.Uint64(), uint64(n))
	return int(high)
}

// between returns a number in [low, high].
func (s stream) between(low, high int) int { return low + s.below(high-low+1) }

// chance is true in percent of 100 cases.
func (s stream) chance(percent int) bool { return s.below(100) < percent }

// shuffle puts n things in random order by swapping.
func (s stream) shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, s.below(i+1))
	}
}

// pickFrom returns one of the items, each as likely as the next.
func pickFrom[T any](s stream, items []T) T { return items[s.below(len(items))] }

// weights picks positions by weight: the running sums, one for each position.
type weights []int

// weigh makes weights of n positions.
func weigh(n int, weight func(i int) int) weights {
	sums := make(weights, n)
	total := 0
	for i := range sums {
		total += weight(i)
		sums[i] = total
	}
	return sums
}

// weighed makes weights of a list.
func weighed(list ...int) weights { return weigh(len(list), func(i int) int { return list[i] }) }

// pick returns a position.
func (w weights) pick(s stream) int {
	return sort.SearchInts(w, s.below(w[len(w)-1])+1)
}

// share returns amount * part / whole, rounded half up. All are at least 0, whole more than 0.
func share(amount, part, whole int64) int64 { return (2*amount*part + whole) / (2 * whole) }
