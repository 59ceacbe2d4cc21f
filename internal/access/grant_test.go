package access_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

func model(t *testing.T) *semantic.Model {
	t.Helper()
	m := &semantic.Model{
		Name:       "Sales",
		Attributes: []*semantic.Attribute{{Name: "status", Column: "status", Type: value.Type{Kind: value.String}}},
		Measures:   []*semantic.Measure{{Name: "amount", Column: "amount", Agg: semantic.Sum, Type: value.Type{Kind: value.Decimal, Scale: 2}}},
	}
	if clash := m.Index(); clash != "" {
		t.Fatal(clash)
	}
	return m
}

// TestZeroGrantSeesNothing: what nobody granted is closed.
func TestZeroGrantSeesNothing(t *testing.T) {
	var g access.Grant
	f := model(t).Field("status")
	if g.Model() || g.Field(f) != access.Hidden || len(g.Fields()) != 0 || len(g.Names()) != 0 {
		t.Errorf("model %v, field %v, fields %v, names %v", g.Model(), g.Field(f), g.Fields(), g.Names())
	}
}

// TestOpenModel: a model without policies is open to whoever reaches it.
func TestOpenModel(t *testing.T) {
	m := model(t)
	g := access.For(access.Identity{}, m)
	if !g.Model() {
		t.Error("the model is closed")
	}
	if diff := cmp.Diff([]string{"status", "amount"}, g.Names()); diff != "" {
		t.Error(diff)
	}
	if got := g.Field(m.Field("amount")); got != access.Visible {
		t.Errorf("amount is met with %v", got)
	}
	if got := g.Field(nil); got != access.Hidden {
		t.Errorf("a field that the model does not have is met with %v", got)
	}
}
