package resolve

import (
	"strconv"
	"unicode/utf8"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// A text that takes the place of each character of another grows without end when that is done again. How long it can
// become is told from the expression alone, so that no query takes the memory of a database, or of this process.

const (
	maxWidth   = 100_000 // characters that a replaced text may come to
	fieldWidth = 256     // that a text of the data is taken to have
	otherWidth = 64      // that anything else has at most
)

// width is how many characters an expression can have, and maxWidth + 1 for all that are more.
func width(e Expr) int {
	if e.Type().Kind != value.String && e.Type().Kind != value.Null {
		return otherWidth
	}
	switch x := e.(type) {
	case Literal:
		return min(utf8.RuneCountInString(x.V.Text), maxWidth+1)
	case *Op:
		return opWidth(x)
	case *Agg:
		if x.Fn == semantic.GroupConcat {
			return maxWidth
		}
		return width(x.Arg)
	case *Window:
		return widest(x.Args)
	case Field, Stored, Column, PeriodName, *Within:
	}
	return fieldWidth
}

func opWidth(o *Op) int {
	switch o.Fn {
	case Replace:
		return min(width(o.Args[0])*growth(o.Args[1], o.Args[2]), maxWidth+1)
	case Concat:
		sum := 0
		for _, a := range o.Args {
			sum += width(a)
		}
		return min(sum, maxWidth+1)
	case PadLeft, PadRight:
		if l, ok := o.Args[1].(Literal); ok {
			if n, err := strconv.Atoi(l.V.Text); err == nil {
				return n
			}
		}
		return maxPadding
	default:
		return widest(o.Args)
	}
}

func widest(list []Expr) int {
	most := 0
	for _, e := range list {
		most = max(most, width(e))
	}
	return most
}

// growth is how many times as long a text can become in which one part takes the place of another.
func growth(part, by Expr) int {
	shortest := 1
	if l, ok := part.(Literal); ok {
		shortest = max(1, utf8.RuneCountInString(l.V.Text))
	}
	return max(1, (width(by)+shortest-1)/shortest)
}
