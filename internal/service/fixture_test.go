package service

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	text   = value.Type{Kind: value.String}
	number = value.Type{Kind: value.Integer}
	money  = value.Type{Kind: value.Decimal, Scale: 2, Style: value.Money}
	date   = value.Type{Kind: value.Date}
)

// salesModel is a small star: sales of products on days.
func salesModel(t testing.TB) *semantic.Model {
	t.Helper()
	status := &semantic.Dictionary{Name: "status", Entries: []semantic.Entry{
		{Code: "DONE", Label: "Done", Synonyms: []string{"finished"}}, {Code: "OPEN", Label: "Open"},
	}}
	m := &semantic.Model{
		Name: "Sales", Caption: "Sales", Description: "One row per sale.", Datasource: "shop",
		Source: semantic.Source{Table: "sales"}, Key: []string{"sale_id"}, Time: "soldOn",
		Calendar:     semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January},
		DefaultOrder: []query.Order{{Expr: &query.Ref{Name: "soldOn"}, Desc: true}, {Expr: &query.Ref{Name: "saleId"}}},
		Attributes: []*semantic.Attribute{
			{Name: "saleId", Column: "sale_id", Type: number, Caption: "Sale"},
			{Name: "status", Column: "status", Type: text, Caption: "Status", Dictionary: status},
			{Name: "soldOn", Column: "sold_on", Type: date, Caption: "Sold on"},
		},
		Dimensions: []*semantic.Dimension{{
			Name: "product", Path: "product", Caption: "Product", Source: semantic.Source{Table: "product"},
			Join: []semantic.JoinColumn{{From: "product_id", To: "product_id"}},
			ID:   "product_id", Label: "product_name", IDType: number, LabelType: text,
			Attributes: []*semantic.Attribute{{Name: "brand", Column: "brand", Type: text, Caption: "Brand"}},
			Hierarchy:  &semantic.Hierarchy{Closure: semantic.Source{Table: "tree"}, Ancestor: "a", Descendant: "d"},
		}},
		Measures: []*semantic.Measure{
			{Name: "amount", Column: "amount", Type: money, Agg: semantic.Sum, Caption: "Amount", Unit: "CNY"},
			{Name: "buyers", Column: "buyer_id", Type: number, Agg: semantic.CountDistinct, Caption: "Buyers"},
			{
				Name: "stock", Column: "stock", Type: number, Agg: semantic.Sum, Caption: "Stock",
				SemiAdd: &semantic.SemiAdditive{Over: "soldOn", Use: semantic.UseLast},
			},
		},
	}
	if clash := m.Index(); clash != "" {
		t.Fatalf("two fields are called %q", clash)
	}
	return m
}

// shelf is a catalogue with one namespace of the models.
type shelf map[string]*catalog.Generation

func (s shelf) Namespace(name string) (*catalog.Generation, bool) {
	g, ok := s[name]
	return g, ok
}

func shelfOf(models ...*semantic.Model) shelf {
	g := &catalog.Generation{Namespace: "default", ID: "1", Models: models, ByName: map[string]*semantic.Model{}}
	for _, m := range models {
		g.ByName[m.Name] = m
	}
	return shelf{"default": g}
}

// script is a source that answers known statements with fixed rows and remembers what was asked.
type script struct {
	dialect  dialect.Dialect
	rows     map[string][][]any // by the text of the statement
	mentions map[string][][]any // by a part of the text, where rows has none; the longest part counts
	fail     error
	panics   bool

	mu    sync.Mutex
	asked []string
}

func (s *script) Query(_ context.Context, sql string, _ []any, row func([]any) error) error {
	s.mu.Lock()
	s.asked = append(s.asked, sql)
	s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	if s.panics {
		panic("the driver has burst")
	}
	for _, cells := range s.answer(sql) {
		if err := row(cells); err != nil {
			return err
		}
	}
	return nil
}

func (s *script) answer(sql string) [][]any {
	if rows, ok := s.rows[sql]; ok {
		return rows
	}
	part := ""
	for p := range s.mentions {
		if strings.Contains(sql, p) && len(p) > len(part) {
			part = p
		}
	}
	return s.mentions[part]
}

func (s *script) Dialect() dialect.Dialect { return s.dialect }

func (s *script) Ping(context.Context) error { return s.fail }

func (s *script) count(sql string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, a := range s.asked {
		if a == sql {
			n++
		}
	}
	return n
}

var limits = compile.Limits{DefaultRows: 10, MaxRows: 1000}

func newService(models shelf, source Source) *Service {
	return New(Deps{
		Catalog: models, Sources: map[string]Source{"shop": source}, DefaultNamespace: "default",
		Namespaces: []string{"default"}, Limits: limits,
		Now: func() time.Time { return time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC) },
	})
}

// refusal returns the fault that err must be.
func refusal(t *testing.T, err error) *fault.Error {
	t.Helper()
	if err == nil {
		t.Fatal("got no error")
	}
	return fault.As(err)
}

func bound(namespaces ...string) Caller {
	return Caller{Identity: access.Identity{Namespaces: namespaces}}
}
