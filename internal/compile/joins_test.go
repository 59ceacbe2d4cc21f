package compile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

func joinTo(src semantic.Source, pairs ...string) plan.Join {
	j := plan.Join{To: plan.Table{Source: src}}
	for i := 0; i+1 < len(pairs); i += 2 {
		j.On = append(j.On, plan.Pair{Left: resolve.Column{Name: pairs[i]}, Right: resolve.Column{Name: pairs[i+1]}})
	}
	return j
}

func TestJoinsNameEveryTableThatAnyStageJoins(t *testing.T) {
	day, group, store := semantic.Source{Table: "day"}, semantic.Source{Table: "product_group"}, semantic.Source{Table: "store"}
	closure := semantic.Source{Table: "store_tree"}
	ordered := &semantic.Dimension{Path: "ordered", Source: day, Join: []semantic.JoinColumn{{From: "ordered_on", To: "day"}}}
	shipped := &semantic.Dimension{Path: "shipped", Source: day, Join: []semantic.JoinColumn{{From: "shipped_on", To: "day"}}}
	nested := &semantic.Dimension{Path: "product.group", Source: group, Join: []semantic.JoinColumn{{From: "g", To: "g"}, {From: "h", To: "h"}}}
	product := &semantic.Dimension{Path: "product", Source: semantic.Source{Table: "product"}, Dimensions: []*semantic.Dimension{nested}}
	shop := &semantic.Dimension{
		Path: "shop", ID: "id", Source: store,
		Hierarchy: &semantic.Hierarchy{Closure: closure, Ancestor: "a", Descendant: "d"},
	}
	built := &semantic.Dimension{Path: "built", ID: "id", Source: store, Hierarchy: &semantic.Hierarchy{Parent: "p"}}
	m := &semantic.Model{Dimensions: []*semantic.Dimension{ordered, shipped, product, shop, built}}
	inner := &plan.Select{From: plan.Table{}, Joins: []plan.Join{joinTo(day, "shipped_on", "day")}}
	survivors := &plan.Select{From: plan.Table{}, Joins: []plan.Join{joinTo(group, "g", "g", "h", "h"), joinTo(day, "ordered_on", "day")}}

	got := joins(m, &plan.Plan{
		Page:   &plan.Select{From: plan.Derived{Select: inner}, Joins: []plan.Join{{To: plan.Derived{Select: survivors}, Required: true}}},
		Count:  &plan.Select{From: plan.Union{Selects: []*plan.Select{inner, {From: plan.Table{}, Joins: []plan.Join{{To: plan.Tree{Dimension: shop}}}}}}},
		Totals: &plan.Select{From: plan.Table{}, Joins: []plan.Join{{To: plan.Tree{Dimension: built}}, joinTo(semantic.Source{Table: "elsewhere"}, "a", "b")}},
	})
	var paths []string
	for _, j := range got {
		paths = append(paths, j.Dimension.Path+" "+j.Source.Table+" "+strings.Join(j.Key, ","))
	}
	want := []string{"shipped day day", "product.group product_group g,h", "shop store_tree a,d", "built store id"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Error(diff)
	}
	if got := joins(m, &plan.Plan{Page: &plan.Select{From: plan.Table{}}, Count: &plan.Select{From: plan.Table{}}}); got != nil {
		t.Errorf("nothing is joined, got %v", got)
	}
}

func TestJoinsOfSeveralFactsAreTheFactsOwn(t *testing.T) {
	src := semantic.Source{Table: "day"}
	own := &semantic.Dimension{Path: "paidOn", Source: src, Join: []semantic.JoinColumn{{From: "paid_on", To: "day"}}}
	fact := &semantic.Model{Dimensions: []*semantic.Dimension{own}}
	m := &semantic.Model{
		Dimensions: []*semantic.Dimension{{Path: "date", Source: src}},
		Multi:      &semantic.MultiFact{Facts: []*semantic.Model{{}, fact}},
	}
	got := joins(m, &plan.Plan{Page: &plan.Select{From: plan.Table{}, Joins: []plan.Join{joinTo(src, "paid_on", "day")}}})
	if len(got) != 1 || got[0].Dimension != own {
		t.Errorf("got %v", got)
	}
}
