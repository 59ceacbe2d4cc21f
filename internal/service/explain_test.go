package service

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// frank is a source that tells how it would run a statement.
type frank struct{ *script }

func (frank) Plan(context.Context, string, []any) (string, error) {
	return "scan sales where x = 'secret'", nil
}

// TestPlansAreForWhoSeesAll: a plan may hold values and sizes that a policy keeps back.
func TestPlansAreForWhoSeesAll(t *testing.T) {
	narrowed := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("buyers")}}}}
	})
	for plan, m := range map[string]*semantic.Model{"scan sales where x = 'secret'": salesModel(t), "": narrowed} {
		source := frank{&script{dialect: dialect.DuckDB(), mentions: map[string][][]any{"COUNT(*)": {{int64(1)}}}}}
		s := newService(shelfOf(m), source)
		e, err := s.Explain(t.Context(), Caller{}, "Sales", decode(t, `{"columns":["saleId"]}`), ExplainOptions{Statements: true, Run: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Statements) != 2 || e.Statements[0].Plan != plan || e.Statements[0].Rows == nil || e.Statements[0].Millis == nil {
			t.Errorf("got %+v, want plan %q", e.Statements, plan)
		}
	}
}

func TestAnExplanationAloneRunsNothing(t *testing.T) {
	m := salesModel(t)
	m.Time = ""
	source := &script{dialect: dialect.DuckDB()}
	e, err := newService(shelfOf(m), source).Explain(t.Context(), Caller{}, "Sales", decode(t, `{"columns":["saleId"]}`), ExplainOptions{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(source.asked) != 0 || e.Statements != nil || e.Freshness != nil {
		t.Errorf("asked %v: %+v", source.asked, e)
	}
}

func TestMeanings(t *testing.T) {
	m := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Mask: []semantic.MaskedField{{Field: m.Field("product$brand"), Mask: semantic.MaskFirst}}}}}
	})
	m.Measures[1].Description = "Who bought at all."
	s := newService(shelfOf(m), talker(nil))
	for column, want := range map[string]string{
		"product$caption":              "Product",
		"product$brand":                "Brand (masked)",
		"amount":                       "sum of Amount",
		"max(amount) as most":          "greatest Amount",
		"count(*) as n":                "number of rows",
		"sum(amount * 2) as twice":     "sum(amount * 2)",
		"share":                        "sum(amount) / count(*)",
		"count_distinct(status) as st": "number of different Status",
	} {
		text := `{"columns":["` + column + `"],"groupBy":["product$caption"],"calculatedFields":[{"name":"share","expression":"sum(amount)/count(*)"}]}`
		e, err := s.Explain(t.Context(), Caller{}, "Sales", decode(t, text), ExplainOptions{})
		if err != nil {
			t.Fatalf("%s: %v", column, err)
		}
		if got := e.Columns[0].Meaning; got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
}

func TestColumnsThatAClauseAddsHaveTheirCaption(t *testing.T) {
	q := decode(t, `{"columns":["amount"],"timeWindow":{"field":"soldOn","grain":"month","comparison":"yoy","range":"2024"}}`)
	e, err := newService(shelfOf(salesModel(t)), talker(nil)).Explain(t.Context(), Caller{}, "Sales", q, ExplainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range e.Columns {
		if c.Name != "amount" && c.Meaning != c.Caption {
			t.Errorf("%+v", c)
		}
	}
	if len(e.Columns) != 5 {
		t.Errorf("%d columns", len(e.Columns))
	}
}

func TestExplainRefusesWhatQueryRefuses(t *testing.T) {
	s := newService(shelfOf(salesModel(t)), talker(nil))
	for _, q := range []*query.Query{decode(t, `{"columns":["nope"]}`), decode(t, `{"columns":["saleId"],"limit":1001}`), decode(t, `{"slice":[{"saleId":"x"}]}`)} {
		_, asked := s.Query(t.Context(), Caller{}, "Sales", q, QueryOptions{})
		_, explained := s.Explain(t.Context(), Caller{}, "Sales", q, ExplainOptions{})
		if diff := cmp.Diff(refusal(t, asked), refusal(t, explained)); diff != "" {
			t.Error(diff)
		}
	}
}
