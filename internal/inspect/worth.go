package inspect

import (
	"fmt"
	"math/big"
	"strings"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// listedMeasures is how many measures a message names.
const listedMeasures = 12

// worth is a number of rows and what they add up to in each measure.
type worth struct {
	rows int64
	sums []*big.Rat
}

// read takes a count and the sums after it from a row; a sum over nothing is 0.
func read(r row) worth {
	w := worth{rows: r.int(0)}
	for _, text := range r[1:] {
		sum, ok := new(big.Rat).SetString(text)
		if !ok {
			sum = new(big.Rat)
		}
		w.sums = append(w.sums, sum)
	}
	return w
}

// plus returns w and other together, other as often as it says.
func (w worth) plus(other worth, times int64) worth {
	all := worth{rows: w.rows + other.rows*times}
	for i, sum := range other.sums {
		all.sums = append(all.sums, new(big.Rat).Mul(sum, big.NewRat(times, 1)))
		if i < len(w.sums) {
			all.sums[i].Add(all.sums[i], w.sums[i])
		}
	}
	return all
}

// of tells what w holds of the whole, as in "amount 10.00 of 50.00 (20%)"; "" when it holds nothing.
func (w worth) of(whole worth, measures []*semantic.Measure) string {
	return listed(measures, func(i int) string {
		if w.sums[i].Sign() == 0 {
			return ""
		}
		return fmt.Sprintf("%s %s of %s%s", measures[i].Name, amount(w.sums[i], measures[i].Type),
			amount(whole.sums[i], measures[i].Type), share(w.sums[i], whole.sums[i]))
	})
}

// insteadOf tells what would be counted and what should, as in "amount would total 20.00 instead of 10.00".
func (w worth) insteadOf(right worth, measures []*semantic.Measure) string {
	return listed(measures, func(i int) string {
		if w.sums[i].Cmp(right.sums[i]) == 0 {
			return ""
		}
		return fmt.Sprintf("%s would total %s instead of %s", measures[i].Name, amount(w.sums[i], measures[i].Type), amount(right.sums[i], measures[i].Type))
	})
}

// listed joins what there is to say about measures; those past the first few are only counted.
func listed(measures []*semantic.Measure, say func(i int) string) string {
	var parts []string
	for i := range measures {
		if text := say(i); text != "" {
			parts = append(parts, text)
		}
	}
	if more := len(parts) - listedMeasures; more > 0 {
		parts = append(parts[:listedMeasures], counted(more, "further measure"))
	}
	return strings.Join(parts, ", ")
}

// amount returns a sum with the digits of its type.
func amount(sum *big.Rat, t value.Type) string {
	if t.Exact() {
		return sum.FloatString(int(t.Scale))
	}
	f, _ := sum.Float64()
	return fmt.Sprint(f)
}

// share returns a part in per cent of the whole, in brackets; "" where that says nothing.
func share(part, whole *big.Rat) string {
	if whole.Sign() == 0 {
		return ""
	}
	ratio, _ := new(big.Rat).Quo(part, whole).Float64()
	switch {
	case ratio < 0 || ratio > 1:
		return ""
	case ratio < 0.001:
		return " (under 0.1%)"
	}
	return fmt.Sprintf(" (%.3g%%)", ratio*100)
}

func rowShare(part, whole int64) string { return share(big.NewRat(part, 1), big.NewRat(whole, 1)) }
