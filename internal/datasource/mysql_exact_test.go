package datasource

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/result"
	"parlance/internal/value"
)

// mysqlExact computes with random numbers of up to 38 digits beside Go's fractions. The server itself computes in
// words of nine digits and cuts, clamps or warns where they do not suffice.
func mysqlExact(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	dice := rand.New(rand.NewPCG(1, 2))
	counts := map[string]int{}
	for range 4000 {
		c := exactCase{fn: []compute.Fn{compute.Add, compute.Sub, compute.Mul, compute.Div, compute.Mod}[dice.IntN(5)]}
		for i := range c.scale {
			c.scale[i] = uint8([]int{0, 0, 2, 4, 6, 8, 9, 10, 15, 18, 20, 27, 30}[dice.IntN(13)])
			c.unscaled[i] = randomDigits(dice)
		}
		if c.fn == compute.Div {
			c.less = dice.IntN(c.resultScale() - value.MinRatioScale + 1)
		}
		if c.resultScale() > 30 {
			continue
		}
		got, want := c.run(t, s), c.want()
		counts[strings.Fields(want)[0][:1]]++
		// Products of numbers with many places may be refused though they would fit.
		lenient := c.fn == compute.Mul && c.scale[0]+c.scale[1] > 18 && got == "! numeric_overflow"
		if got != want && !lenient {
			t.Fatalf("%s of %s (%d) and %s (%d): got %s, want %s", c.fn, c.unscaled[0], c.scale[0], c.unscaled[1], c.scale[1], got, want)
		}
	}
	if counts["!"] < 100 {
		t.Errorf("only %d overflows", counts["!"])
	}
}

type exactCase struct {
	fn       compute.Fn
	scale    [2]uint8
	less     int // digits that a quotient has less than its operands
	unscaled [2]*big.Int
}

// randomDigits returns a number of 1 to 38 digits, often nines or a power of ten, sometimes zero.
func randomDigits(dice *rand.Rand) *big.Int {
	digits := []byte(strings.Repeat("0", 1+dice.IntN(value.MaxPrecision)))
	kind := dice.IntN(4)
	for i := range digits {
		switch {
		case kind == 0:
			digits[i] = '9'
		case kind == 1 && i == 0:
			digits[i] = '1'
		case kind > 1:
			digits[i] = byte('0' + dice.IntN(10))
		}
	}
	n, _ := new(big.Int).SetString(string(digits), 10)
	if dice.IntN(2) == 0 {
		n.Neg(n)
	}
	return n
}

func (c exactCase) resultScale() int {
	x, y := int(c.scale[0]), int(c.scale[1])
	switch c.fn {
	case compute.Mul:
		return x + y
	case compute.Div:
		return max(x, y, value.MinRatioScale) - c.less
	default:
		return max(x, y)
	}
}

func ten(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// want is the answer as JSON, or a refusal.
func (c exactCase) want() string {
	var args [2]*big.Rat
	for i, n := range c.unscaled {
		args[i] = new(big.Rat).SetFrac(n, ten(int(c.scale[i])))
	}
	x, y, r := args[0], args[1], new(big.Rat)
	switch c.fn {
	case compute.Add:
		r.Add(x, y)
	case compute.Sub:
		r.Sub(x, y)
	case compute.Mul:
		r.Mul(x, y)
	default:
		if y.Sign() == 0 {
			return "null"
		}
		r.Quo(x, y)
	}
	if c.fn == compute.Mod {
		whole := new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
		r.Sub(x, whole.Mul(whole, y))
	}
	scale := c.resultScale()
	text := r.FloatString(scale) // halves away from zero
	unscaled, _ := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
	if unscaled.CmpAbs(ten(value.MaxPrecision)) >= 0 {
		return "! numeric_overflow"
	}
	if unscaled.Sign() == 0 {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

func (c exactCase) run(t *testing.T, s *Source) string {
	t.Helper()
	d := s.Dialect()
	w := dialect.NewWriter(d)
	typ := value.Type{Kind: value.Decimal, Scale: uint8(c.resultScale()), Wide: true}
	names, args := []string{"x", "y"}, make([]dialect.Arg, 2)
	for i, name := range names {
		args[i] = dialect.Arg{Type: c.typ(i), Write: func() { w.Text("v."); w.Name(name) }}
	}
	w.Text("SELECT ")
	d.Call(w, c.fn, args, typ)
	w.Text(" AS r FROM ")
	d.Rows(w, "v", names, 1, func(_, i int) {
		text := new(big.Rat).SetFrac(c.unscaled[i], ten(int(c.scale[i]))).FloatString(int(c.scale[i]))
		d.Value(w, value.Of(value.Decimal, text), c.typ(i))
	})
	sql, bound := w.Statement()
	e := result.NewEncoder([]result.Column{{Key: "r", Type: typ, Measure: true}}, result.Compact)
	defer e.Release()
	if err := s.Query(t.Context(), sql, bound, e.Row); err != nil {
		if fault.As(err).Kind == fault.Internal {
			t.Fatalf("%s: %v", sql, err)
		}
		return "! " + fault.As(err).Reason
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(e.Bytes()), "[["), "]]")
}

func (c exactCase) typ(i int) value.Type {
	return value.Type{Kind: value.Decimal, Scale: c.scale[i], Wide: true}
}
