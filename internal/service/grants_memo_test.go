package service

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// branded is a model whose rows are those of the caller's brands and whose status only clerks see.
func branded(t *testing.T) *semantic.Model {
	t.Helper()
	return under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{
			Rows:   []semantic.RowRule{{Keeps: semantic.RowCondition{Field: m.Field("product$brand"), Op: query.InList, Attribute: "brands"}}},
			Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("status")}, Unless: []semantic.Exemption{{Roles: []string{"clerk"}}, {Users: []string{"ann"}}}}},
		}
	})
}

// TestGrantsAreEachOnesOwn: what is kept of one is never another's, however alike they are.
func TestGrantsAreEachOnesOwn(t *testing.T) {
	m := branded(t)
	kept := &grants{}
	who := func(user string, roles []string, attributes map[string][]string) access.Identity {
		return access.Identity{User: user, Roles: roles, Attributes: attributes}
	}
	all := []access.Identity{
		{},
		who("ann", nil, nil),
		who("bob", []string{"clerk"}, nil),
		who("bob", []string{"clerk", "clerk"}, map[string][]string{"brands": {"Acme"}}),
		who("bob", nil, map[string][]string{"brands": {"Acme"}}),
		who("bob", nil, map[string][]string{"brands": {"Acme", "Zeta"}}),
		who("bob", nil, map[string][]string{"brands": {"AcmeZeta"}}),
		who("bob", nil, map[string][]string{"brands": {}, "Acme": {}}),
		who("bob", []string{"brands"}, map[string][]string{"clerk": {"Acme"}}),
		who("clerk", []string{"bob"}, nil),
	}
	for range 2 {
		for i, id := range all {
			got, want := kept.of(id, m), access.For(id, m)
			if got.grant.Key() != want.Key() || len(got.fields) != len(want.Fields()) {
				t.Errorf("identity %d sees what is another's", i)
			}
		}
	}
	// Two prints that are the same by chance decide nothing.
	id := all[4]
	kept.kept[grantKey{m, printOf(id)}] = granted{all[3], see(all[3], m)}
	if got := kept.of(id, m); got.grant.Key() != access.For(id, m).Key() {
		t.Error("a print alone gives a grant")
	}
}

func TestGrantsAreBounded(t *testing.T) {
	m := branded(t)
	kept := &grants{}
	for i := range 3 * grantsKept {
		kept.of(access.Identity{User: fmt.Sprint(i)}, m)
	}
	if n := len(kept.kept); n == 0 || n > grantsKept {
		t.Errorf("%d are kept", n)
	}
	kept = &grants{}
	kept.of(access.Identity{User: "bob", Attributes: map[string][]string{"brands": make([]string, grantValues)}}, m)
	if len(kept.kept) != 0 {
		t.Error("an identity of any size is kept")
	}
}

// TestANewPolicyBindsAtOnce: grants of a generation go with it, also for one who has just been granted more.
func TestANewPolicyBindsAtOnce(t *testing.T) {
	open, closed := salesModel(t), under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("status")}}}}
	})
	open.Access = &semantic.Policy{}
	r := reuse(t, open)
	closed.Cache = open.Cache
	generations := []*catalog.Generation{r.shelf["default"], shelfOf(closed)["default"]}
	generations[1].ID = "2"
	ann := Caller{Identity: access.Identity{User: "ann"}}
	for i := range 6 {
		r.shelf["default"] = generations[i%2]
		_, err := r.Query(t.Context(), ann, "Sales", decode(t, statuses), QueryOptions{})
		if hidden := err != nil && strings.Contains(err.Error(), "status"); hidden != (i%2 == 1) {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// TestGrantsAtOnce: many who ask at once each see their own.
func TestGrantsAtOnce(t *testing.T) {
	r := reuse(t, branded(t))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			id := access.Identity{User: fmt.Sprint("u", i%4), Attributes: map[string][]string{"brands": {fmt.Sprint(i % 2)}}}
			if i%4 < 2 {
				id.Roles = []string{"clerk"}
			}
			for range 50 {
				_, err := r.Query(t.Context(), Caller{Identity: id}, "Sales", decode(t, statuses), QueryOptions{})
				if (err == nil) != (i%4 < 2) {
					t.Errorf("caller %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
}
