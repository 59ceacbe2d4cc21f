package service

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/dialect"
	"parlance/models"
)

// oneStatus is a shop whose orders all have one status.
type oneStatus struct{}

func (oneStatus) Dialect() dialect.Dialect   { return dialect.DuckDB() }
func (oneStatus) Ping(context.Context) error { return nil }

func (oneStatus) Query(_ context.Context, sql string, _ []any, row func([]any) error) error {
	if !strings.Contains(sql, "order_status") {
		return nil // no key stands twice
	}
	return row([]any{"PAID"})
}

// BenchmarkGrants says what part of a kept answer the caller's grant takes, which is made for each request: for one whom
// no rule narrows, and for two whose rows and fields are narrowed by those of demo-secure.
func BenchmarkGrants(b *testing.B) {
	g, problems := catalog.Load(b.Context(), catalog.Options{Namespace: "default", FS: models.Secure(), Datasource: "shop"})
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	const name = "FactSalesQueryModel"
	m := g.ByName[name]
	m.Cache.TTL = time.Hour
	s := New(Deps{Catalog: shelf{"default": g}, Sources: map[string]Source{"shop": oneStatus{}}, DefaultNamespace: "default", Limits: limits, CacheBytes: 1 << 20})
	q := decode(b, `{"columns":["orderStatus"],"groupBy":["orderStatus"]}`)
	for _, id := range []access.Identity{
		{User: "chen", Roles: []string{"admin"}},
		{User: "wang", Roles: []string{"manager", "analyst"}, Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}}},
		{User: "li", Roles: []string{"viewer", "analyst"}},
	} {
		b.Run(id.User+"/grant", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				grant := access.For(id, m)
				if !grant.Model() || len(grant.Fields()) == 0 {
					b.Fatal("nothing is seen")
				}
			}
		})
		b.Run(id.User+"/answer", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, err := s.Query(b.Context(), Caller{Identity: id}, name, q, QueryOptions{})
				if err != nil || a.Total != 1 {
					b.Fatal(a, err)
				}
				a.Release()
			}
		})
	}
}
