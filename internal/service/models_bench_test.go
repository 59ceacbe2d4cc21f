package service

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"parlance/internal/catalog"
)

// served is a service over so many models of a hundred fields each.
func served(t testing.TB, models int) *Service {
	t.Helper()
	files := fstest.MapFS{}
	for m := range models {
		var b strings.Builder
		fmt.Fprintf(&b, "model: Model%d\nsource: {table: t%d, key: [id]}\nattributes:\n", m, m)
		for i := range 70 {
			fmt.Fprintf(&b, "  - {name: a%d, column: a_%d, type: string}\n", i, i)
		}
		b.WriteString("measures:\n")
		for i := range 30 {
			fmt.Fprintf(&b, "  - {name: m%d, column: m_%d, type: money, agg: sum}\n", i, i)
		}
		files[fmt.Sprintf("m%04d.yaml", m)] = &fstest.MapFile{Data: []byte(b.String())}
	}
	c, err := catalog.New(catalog.Options{Namespace: "big", FS: files, Datasource: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if problems := c.Reload(t.Context(), "big"); len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return New(Deps{Catalog: c, Sources: map[string]Source{"shop": &changing{}}, DefaultNamespace: "big", Limits: limits})
}

const oneOfMany = `{"columns":["a7","m3"],"groupBy":["a7"],"slice":[{"field":"a1","op":"=","value":"x"}],"limit":10}`

// prepared does all of a query but to ask the database.
func prepared(t testing.TB, s *Service) {
	t.Helper()
	a, err := s.Query(t.Context(), Caller{}, "Model0", decode(t, oneOfMany), QueryOptions{Validate: true})
	if err != nil {
		t.Fatal(err)
	}
	a.Release()
}

// TestAQueryCostsTheSameAmongManyModels counts what a query allocates, with and without hundreds of models beside its own.
func TestAQueryCostsTheSameAmongManyModels(t *testing.T) {
	cost := func(models int) float64 {
		s := served(t, models)
		prepared(t, s)
		return testing.AllocsPerRun(200, func() { prepared(t, s) })
	}
	if alone, among := cost(1), cost(300); among > alone*1.2 { // the race detector empties pools at random
		t.Errorf("a query allocates %v times alone and %v times among 300 models", alone, among)
	}
}

func BenchmarkQueryAmongModels(b *testing.B) {
	for _, models := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(models), func(b *testing.B) {
			s := served(b, models)
			b.ReportAllocs()
			for b.Loop() {
				prepared(b, s)
			}
		})
	}
}
