package service

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// under gives the model of sales a policy.
func under(t *testing.T, policy func(*semantic.Model) *semantic.Policy) *semantic.Model {
	t.Helper()
	m := salesModel(t)
	m.Access = policy(m)
	return m
}

// TestDescriptionsFollowTheGrant: nothing of a description names, counts or shows what the caller does not see.
func TestDescriptionsFollowTheGrant(t *testing.T) {
	m := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{
			{Hide: []*semantic.Field{m.Field("soldOn"), m.Field("status"), m.Field("product$hierarchy$id")}, Keep: []*semantic.Field{m.Field("stock"), m.Field("product$id")}},
			{Mask: []semantic.MaskedField{{Field: m.Field("product$brand"), Mask: semantic.MaskFirst}}},
		}}
	})
	m.Examples = []semantic.Example{
		{Question: "by brand", Payload: `{"columns":["product$brand","amount"],"slice":[{"product$brand":"Acme"}]}`},
		{Question: "by status", Payload: `{"columns":["status","amount"]}`},
		{Question: "by product", Payload: `{"columns":["product$caption","amount"]}`},
	}
	source := talker(map[string][][]any{`MIN(`: {{time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 0, 0, 0, 0, time.UTC)}}, `"brand"`: {{"Acme"}}, `product_name`: {{"Cup"}}})
	s := newService(shelfOf(m), source)
	d := describeSales(t, s)
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"soldOn", "Sold on", "status", "Done", "OPEN", "Acme", "2022-01-01", "hierarchy$id"} {
		if strings.Contains(string(text), word) {
			t.Errorf("the description has %q: %s", word, text)
		}
	}
	var stock string
	for _, f := range d.Fields {
		if f.Name == "stock" {
			stock = f.Additivity
		}
	}
	got := []any{d.DefaultOrder, d.Key, d.Hierarchies, d.TimeRange == nil, d.SampleValues, len(d.Examples), stock}
	want := []any{[]string{"saleId"}, []string{"saleId"}, []HierarchyDescription{}, true, map[string][]string{"product$caption": {"Cup"}}, 2, "semi-additive (last)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	meta, err := s.Metadata(t.Context(), Caller{})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := json.Marshal(meta)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(listed), "soldOn") || strings.Contains(string(listed), "tatus") {
		t.Errorf("the metadata has hidden names: %s", listed)
	}
}

// TestConcealedModelIsNotThere: every answer is the one of a namespace that never had the model.
func TestConcealedModelIsNotThere(t *testing.T) {
	other := salesModel(t)
	other.Name = "Sale"
	hidden := under(t, func(*semantic.Model) *semantic.Policy {
		return &semantic.Policy{Roles: []string{"boss"}, Conceal: true}
	})
	source := talker(map[string][][]any{`MIN(`: {{nil, nil}}})
	answers := func(models shelf) string {
		s := newService(models, source)
		q := &query.Query{Columns: []query.Column{query.NewColumn(&query.Ref{Name: "amount"}, "")}}
		_, asked := s.Query(t.Context(), Caller{}, "Sales", q, QueryOptions{})
		_, described := s.DescribeModel(t.Context(), Caller{}, "Sales")
		_, summed := s.Summarize(t.Context(), Caller{}, Summary{Model: "Sales", Columns: q.Columns})
		_, missed := s.Query(t.Context(), Caller{}, "Salez", q, QueryOptions{})
		list, err := s.ListModels(t.Context(), Caller{}, ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		meta, err := s.Metadata(t.Context(), Caller{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal([]any{refusal(t, asked), refusal(t, described), refusal(t, summed), refusal(t, missed), list, meta})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if diff := cmp.Diff(answers(shelfOf(other)), answers(shelfOf(other, hidden))); diff != "" {
		t.Error(diff)
	}
	hidden.Access.Conceal = false
	s := newService(shelfOf(other, hidden), source)
	if _, err := s.DescribeModel(t.Context(), Caller{}, "Sales"); refusal(t, err).Reason != "forbidden_model" {
		t.Errorf("without conceal: %v", err)
	}
	if _, err := s.DescribeModel(t.Context(), Caller{Identity: access.Identity{Roles: []string{"boss"}}}, "Sales"); err != nil {
		t.Errorf("for the boss: %v", err)
	}
}

// TestSharedRangeKeepsToTheRows: a model of several facts tells no range of days that its own rule on rows cuts.
func TestSharedRangeKeepsToTheRows(t *testing.T) {
	fact := func(name string) *semantic.Model {
		m := salesModel(t)
		calendar := &semantic.Dimension{
			Name: "soldDay", Path: "soldDay", Date: true, Source: semantic.Source{Table: "cal"}, ID: "k", Label: "day", IDType: number, LabelType: date,
			Join: []semantic.JoinColumn{{From: "sold_key", To: "k"}},
		}
		f := &semantic.Model{
			Name: name, Datasource: m.Datasource, Source: m.Source, Key: m.Key, Time: "soldDay", Calendar: m.Calendar,
			Dimensions: []*semantic.Dimension{calendar}, Measures: []*semantic.Measure{m.Measures[0]},
		}
		if clash := f.Index(); clash != "" {
			t.Fatal(clash)
		}
		return f
	}
	a, b := fact("A"), fact("B")
	both := &semantic.Model{
		Name: "Both", Datasource: a.Datasource, Calendar: a.Calendar, Dimensions: a.Dimensions,
		Measures: []*semantic.Measure{{Name: "amountA", Type: money, Agg: semantic.Sum, Of: &semantic.MeasureOf{Fact: a, Measure: a.Measures[0]}}},
		Multi:    &semantic.MultiFact{Facts: []*semantic.Model{a, b}, Share: []semantic.Shared{{Name: "soldDay", In: map[string]string{"A": "soldDay", "B": "soldDay"}}}},
	}
	if clash := both.Index(); clash != "" {
		t.Fatal(clash)
	}
	source := talker(map[string][][]any{`MIN(`: {{time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 0, 0, 0, 0, time.UTC)}}})
	ranged := func() *TimeRange {
		list, err := newService(shelfOf(a, b, both), source).ListModels(t.Context(), Caller{}, ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return list.Models[2].TimeRange
	}
	if r := ranged(); r == nil || r.From != "2022-01-01" {
		t.Fatalf("without a rule: %v", r)
	}
	both.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{
		Field: both.Field("soldDay$caption"), Op: query.GreaterEqual, Values: query.List{{Kind: query.StringLiteral, Text: "2024"}},
	}}}}
	if r := ranged(); r != nil {
		t.Errorf("the range of rows that nobody of this model sees: %v", r)
	}
}
