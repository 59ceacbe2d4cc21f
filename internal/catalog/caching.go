package catalog

import (
	"strings"
	"time"

	"parlance/internal/semantic"
)

// refreshEvery is how often a refresh_sql is asked at most, unless the model says otherwise.
const refreshEvery = 10 * time.Second

type rawCache struct {
	placed
	ttl, refreshSQL, refreshEvery text
}

func (c *rawCache) shape() shape {
	return shape{what: "a cache", keys: []key{
		{"ttl", &c.ttl, false},
		{"refresh_sql", &c.refreshSQL, false},
		{"refresh_every", &c.refreshEvery, false},
	}}
}

// caching returns how long answers about the model may be used again: what it says itself, else what the namespace says.
func (b *builder) caching(base semantic.Caching) semantic.Caching {
	raw := b.raw.cache.value
	if raw == nil {
		return base
	}
	c := semantic.Caching{TTL: base.TTL}
	if raw.ttl.set() {
		c.TTL = b.duration(raw.ttl, 0)
	}
	if c.TTL == 0 && raw.refreshSQL.set() {
		b.r.add(raw.refreshSQL.at, `"refresh_sql" needs a "ttl" of the model or of its namespace`)
	}
	every := refreshEvery
	if raw.refreshEvery.set() {
		every = b.duration(raw.refreshEvery, 1)
		if !raw.refreshSQL.set() {
			b.r.add(raw.refreshEvery.at, `"refresh_every" goes with "refresh_sql"`)
		}
	}
	if sql := strings.TrimSpace(raw.refreshSQL.value); raw.refreshSQL.set() {
		if sql == "" || strings.HasSuffix(sql, ";") {
			b.r.add(raw.refreshSQL.at, "refresh_sql must be one statement without a semicolon, such as select max(updated_at) from orders")
		}
		c.Refresh = []semantic.Refresh{{SQL: sql, Every: every}}
	}
	return c
}

func (b *builder) duration(t text, least time.Duration) time.Duration {
	d, err := time.ParseDuration(t.value)
	if err != nil || d < least {
		b.r.add(t.at, "%q is not a duration such as 30s, 1m30s or 500ms", t.value)
		return 0
	}
	return d
}

// factsCaching is the strictest of the facts': one that is never kept keeps the model from it.
func factsCaching(facts []*semantic.Model) semantic.Caching {
	var all semantic.Caching
	for i, f := range facts {
		if i == 0 {
			all = f.Cache
			continue
		}
		all = all.Strictest(f.Cache)
	}
	if all.TTL == 0 {
		return semantic.Caching{}
	}
	return all
}
