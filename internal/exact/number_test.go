package exact

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"
)

func rat(n Number) *big.Rat {
	return new(big.Rat).SetFrac(n.unscaled(), power(n.scale))
}

func mustParse(t *testing.T, s string) Number {
	t.Helper()
	n, ok := Parse(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return n
}

func TestTextOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		in    string
		scale int
		want  string
	}{
		{"0", 0, "0"}, {"-0.00", 2, "0.00"}, {"12.5", 2, "12.50"}, {"-0.05", 1, "-0.05"}, {"1e3", 0, "1000"}, {"1.25e1", 0, "12.5"},
		{"-1e-3", 0, "-0.001"}, {"99999999999999999999999999999999999999", 0, "99999999999999999999999999999999999999"},
		{"9223372036854775807", 0, "9223372036854775807"}, {"-9223372036854775808", 1, "-9223372036854775808.0"}, {"+7", 0, "7"},
	} {
		if got := string(mustParse(t, tt.in).Append(nil, tt.scale)); got != tt.want {
			t.Errorf("%s at %d is %s, not %s", tt.in, tt.scale, got, tt.want)
		}
	}
	for _, bad := range []string{"", "-", ".", "1.2.3", "abc", "1e", "1e999", "0x1", "NaN", "1 "} {
		if n, ok := Parse(bad); ok {
			t.Errorf("%q is read as %s", bad, n.Append(nil, 0))
		}
	}
}

func TestRoundingIsHalfAwayFromZero(t *testing.T) {
	for _, tt := range []struct {
		x     string
		scale int
		want  string
	}{
		{"0.5", 0, "1"}, {"-0.5", 0, "-1"}, {"1.005", 2, "1.01"}, {"-1.005", 2, "-1.01"}, {"1.0049", 2, "1.00"}, {"2.5", 1, "2.5"},
		{"99999999999999999999.95", 1, "100000000000000000000.0"},
	} {
		if got := string(mustParse(t, tt.x).Round(tt.scale).Append(nil, tt.scale)); got != tt.want {
			t.Errorf("%s rounded to %d is %s, not %s", tt.x, tt.scale, got, tt.want)
		}
	}
	for _, tt := range []struct {
		x, y  string
		scale int
		want  string
	}{
		{"1", "3", 6, "0.333333"}, {"2", "3", 6, "0.666667"}, {"-2", "3", 6, "-0.666667"}, {"1", "-8", 2, "-0.13"}, {"1.5", "0.05", 6, "30.000000"},
		{"10000000000000000000000", "3", 0, "3333333333333333333333"},
	} {
		if got := string(mustParse(t, tt.x).Quo(mustParse(t, tt.y), tt.scale).Append(nil, tt.scale)); got != tt.want {
			t.Errorf("%s / %s is %s, not %s", tt.x, tt.y, got, tt.want)
		}
	}
}

func TestDoublesOfColumns(t *testing.T) {
	for _, tt := range []struct {
		f     float64
		scale int
		want  string
	}{
		{12.34, 2, "12.34"}, {0.1 + 0.2, 2, "0.30"}, {-1.005, 2, "-1.01"}, {1e15, 2, "1000000000000000.00"}, {123456789012.35, 2, "123456789012.35"}, {0.000001, 6, "0.000001"},
	} {
		n, ok := FromFloat(tt.f, tt.scale)
		if got := string(n.Append(nil, tt.scale)); !ok || got != tt.want {
			t.Errorf("%v is %s, not %s", tt.f, got, tt.want)
		}
	}
}

func randomNumber(r *rand.Rand) Number {
	digits := r.IntN(39)
	n := new(big.Int)
	for range digits {
		n.Mul(n, big.NewInt(10)).Add(n, big.NewInt(int64(r.IntN(10)*r.IntN(2))))
	}
	if r.IntN(2) == 0 {
		n.Neg(n)
	}
	return from(n, r.IntN(20))
}

func TestArithmeticAgreesWithFractions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x, y := randomNumber(r), randomNumber(r)
		a, b := rat(x), rat(y)
		check := func(op string, got Number, want *big.Rat) {
			if rat(got).Cmp(want) != 0 {
				t.Fatalf("%s %s %s is %s", a, op, b, rat(got))
			}
		}
		check("+", x.Add(y), new(big.Rat).Add(a, b))
		check("-", x.Sub(y), new(big.Rat).Sub(a, b))
		check("*", x.Mul(y), new(big.Rat).Mul(a, b))
		if x.Cmp(y) != a.Cmp(b) {
			t.Fatalf("%s <=> %s is %d", a, b, x.Cmp(y))
		}
		if y.Sign() != 0 {
			q := new(big.Rat).Quo(a, b)
			whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom()))
			check("%", x.Rem(y), new(big.Rat).Sub(a, whole.Mul(whole, b)))
		}
		if want, _ := a.Float64(); x.Float() != want {
			t.Fatalf("%s is %v as a double, not %v", a, x.Float(), want)
		}
		floor := new(big.Int).Div(a.Num(), a.Denom())
		if rat(x.Floor()).Cmp(new(big.Rat).SetInt(floor)) != 0 {
			t.Fatalf("the floor of %s is %s", a, rat(x.Floor()))
		}
	}
}

func TestBytesSortAsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 50_000 {
		x, y := randomNumber(r), randomNumber(r)
		if r.IntN(4) == 0 {
			y = x.at(x.scale + r.IntN(5))
		}
		bx, by := x.AppendSortable(nil), y.AppendSortable(nil)
		if bytes.Compare(bx, by) != x.Cmp(y) {
			t.Fatalf("%s and %s are %x and %x", rat(x), rat(y), bx, by)
		}
		back, ok := Decode(bx)
		if !ok || back.Cmp(x) != 0 {
			t.Fatalf("%s comes back as %s from %x", rat(x), rat(back), bx)
		}
	}
}

func TestFits(t *testing.T) {
	most := mustParse(t, "99999999999999999999999999999999999999")
	if !most.Fits(0) || most.Fits(1) || most.Add(Int(1)).Fits(0) || !Int(5).Fits(30) {
		t.Error("38 digits are not the bound")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0xc1, 2})
	f.Add([]byte{0x3f, 0xfd, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, ok := Decode(b)
		if !ok {
			return
		}
		if back, again := Decode(n.AppendSortable(nil)); !again || back.Cmp(n) != 0 {
			t.Errorf("%x is read as %s", b, n.Append(nil, 2))
		}
	})
}
