package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

func TestNamespaceThatIsNotTheCallersReadsLikeAnUnknownOne(t *testing.T) {
	models := shelfOf(salesModel(t))
	models["secret"] = models["default"]
	s := newService(models, &script{})
	unknown := Caller{Namespace: "nowhere"}
	notBound := bound("default")
	notBound.Namespace = "secret"
	nothing := bound()
	nothing.Identity.Namespaces = []string{}
	for _, c := range []Caller{unknown, notBound, nothing} {
		for name, call := range map[string]func() error{
			"list":      func() error { _, err := s.ListModels(t.Context(), c, ListOptions{}); return err },
			"metadata":  func() error { _, err := s.Metadata(t.Context(), c); return err },
			"describe":  func() error { _, err := s.DescribeModel(t.Context(), c, "Sales"); return err },
			"query":     func() error { _, err := s.Query(t.Context(), c, "Sales", &query.Query{}, QueryOptions{}); return err },
			"summarize": func() error { _, err := s.Summarize(t.Context(), c, Summary{Model: "Sales"}); return err },
			"ask":       func() error { _, err := s.Ask(t.Context(), c, AskRequest{Text: "sales"}); return err },
		} {
			namespace := c.Namespace
			if namespace == "" {
				namespace = "default"
			}
			want := &fault.Error{
				Kind: fault.NotFound, Reason: "unknown_namespace", Got: namespace,
				Message: fmt.Sprintf("Namespace %q does not exist", namespace),
			}
			if diff := cmp.Diff(want, refusal(t, call())); diff != "" {
				t.Errorf("%s in %q (-want +got):\n%s", name, c.Namespace, diff)
			}
		}
	}
}

func TestUnknownModelNamesItAndTheClosest(t *testing.T) {
	s := newService(shelfOf(salesModel(t)), &script{})
	for name, call := range map[string]func(model string) error{
		"describe": func(m string) error { _, err := s.DescribeModel(t.Context(), Caller{}, m); return err },
		"query": func(m string) error {
			_, err := s.Query(t.Context(), Caller{}, m, &query.Query{}, QueryOptions{})
			return err
		},
		"summarize": func(m string) error { _, err := s.Summarize(t.Context(), Caller{}, Summary{Model: m}); return err },
	} {
		near, far := refusal(t, call("sale")), refusal(t, call("Weather"))
		if near.Kind != fault.NotFound || near.Reason != "unknown_model" || !strings.Contains(near.Message, `"sale"`) {
			t.Errorf("%s: got %v %s %q", name, near.Kind, near.Reason, near.Message)
		}
		if diff := cmp.Diff([]string{"Sales"}, near.Closest); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]string{"Sales"}, far.Allowed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestModelWithoutItsDatasourceIsOursToMend(t *testing.T) {
	m := salesModel(t)
	m.Datasource = "elsewhere"
	_, err := newService(shelfOf(m), &script{}).Query(t.Context(), Caller{}, "Sales", &query.Query{}, QueryOptions{})
	if f := refusal(t, err); f.Kind != fault.Internal || strings.Contains(f.Message, "elsewhere") {
		t.Errorf("got %v %q", f.Kind, f.Message)
	}
}

func TestListModelsKeepsCardsSmall(t *testing.T) {
	var models []*semantic.Model
	for i, description := range []string{"", "Short.", strings.Repeat("A long story. ", 200), strings.Repeat("一行一笔销售。", 200), strings.Repeat(`"<&>`, 300)} {
		m := &semantic.Model{Name: fmt.Sprintf("Model%d", i), Caption: strings.Repeat("caption ", 40), Description: description}
		m.Index()
		models = append(models, m)
	}
	list, err := newService(shelfOf(models...), &script{}).ListModels(t.Context(), Caller{}, ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Models) != len(models) || list.Namespace != "default" {
		t.Fatalf("got %d models of %q", len(list.Models), list.Namespace)
	}
	for i, c := range list.Models {
		encoded, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if len(encoded) >= 400 {
			t.Errorf("%s takes %d bytes", c.Name, len(encoded))
		}
		if full := models[i].Description; c.Description != full && !strings.HasSuffix(c.Description, "…") {
			t.Errorf("%s is cut without a mark: %q", c.Name, c.Description)
		}
	}
	if got := list.Models[1].Description; got != "Short." {
		t.Errorf("got %q", got)
	}
}

func TestListModelsCounts(t *testing.T) {
	m := salesModel(t)
	m.Time = ""
	list, err := newService(shelfOf(m), &script{}).ListModels(t.Context(), Caller{}, ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []ModelCard{{Name: "Sales", Caption: "Sales", Description: "One row per sale.", Measures: 3, Dimensions: 1}}
	if diff := cmp.Diff(want, list.Models); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMetadataIndexesEveryFieldOfEveryModel(t *testing.T) {
	other := &semantic.Model{
		Name: "Stock", Caption: "Stock", Description: "What lies in store.",
		Attributes: []*semantic.Attribute{{Name: "stock", Column: "s", Type: number, Caption: "In stock"}},
		Measures:   []*semantic.Measure{{Name: "amount", Column: "a", Type: money, Agg: semantic.Sum, Caption: "Amount"}},
	}
	other.Index()
	got, err := newService(shelfOf(salesModel(t), other), &script{}).Metadata(t.Context(), Caller{})
	if err != nil {
		t.Fatal(err)
	}
	wantModels := []ModelFields{
		{Name: "Sales", Caption: "Sales", Description: "One row per sale.", Fields: []string{
			"saleId", "status", "status$caption", "soldOn", "soldOn$year", "soldOn$quarter", "soldOn$month", "soldOn$week",
			"soldOn$date", "product$id", "product$caption", "product$brand", "product$hierarchy$id",
			"product$hierarchy$caption", "product$hierarchy$brand", "amount", "buyers", "stock",
		}},
		{Name: "Stock", Caption: "Stock", Description: "What lies in store.", Fields: []string{"stock", "amount"}},
	}
	if diff := cmp.Diff(wantModels, got.Models); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	wantCards := map[string]FieldCard{
		"amount": {Kind: "MEASURE", DataType: "money", Caption: "Amount", Models: []string{"Sales", "Stock"}},
		"stock": {Kind: "MEASURE", DataType: "bigint", Caption: "Stock", Models: []string{"Sales"}, Also: []FieldCard{
			{Kind: "ATTRIBUTE", DataType: "integer", Caption: "In stock", Models: []string{"Stock"}},
		}},
		"product$brand": {Kind: "DIMENSION", DataType: "string", Caption: "Brand", Models: []string{"Sales"}},
	}
	for name, want := range wantCards {
		if diff := cmp.Diff(want, got.FieldIndex[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if len(got.FieldIndex) != len(wantModels[0].Fields) {
		t.Errorf("got %d names", len(got.FieldIndex))
	}
	wantDictionaries := map[string][]DictionaryEntry{"status": {
		{Code: "DONE", Label: "Done", Synonyms: []string{"finished"}}, {Code: "OPEN", Label: "Open"},
	}}
	if diff := cmp.Diff(wantDictionaries, got.Dictionaries); diff != "" {
		t.Errorf("dictionaries (-want +got):\n%s", diff)
	}
}

func TestReady(t *testing.T) {
	s := newService(shelfOf(salesModel(t)), &script{})
	s.Checks = []Check{{Name: "demo", Run: func(context.Context) error { return nil }}}
	want := []Readiness{
		{Name: "namespace default", OK: true, Detail: "1 model"}, {Name: "demo", OK: true}, {Name: "datasource shop", OK: true},
	}
	if diff := cmp.Diff(want, s.Ready(t.Context())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s = newService(shelf{}, &script{fail: errors.New("dial tcp 10.0.0.1: refused")})
	s.Checks = []Check{{Name: "broken", Run: func(context.Context) error { panic("no") }}}
	want = []Readiness{
		{Name: "namespace default", Detail: "no models are loaded"}, {Name: "broken", Detail: "Internal error"},
		{Name: "datasource shop", Detail: "Internal error"},
	}
	if diff := cmp.Diff(want, s.Ready(t.Context())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
