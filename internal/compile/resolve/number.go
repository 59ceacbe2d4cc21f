package resolve

import (
	"strings"

	"parlance/internal/value"
)

var (
	boolean = value.Type{Kind: value.Boolean}
	text    = value.Type{Kind: value.String}
	float   = value.Type{Kind: value.Float}
	integer = value.Type{Kind: value.Integer, Wide: true}
)

func op(fn Fn, t value.Type, args ...Expr) *Op { return &Op{Fn: fn, Args: args, T: t} }

// number makes the literal of a JSON or expression number. Its digits are kept: 1.50 has scale 2, 1e3 is 1000.
func number(text string) (Literal, bool) {
	plain, scale, ok := plainNumber(text)
	if !ok {
		return Literal{}, false
	}
	if scale == 0 {
		return Literal{V: value.Of(value.Integer, plain), T: integer}, true
	}
	return Literal{V: value.Of(value.Decimal, plain), T: value.Type{Kind: value.Decimal, Scale: uint8(scale)}}, true
}

// plainNumber writes a number without exponent. It refuses what 38 digits cannot hold.
func plainNumber(s string) (plain string, scale int, ok bool) {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	mantissa, exp := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		if exp, ok = smallInt(s[i+1:]); !ok {
			return "", 0, false
		}
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits := whole + frac
	point := len(whole) + exp
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, frac = strings.TrimLeft(digits[:point], "0"), digits[point:]
	if exp != 0 {
		frac = strings.TrimRight(frac, "0")
	}
	if len(whole)+len(frac) > value.MaxPrecision {
		return "", 0, false
	}
	if whole == "" {
		whole = "0"
	}
	if frac == "" {
		return negated(sign, whole), 0, true
	}
	return negated(sign, whole+"."+frac), len(frac), true
}

func negated(sign, digits string) string {
	if strings.Trim(digits, "0.") == "" {
		return digits
	}
	return sign + digits
}

func smallInt(s string) (int, bool) {
	sign := 1
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = -1, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 2*value.MaxPrecision {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return sign * n, s != ""
}

// widened returns an exact operand in 38 digits, a float as it is.
func widened(e Expr) Expr {
	if !e.Type().Exact() {
		return e
	}
	if o, ok := e.(*Op); ok && (o.Fn == Widen || o.Fn == Add || o.Fn == Sub || o.Fn == Mul || o.Fn == Div) {
		return e
	}
	t := e.Type()
	t.Wide = true
	return op(Widen, t, e)
}

// arithmetic types and builds x fn y for Add, Sub, Mul, Div and Mod (decision 55). It returns nil when the result
// would need more digits than exact arithmetic has.
func arithmetic(fn Fn, x, y Expr) Expr {
	tx, ty := x.Type(), y.Type()
	if tx.Kind == value.Float || ty.Kind == value.Float {
		return op(fn, float, op(Float, float, x), op(Float, float, y))
	}
	if fn != Mod {
		if f := fractions(fn, x, y); f != nil {
			return f
		}
	}
	switch fn {
	case Mul:
		return exact(fn, int(tx.Scale)+int(ty.Scale), x, y)
	case Div:
		return exact(fn, max(int(tx.Scale), int(ty.Scale), value.MinRatioScale), x, y)
	default:
		return exact(fn, max(int(tx.Scale), int(ty.Scale)), x, y)
	}
}

const maxScale = value.MaxPrecision - 8

func exact(fn Fn, scale int, x, y Expr) Expr {
	if scale > maxScale {
		return nil
	}
	t := value.Type{Kind: value.Decimal, Scale: uint8(scale), Wide: true}
	if scale == 0 {
		t = integer
	}
	if style := x.Type().Style; (fn == Add || fn == Sub) && style == y.Type().Style {
		t.Style = style
	}
	return op(fn, t, widened(x), widened(y))
}
