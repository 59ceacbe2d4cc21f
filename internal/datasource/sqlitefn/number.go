package sqlitefn

import (
	"database/sql/driver"
	"math"
	"strconv"
	"strings"

	"parlance/internal/exact"
)

func numbers() []entry {
	list := []entry{
		{"dec", 1, strict(func(a []driver.Value) (driver.Value, error) { return convert(decimal, a[0]) })},
		{"int", 1, strict(func(a []driver.Value) (driver.Value, error) { return convert(integer, a[0]) })},
		{"dec_stored", 2, strict(stored)},
		{"dec_unscaled", 2, strict(unscaled)},
		{"num_float", 1, strict(toFloat)},
		{"num_text", 2, strict(toText)},
		{"num_sign", 1, strict(func(a []driver.Value) (driver.Value, error) {
			n, err := number(a[0])
			return int64(n.Sign()), err
		})},
		{"num_bits", 2, strict(bitsSet)},
		{"float_mod", 2, strict(floatMod)},
		{"float_round", 2, strict(floatRound)},
		{"float_text", 1, strict(floatText)},
		{"greatest", -1, func(a []driver.Value) (driver.Value, error) { return extreme(a, 1) }},
		{"least", -1, func(a []driver.Value) (driver.Value, error) { return extreme(a, -1) }},
	}
	for prefix, f := range map[string]form{"dec_": decimal, "int_": integer} {
		list = append(list,
			operator(prefix+"add", f, func(x, y exact.Number, _ int) exact.Number { return x.Add(y) }),
			operator(prefix+"sub", f, func(x, y exact.Number, _ int) exact.Number { return x.Sub(y) }),
			operator(prefix+"mul", f, func(x, y exact.Number, _ int) exact.Number { return x.Mul(y) }),
			divisor(prefix+"div", f, exact.Number.Quo),
			divisor(prefix+"mod", f, func(x, y exact.Number, _ int) exact.Number { return x.Rem(y) }),
			unary(prefix+"neg", f, exact.Number.Neg),
			unary(prefix+"abs", f, exact.Number.Abs),
			unary(prefix+"floor", f, exact.Number.Floor),
			unary(prefix+"ceil", f, exact.Number.Ceil),
			unary(prefix+"trunc", f, exact.Number.Trunc),
			entry{prefix + "round", 2, strict(func(a []driver.Value) (driver.Value, error) {
				digits, err := whole(a[1])
				if err != nil {
					return nil, err
				}
				n, err := number(a[0])
				if err != nil {
					return nil, err
				}
				return f(n.Round(digits), digits)
			})})
	}
	return list
}

// form is how a number of a type stands in a statement. It fails where 38 digits cannot hold it at the scale.
type form func(n exact.Number, scale int) (driver.Value, error)

func decimal(n exact.Number, scale int) (driver.Value, error) {
	if !n.Fits(scale) {
		return nil, ErrOverflow
	}
	return n.AppendSortable(make([]byte, 0, 12)), nil
}

func integer(n exact.Number, _ int) (driver.Value, error) {
	if i, ok := n.Int64(); ok {
		return i, nil
	}
	return decimal(n, 0)
}

// number reads a number in any form.
func number(v driver.Value) (exact.Number, error) {
	var n exact.Number
	ok := true
	switch x := v.(type) {
	case int64:
		n = exact.Int(x)
	case []byte:
		n, ok = exact.Decode(x)
	case string:
		n, ok = exact.Parse(x)
	case float64:
		n, ok = exact.FromFloat(x, 18)
	default:
		ok = false
	}
	if !ok {
		return n, ErrRange
	}
	return n, nil
}

func convert(f form, v driver.Value) (driver.Value, error) {
	n, err := number(v)
	if err != nil {
		return nil, err
	}
	return f(n, 0)
}

func operator(name string, f form, op func(x, y exact.Number, scale int) exact.Number) entry {
	return entry{name, 3, strict(func(a []driver.Value) (driver.Value, error) {
		x, err := number(a[0])
		if err != nil {
			return nil, err
		}
		y, err := number(a[1])
		if err != nil {
			return nil, err
		}
		scale, err := whole(a[2])
		if err != nil {
			return nil, err
		}
		return f(op(x, y, scale), scale)
	})}
}

// divisor is an operator that is null for a second argument of zero.
func divisor(name string, f form, op func(x, y exact.Number, scale int) exact.Number) entry {
	e := operator(name, f, op)
	divide := e.call
	e.call = func(a []driver.Value) (driver.Value, error) {
		if y, err := number(a[1]); err == nil && a[1] != nil && y.Sign() == 0 {
			return nil, nil
		}
		return divide(a)
	}
	return e
}

func unary(name string, f form, op func(exact.Number) exact.Number) entry {
	return entry{name, 1, strict(func(a []driver.Value) (driver.Value, error) {
		n, err := number(a[0])
		if err != nil {
			return nil, err
		}
		return f(op(n), 0)
	})}
}

// stored reads a decimal column: an integer, a double, or text, which is exact beyond the digits of a double.
func stored(a []driver.Value) (driver.Value, error) {
	scale, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	var n exact.Number
	ok := true
	switch x := a[0].(type) {
	case float64:
		n, ok = exact.FromFloat(x, scale)
	case int64:
		n = exact.Int(x)
	case string:
		n, ok = exact.Parse(strings.TrimSpace(x))
	case []byte:
		n, ok = exact.Parse(x)
	}
	if !ok {
		return nil, ErrRange
	}
	return decimal(n.Round(scale), scale)
}

// unscaled is a number's digits at a scale as an integer of 64 bits.
func unscaled(a []driver.Value) (driver.Value, error) {
	n, err := number(a[0])
	if err != nil {
		return nil, err
	}
	scale, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	i, ok := n.Unscaled(scale)
	if !ok {
		return nil, ErrOverflow
	}
	return i, nil
}

func toFloat(a []driver.Value) (driver.Value, error) {
	if f, ok := a[0].(float64); ok {
		return f, nil
	}
	n, err := number(a[0])
	return n.Float(), err
}

func toText(a []driver.Value) (driver.Value, error) {
	n, err := number(a[0])
	if err != nil {
		return nil, err
	}
	scale, err := whole(a[1])
	return string(n.Append(nil, scale)), err
}

func bitsSet(a []driver.Value) (driver.Value, error) {
	x, err := number(a[0])
	if err != nil {
		return nil, err
	}
	y, err := number(a[1])
	return x.Has(y), err
}

func floatMod(a []driver.Value) (driver.Value, error) {
	x, okX := a[0].(float64)
	y, okY := a[1].(float64)
	if !okX || !okY || y == 0 {
		return nil, nil
	}
	return math.Mod(x, y), nil
}

func floatRound(a []driver.Value) (driver.Value, error) {
	x, _ := a[0].(float64)
	digits, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	p := math.Pow10(digits)
	if r := math.Round(x*p) / p; !math.IsInf(r, 0) && !math.IsNaN(r) {
		return r, nil
	}
	return x, nil
}

// floatText writes a double with the fewest digits that read back, and a point.
func floatText(a []driver.Value) (driver.Value, error) {
	const large, small = 1e16, 1e-4
	x, ok := a[0].(float64)
	if !ok {
		return nil, ErrRange
	}
	if abs := math.Abs(x); abs != 0 && (abs >= large || abs < small) {
		return strconv.FormatFloat(x, 'e', -1, 64), nil
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s, nil
}
