package questions

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/demo"
	"parlance/internal/fault"
	"parlance/internal/question"
	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/models"
)

var tables = sync.OnceValue(func() map[string]demo.Table {
	byName := map[string]demo.Table{}
	for _, t := range demo.Tables() {
		byName[t.Name] = t
	}
	return byName
})

// schema is the demo's tables as the catalogue sees a live database.
type schema struct{}

func (schema) Columns(_ context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	t, ok := tables()[src.Table]
	if !ok {
		return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_table", Message: "There is no table " + src.Table + "."}
	}
	types := map[string]value.Type{}
	for _, c := range t.Columns {
		types[c.Name] = c.Type
	}
	return types, nil
}

// distinct are the values of a column of the demo, at most 500 and otherwise none, as the service reads them.
var distinct = sync.OnceValue(func() map[string][]string {
	values := map[string][]string{}
	for name, t := range tables() {
		for i, c := range t.Columns {
			if c.Type.Kind != value.String || len(name) > 4 && name[:4] == "fact" {
				continue
			}
			seen := map[string]bool{}
			for row := range t.Rows {
				if row[i] != nil {
					seen[fmt.Sprint(row[i])] = true
				}
			}
			for v := range seen {
				if len(seen) <= 500 {
					values[name+"."+c.Name] = append(values[name+"."+c.Name], v)
				}
			}
		}
	}
	return values
})

// shop are the models of the demo with their words, read without a server.
var shop = sync.OnceValues(func() ([]question.Asked, error) {
	g, problems := catalog.Load(context.Background(), catalog.Options{Namespace: "default", FS: models.Default(), Datasource: "demo", Schema: schema{}})
	if len(problems) > 0 {
		return nil, fmt.Errorf("%v", problems)
	}
	var list []question.Asked
	for _, m := range g.Models {
		values := map[string][]string{}
		for _, f := range m.Fields() {
			table := m.Source.Table
			if f.Dimension != nil {
				table = f.Dimension.Source.Table
			}
			if f.Dictionary == nil && (f.Role == semantic.Plain || f.Role == semantic.Label) && !f.Tree && f.Column != "" {
				values[f.Name] = distinct()[table+"."+f.Column]
			}
		}
		v := question.Index(m, access.For(access.Identity{}, m), values)
		list = append(list, question.Asked{Vocabulary: v, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	}
	return list, nil
})

func demoModels(t testing.TB) []question.Asked {
	t.Helper()
	list, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	return list
}
