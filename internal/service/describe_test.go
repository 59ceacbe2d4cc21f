package service

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/semantic"
)

// talker is a source that answers by what a statement mentions, so that a test need not know its text.
func talker(answers map[string][][]any) *script {
	return &script{dialect: dialect.DuckDB(), mentions: answers}
}

func describeSales(t *testing.T, s *Service) *Description {
	t.Helper()
	d, err := s.DescribeModel(t.Context(), Caller{}, "Sales")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDescribeModelNamesEveryField(t *testing.T) {
	m := salesModel(t)
	m.Examples = []semantic.Example{
		{Question: "Amount by brand", Payload: `{"columns":["product$brand","amount"],"groupBy":["product$brand"]}`},
		{Question: "Something that is gone", Payload: `{"columns":["gone"]}`},
		{Question: "Not even JSON", Payload: `{`},
	}
	source := talker(map[string][][]any{
		`MIN(`:         {{time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 0, 0, 0, 0, time.UTC)}},
		`"brand"`:      {{"Acme"}, {"Bolt"}, {nil}},
		`product_name`: rows(fewValues + 1),
	})
	got := describeSales(t, newService(shelfOf(m), source))
	want := &Description{
		Model: "Sales", Caption: "Sales", Description: "One row per sale.", Namespace: "default",
		Key: []string{"saleId"}, DefaultOrder: []string{"-soldOn", "saleId"},
		Fields: []FieldDescription{
			{Name: "saleId", Kind: "ATTRIBUTE", DataType: "integer", Caption: "Sale"},
			{Name: "status", Kind: "ATTRIBUTE", DataType: "string", Caption: "Status", Dictionary: "status"},
			{Name: "status$caption", Kind: "ATTRIBUTE", DataType: "string", Caption: "Status label", Dictionary: "status"},
			{Name: "soldOn", Kind: "ATTRIBUTE", DataType: "date", Caption: "Sold on"},
			{Name: "soldOn$year", Kind: "ATTRIBUTE", DataType: "integer", Caption: "Sold on year"},
			{Name: "soldOn$quarter", Kind: "ATTRIBUTE", DataType: "string", Caption: "Sold on quarter"},
			{Name: "soldOn$month", Kind: "ATTRIBUTE", DataType: "string", Caption: "Sold on month"},
			{Name: "soldOn$week", Kind: "ATTRIBUTE", DataType: "string", Caption: "Sold on week"},
			{Name: "soldOn$date", Kind: "ATTRIBUTE", DataType: "date", Caption: "Sold on date"},
			{Name: "product$id", Kind: "DIMENSION", DataType: "integer", Caption: "Product id"},
			{Name: "product$caption", Kind: "DIMENSION", DataType: "string", Caption: "Product"},
			{Name: "product$brand", Kind: "DIMENSION", DataType: "string", Caption: "Brand"},
			{Name: "product$hierarchy$id", Kind: "DIMENSION", DataType: "integer", Caption: "Product id (with all below)"},
			{Name: "product$hierarchy$caption", Kind: "DIMENSION", DataType: "string", Caption: "Product (with all below)"},
			{Name: "product$hierarchy$brand", Kind: "DIMENSION", DataType: "string", Caption: "Brand (with all below)"},
			{Name: "amount", Kind: "MEASURE", DataType: "money", Caption: "Amount", Aggregation: "sum", Additivity: "additive", Unit: "CNY"},
			{Name: "buyers", Kind: "MEASURE", DataType: "bigint", Caption: "Buyers", Aggregation: "count_distinct", Additivity: "non-additive"},
			{Name: "stock", Kind: "MEASURE", DataType: "bigint", Caption: "Stock", Aggregation: "sum", Additivity: "semi-additive (last over soldOn)"},
		},
		Dictionaries: map[string][]DictionaryEntry{"status": {
			{Code: "DONE", Label: "Done", Synonyms: []string{"finished"}}, {Code: "OPEN", Label: "Open"},
		}},
		Hierarchies:  []HierarchyDescription{{Dimension: "product", Field: "product$id"}},
		TimeRange:    &TimeRange{Field: "soldOn", From: "2022-01-01", To: "2024-12-31"},
		SampleValues: map[string][]string{"product$brand": {"Acme", "Bolt"}},
		Examples: []Example{
			{Question: "Amount by brand", Payload: Raw(`{"columns":["product$brand","amount"],"groupBy":["product$brand"]}`)},
			{Question: "Amount by status, the largest 5", Payload: Raw(`{"columns":["status","amount"],"groupBy":[{"field":"status"}],"orderBy":[{"field":"amount","order":"desc"}],"limit":5}`)},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func rows(n int) [][]any {
	all := make([][]any, n)
	for i := range all {
		all[i] = []any{strings.Repeat("x", i+1)}
	}
	return all
}

func TestDescribeModelDoesWithoutTheDataWhenItCannotBeRead(t *testing.T) {
	got := describeSales(t, newService(shelfOf(salesModel(t)), &script{dialect: dialect.DuckDB(), fail: errors.New("gone")}))
	if got.TimeRange != nil || len(got.SampleValues) != 0 || got.SampleValues == nil || len(got.Fields) != 18 {
		t.Errorf("got %+v", got)
	}
}

func TestKeyIsToldOnlyWhole(t *testing.T) {
	for _, c := range []struct{ key, want []string }{
		{[]string{"sale_id"}, []string{"saleId"}},
		{[]string{"product_id", "sold_on"}, []string{"product$id", "soldOn"}},
		{[]string{"sale_id", "secret"}, []string{}},
		{nil, []string{}},
	} {
		m := salesModel(t)
		m.Key = c.key
		if diff := cmp.Diff(c.want, describeSales(t, newService(shelfOf(m), talker(nil))).Key); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.key, diff)
		}
	}
}

func TestTimeRangeIsReadOnceForAGeneration(t *testing.T) {
	source := talker(map[string][][]any{
		`MIN(`: {{time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 12, 31, 0, 0, 0, 0, time.UTC)}},
	})
	models := shelfOf(salesModel(t))
	s := newService(models, source)
	want := &TimeRange{Field: "soldOn", From: "2022-01-01", To: "2024-12-31"}
	for range 3 {
		list, err := s.ListModels(t.Context(), Caller{}, ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, list.Models[0].TimeRange); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if n := len(source.asked); n != 1 {
		t.Errorf("asked %d times", n)
	}
	models["default"] = shelfOf(salesModel(t))["default"]
	if _, err := s.ListModels(t.Context(), Caller{}, ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := len(source.asked); n != 2 {
		t.Errorf("a new generation: asked %d times in all", n)
	}
}

func TestTimeRangeOfFactsIsWhatTheyCoverTogether(t *testing.T) {
	first, second := salesModel(t), salesModel(t)
	second.Name, second.Source.Table = "Returns", "returned"
	both := &semantic.Model{
		Name: "Both", Dimensions: []*semantic.Dimension{{Name: "day", Path: "day", Label: "d", LabelType: date, IDType: number}},
		Multi: &semantic.MultiFact{
			Facts: []*semantic.Model{first, second},
			Share: []semantic.Shared{{Name: "day", In: map[string]string{"Sales": "soldOn", "Returns": "soldOn"}}},
		},
	}
	both.Index()
	source := talker(map[string][][]any{
		`"sales"`:    {{time.Date(2022, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)}},
		`"returned"`: {{time.Date(2022, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)}},
	})
	list, err := newService(shelfOf(both, first, second), source).ListModels(t.Context(), Caller{}, ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := &TimeRange{Field: "day$caption", From: "2022-05-01", To: "2024-02-01"}
	if diff := cmp.Diff(want, list.Models[0].TimeRange); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLatestDayInTheDataIsToday(t *testing.T) {
	m := salesModel(t)
	m.Calendar.Today.Latest = true
	source := talker(map[string][][]any{
		`MIN(`:     {{time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2020, 3, 15, 0, 0, 0, 0, time.UTC)}},
		"COUNT(*)": {{int64(0)}},
	})
	s := newService(shelfOf(m), source)
	q := decode(t, `{"columns":["saleId"],"slice":[{"field":"soldOn","op":"=","value":"last month"}]}`)
	a, err := s.Query(t.Context(), Caller{}, "Sales", q, QueryOptions{Validate: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Applied.Ranges) != 1 || a.Applied.Ranges[0].From != "2020-02-01" || a.Applied.Ranges[0].To != "2020-03-01" {
		t.Errorf("got %+v", a.Applied.Ranges)
	}
}
