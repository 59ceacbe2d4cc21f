package resolve

import (
	"slices"

	"parlance/internal/value"
)

// fraction is a quotient before it is rounded: num over the product of den. It is null where a part of den or of zeros
// is zero. Arithmetic on quotients is done on fractions, so that a / b * b is a, and a ratio of ratios is rounded once,
// at the end (decision 55).
type fraction struct {
	num   Expr
	den   []Expr
	zeros []Expr // divisors that were cancelled
}

// maxFraction bounds the nodes of a fraction; what would pass it is formed from rounded quotients instead.
const maxFraction = 200

// fractionOf returns a value as a fraction; what is no quotient has no denominator.
func fractionOf(e Expr) fraction {
	if o, ok := e.(*Op); ok && o.fraction != nil {
		return *o.fraction
	}
	return fraction{num: e}
}

// fractions computes x fn y where one of them is a quotient, or the result is. It returns nil where neither is, and
// where the fraction would need too many digits or parts.
func fractions(fn Fn, x, y Expr) Expr {
	p, q := fractionOf(x), fractionOf(y)
	if fn != Div && len(p.den)+len(q.den)+len(p.zeros)+len(q.zeros) == 0 {
		return nil
	}
	f := &fraction{num: p.num, den: slices.Clone(p.den), zeros: slices.Concat(p.zeros, q.zeros)}
	switch fn {
	case Mul:
		f.multiply(q.num)
		f.divide(q.den)
	case Div:
		f.divide([]Expr{q.num})
		f.zeros = append(f.zeros, q.den...)
		for _, d := range q.den {
			f.multiply(d)
		}
	default:
		f.add(fn, p, q)
	}
	scale := max(x.Type().Scale, y.Type().Scale, value.MinRatioScale)
	t := value.Type{Kind: value.Decimal, Scale: scale, Wide: true}
	if style := x.Type().Style; (fn == Add || fn == Sub) && style == y.Type().Style {
		t.Style = style
	}
	return f.quotient(t)
}

// multiply takes f times e. What f divides by and e is goes away, but still must not be zero.
func (f *fraction) multiply(e Expr) {
	if i := find(f.den, e); i >= 0 {
		f.zeros = append(f.zeros, f.den[i])
		f.den = slices.Delete(f.den, i, i+1)
		return
	}
	f.num = times(f.num, e)
}

// divide takes f over divisors. One that f is goes away, but still must not be zero.
func (f *fraction) divide(divisors []Expr) {
	for _, d := range divisors {
		if find([]Expr{f.num}, d) == 0 {
			f.num, f.zeros = one, append(f.zeros, d)
			continue
		}
		f.den = append(f.den, d)
	}
}

// add sets f to p ± q over the factors of both, common ones once.
func (f *fraction) add(fn Fn, p, q fraction) {
	onlyP, onlyQ := without(p.den, q.den), without(q.den, p.den)
	x, y := product(p.num, onlyQ), product(q.num, onlyP)
	f.den, f.num = slices.Concat(p.den, onlyQ), nil
	if x == nil || y == nil {
		return
	}
	f.num = exact(fn, max(int(x.Type().Scale), int(y.Type().Scale)), x, y)
}

// quotient makes the rounded value of a fraction, or nil when it has too many digits or parts.
func (f *fraction) quotient(t value.Type) Expr {
	var den Expr = one
	if len(f.den) > 0 {
		den = product(f.den[0], f.den[1:])
	}
	if f.num == nil || den == nil || f.size() > maxFraction {
		return nil
	}
	if short := int(f.num.Type().Scale) - int(t.Scale) - int(den.Type().Scale); short > 0 {
		den = op(Widen, value.Type{Kind: value.Decimal, Scale: den.Type().Scale + uint8(short), Wide: true}, den)
	}
	num := f.num
	var zero []Expr
	for _, z := range f.zeros {
		zero = append(zero, complement(op(Ne, boolean, z, Literal{V: value.Of(value.Integer, "0"), T: z.Type()})))
	}
	if len(zero) > 0 {
		num = op(Case, num.Type(), joined(Or, zero), Literal{T: num.Type()}, num)
	}
	q := op(Div, t, widened(num), widened(den))
	q.fraction = f
	return q
}

func (f *fraction) rewritten(swap func(Expr) (Expr, bool)) *fraction {
	if f == nil {
		return nil
	}
	return &fraction{num: Rewrite(f.num, swap), den: rewriteAll(f.den, swap), zeros: rewriteAll(f.zeros, swap)}
}

func (f *fraction) size() (n int) {
	for _, e := range append(slices.Concat(f.den, f.zeros), f.num) {
		Visit(e, func(Expr) bool { n++; return n <= maxFraction })
	}
	return n
}

// times is the exact product of two factors; nil when one is, or when it needs too many digits.
func times(x, y Expr) Expr {
	if x == nil || y == nil {
		return nil
	}
	return exact(Mul, int(x.Type().Scale)+int(y.Type().Scale), x, y)
}

// product is x times all of some factors.
func product(x Expr, factors []Expr) Expr {
	for _, f := range factors {
		x = times(x, f)
	}
	return x
}

func without(list, taken []Expr) (rest []Expr) {
	taken = slices.Clone(taken)
	for _, e := range list {
		if i := find(taken, e); i >= 0 {
			taken = slices.Delete(taken, i, i+1)
			continue
		}
		rest = append(rest, e)
	}
	return rest
}

// find returns where a value stands in a list, or -1; a constant, which may be zero, is never found.
func find(list []Expr, e Expr) int {
	if e == nil || e.Level() == Constant {
		return -1
	}
	return slices.IndexFunc(list, func(x Expr) bool { return x != nil && unwidened(x).String() == unwidened(e).String() })
}

func unwidened(e Expr) Expr {
	if o, ok := e.(*Op); ok && o.Fn == Widen {
		return o.Args[0]
	}
	return e
}
