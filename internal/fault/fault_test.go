package fault

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestClosest(t *testing.T) {
	allowed := []string{"salesAmount", "costAmount", "orderStatus", "customer$caption"}
	for got, want := range map[string][]string{
		"salesAmont":       {"salesAmount"},
		"sales_amount":     {"salesAmount"},
		"orderSatus":       {"orderStatus"},
		"customer$Caption": {"customer$caption"},
		"zzz":              {},
		"":                 nil,
	} {
		if diff := cmp.Diff(want, Closest(got, allowed)); diff != "" {
			t.Errorf("Closest(%q): %s", got, diff)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	for path, want := range map[string]string{"": "param", "slice[0]": "param.slice[0]", "[1]": "param[1]"} {
		if got := As(Under("param", Invalidf("x", path, "m"))).Path; got != want {
			t.Errorf("Under(param, %q) = %q, want %q", path, got, want)
		}
	}
}
