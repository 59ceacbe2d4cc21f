package evaluate

import (
	"math"
	"math/big"

	"parlance/internal/query"
	"parlance/internal/value"
)

var maxUnscaled = pow10(value.MaxPrecision)

// exactly checks that an exact number fits in 38 digits at its type's scale (decision 55). Of a type that is not exact it
// is the nearest double.
func exactly(t value.Type, r *big.Rat) (Value, error) {
	if t.Kind == value.Float {
		f, _ := r.Float64()
		return float(f), nil
	}
	unscaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(pow10(int(t.Scale))))
	if unscaled.Num().CmpAbs(new(big.Int).Mul(maxUnscaled, unscaled.Denom())) >= 0 {
		return Value{}, refuse("overflow", "a number has more than %d digits", value.MaxPrecision)
	}
	return number(t.Kind, r), nil
}

// arithmeticType returns the type of an operation on numbers.
func arithmeticType(op query.BinaryOp, x, y value.Type) value.Type {
	if x.Kind == value.Float || y.Kind == value.Float {
		return value.Type{Kind: value.Float}
	}
	scale := max(x.Scale, y.Scale)
	switch op {
	case query.Mul:
		scale = x.Scale + y.Scale
	case query.Div:
		return value.Type{Kind: value.Decimal, Scale: max(scale, value.MinRatioScale)}
	}
	if x.Kind == value.Integer && y.Kind == value.Integer {
		return value.Type{Kind: value.Integer}
	}
	return value.Type{Kind: value.Decimal, Scale: scale}
}

// arithmetic computes x op y as a number of the type; null with null, and over zero.
func arithmetic(op query.BinaryOp, t value.Type, x, y Value) (Value, error) {
	if x.IsNull() || y.IsNull() {
		return Value{}, nil
	}
	if t.Kind == value.Float {
		return inexact(op, x.asFloat(), y.asFloat()), nil
	}
	r := new(big.Rat)
	switch op {
	case query.Add:
		r.Add(x.Num, y.Num)
	case query.Sub:
		r.Sub(x.Num, y.Num)
	case query.Mul:
		r.Mul(x.Num, y.Num)
	case query.Div:
		if y.Num.Sign() == 0 {
			return Value{}, nil
		}
		r = round(r.Quo(x.Num, y.Num), int(t.Scale))
	case query.Mod:
		if y.Num.Sign() == 0 {
			return Value{}, nil
		}
		r = remainder(x.Num, y.Num)
	}
	return exactly(t, r)
}

// remainder has the sign of x.
func remainder(x, y *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(x, y)
	whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
	return new(big.Rat).Sub(x, whole.Mul(whole, y))
}

func inexact(op query.BinaryOp, x, y float64) Value {
	switch op {
	case query.Add:
		return float(x + y)
	case query.Sub:
		return float(x - y)
	case query.Mul:
		return float(x * y)
	case query.Div:
		if y != 0 {
			return float(x / y)
		}
	case query.Mod:
		if y != 0 {
			return float(math.Mod(x, y))
		}
	}
	return Value{}
}
