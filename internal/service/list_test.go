package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

// catalogueOf makes models whose captions are the words given.
func catalogueOf(captions ...string) []*semantic.Model {
	models := make([]*semantic.Model, len(captions))
	for i, caption := range captions {
		models[i] = &semantic.Model{Name: fmt.Sprintf("M%d", i), Caption: caption}
		models[i].Index()
	}
	return models
}

func listed(t *testing.T, s *Service, o ListOptions) (*ModelList, []string) {
	t.Helper()
	list, err := s.ListModels(t.Context(), Caller{}, o)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, c := range list.Models {
		names = append(names, c.Name)
	}
	return list, names
}

// TestAThousandModelsAreListedInPages: the first answer is small, says that it is not all, and the pages put together are
// every model once.
func TestAThousandModelsAreListedInPages(t *testing.T) {
	captions := make([]string, 1000)
	for i := range captions {
		captions[i] = strings.Repeat("a caption ", 5)
	}
	s := newService(shelfOf(catalogueOf(captions...)...), &script{})
	first, _ := listed(t, s, ListOptions{})
	encoded, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Models) != 50 || *first.Total != 1000 || len(encoded) > 50*400 || !strings.Contains(first.Hint, "50 of 1000") {
		t.Errorf("%d models of %d in %d bytes, hint %q", len(first.Models), *first.Total, len(encoded), first.Hint)
	}
	seen, o := map[string]int{}, ListOptions{Limit: 90}
	for pages := 0; ; pages++ {
		list, names := listed(t, s, o)
		for _, n := range names {
			seen[n]++
		}
		if list.Next == nil {
			break
		}
		o.Start, o.Limit = list.Next.Start, list.Next.Limit
		if pages > 20 {
			t.Fatal("the pages do not end")
		}
	}
	if len(seen) != 1000 {
		t.Errorf("%d models in all pages", len(seen))
	}
	for name, times := range seen {
		if times != 1 {
			t.Errorf("%s stands %d times", name, times)
		}
	}
}

func TestAListingOfAllSaysNothingAboutItself(t *testing.T) {
	s := newService(shelfOf(catalogueOf("Sales", "Orders")...), &script{})
	list, _ := listed(t, s, ListOptions{})
	if list.Total != nil || list.Next != nil || list.Hint != "" || len(list.Models) != 2 {
		t.Errorf("got %+v", list)
	}
	past, names := listed(t, s, ListOptions{Start: 7})
	if len(names) != 0 || *past.Total != 2 || past.Next != nil || !strings.Contains(past.Hint, "behind") {
		t.Errorf("got %+v", past)
	}
}

func TestSearchPutsTheMostRelevantFirst(t *testing.T) {
	models := catalogueOf("Refunds", "Customers", "Returned goods", "Sales")
	models[0].Description = "Money that went back after a return."
	models[1].Attributes = []*semantic.Attribute{{Name: "city", Column: "c", Type: text, Caption: "City", Synonyms: []string{"城市"}}}
	models[2].Synonyms = []string{"returns"}
	models[3].Measures = []*semantic.Measure{{Name: "returnRate", Caption: "Return rate", Agg: semantic.Count}}
	models[3].Attributes = []*semantic.Attribute{{Name: "town", Column: "c", Type: text, Caption: "City of the store"}}
	for _, m := range models {
		m.Index()
	}
	s := newService(shelfOf(models...), &script{})
	for search, want := range map[string][]string{
		"returns":         {"M2", "M3", "M0"}, // a synonym, a field, the description
		"Return":          {"M2", "M3", "M0"},
		"returns by city": {"M3", "M2", "M1", "M0"}, // M3 has two of the words; by is in none
		"城市":              {"M1"},
		"m1":              {"M1"},
		"weather":         {},
		"?!":              {},
	} {
		list, names := listed(t, s, ListOptions{Search: search})
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%q: %s", search, diff)
		}
		if *list.Total != len(want) || (len(want) == 0) != (list.Hint != "") {
			t.Errorf("%q: total %d, hint %q", search, *list.Total, list.Hint)
		}
	}
}

// TestSearchDoesNotFindByWhatIsHidden: a search that only a hidden field would answer reads like one that nothing answers.
func TestSearchDoesNotFindByWhatIsHidden(t *testing.T) {
	hide := func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("buyers")}}}}
	}
	open, _ := listed(t, newService(shelfOf(salesModel(t)), talker(nil)), ListOptions{Search: "buyers"})
	closed, _ := listed(t, newService(shelfOf(under(t, hide)), talker(nil)), ListOptions{Search: "buyers"})
	if len(open.Models) != 1 || len(closed.Models) != 0 {
		t.Errorf("%d open, %d closed", len(open.Models), len(closed.Models))
	}
}
