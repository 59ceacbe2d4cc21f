package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

func valuesJSON(t *testing.T, s *Service, r ValuesRequest) string {
	t.Helper()
	r.Model = "Sales"
	v, err := s.FieldValues(t.Context(), Caller{}, r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFieldValuesHaveLabelsAndCounts(t *testing.T) {
	source := talker(map[string][][]any{`GROUP BY`: {{"DONE", int64(7)}, {nil, int64(2)}, {"LOST", int64(1)}}})
	got := valuesJSON(t, newService(shelfOf(salesModel(t)), source), ValuesRequest{Field: "status"})
	want := `{"model":"Sales","field":"status","caption":"Status","dataType":"string",` +
		`"values":[{"value":"DONE","label":"Done","count":7},{"value":null,"count":2},{"value":"LOST","count":1}],"total":3}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestFieldValuesOutliveTheirBuffer: what is returned is not the memory that the next answer is written into.
func TestFieldValuesOutliveTheirBuffer(t *testing.T) {
	source := talker(map[string][][]any{`GROUP BY`: {{"DONE", int64(7)}}})
	s := newService(shelfOf(salesModel(t)), source)
	v, err := s.FieldValues(t.Context(), Caller{}, ValuesRequest{Model: "Sales", Field: "status"})
	if err != nil {
		t.Fatal(err)
	}
	source.mentions = map[string][][]any{`GROUP BY`: {{"XXXX", int64(9)}}}
	for range 20 {
		valuesJSON(t, s, ValuesRequest{Field: "status"})
	}
	if got := string(v.Values[0].Value); got != `"DONE"` {
		t.Errorf("got %s", got)
	}
}

func TestFieldValuesOfAModelThatHasTheirName(t *testing.T) {
	m := salesModel(t)
	m.Measures = append(m.Measures, &semantic.Measure{Name: "rowCount", Agg: semantic.Count})
	again := *m
	again.Index()
	source := talker(map[string][][]any{`GROUP BY`: {{"DONE", int64(7)}}})
	if got := valuesJSON(t, newService(shelfOf(&again), source), ValuesRequest{Field: "status"}); !strings.Contains(got, `"count":7`) {
		t.Errorf("got %s", got)
	}
}

func TestFieldValuesAreRefused(t *testing.T) {
	closed := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("status"), m.Field("amount")}}}}
	})
	for name, c := range map[string]struct {
		request      ValuesRequest
		reason, path string
	}{
		"unknown":                {ValuesRequest{Field: "sttus"}, "unknown_field", "field"},
		"hidden":                 {ValuesRequest{Field: "status"}, "forbidden_field", "field"},
		"hidden measure":         {ValuesRequest{Field: "amount"}, "forbidden_field", "field"},
		"measure":                {ValuesRequest{Field: "buyers"}, "not_an_attribute", "field"},
		"search in numbers":      {ValuesRequest{Field: "saleId", Search: "1"}, "not_searchable", "search"},
		"a null byte":            {ValuesRequest{Field: "product$brand", Search: "a\x00b"}, "bad_value", "search"},
		"an unknown model":       {ValuesRequest{Model: "Nope", Field: "status"}, "unknown_model", ""},
		"search in dates' parts": {ValuesRequest{Field: "soldOn", Search: "2024"}, "not_searchable", "search"},
	} {
		if c.request.Model == "" {
			c.request.Model = "Sales"
		}
		source := talker(nil)
		_, err := newService(shelfOf(closed), source).FieldValues(t.Context(), Caller{}, c.request)
		if f := refusal(t, err); f.Reason != c.reason || !strings.HasPrefix(f.Path, c.path) {
			t.Errorf("%s: %s at %q", name, f.Reason, f.Path)
		}
		if len(source.asked) > 0 {
			t.Errorf("%s: asked %v", name, source.asked)
		}
	}
}
