package compile

import (
	"container/list"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Cache keeps compiled queries by all that decides their statements: the model and so its generation, the grant, the
// database, the limits, the day, and the query without its plain values, which are bound anew. An answer of it equals
// what Query and Summarize make of the same request; it is shared and must not be changed. What is refused is not kept.
//
// It is safe for concurrent use. Once full it forgets what was not asked for longest.
type Cache struct {
	size         int
	hits, misses atomic.Int64

	mu     sync.Mutex
	byKey  map[planKey]*list.Element // of *known
	recent *list.List                // the last one asked for first
}

// NewCache returns a cache of at most size plans, each of 64 KB of statements at most.
func NewCache(size int) *Cache {
	return &Cache{size: size, byKey: map[planKey]*list.Element{}, recent: list.New()}
}

// planKey is all that decides a statement but the values of its shape.
type planKey struct {
	model   *semantic.Model
	dialect dialect.Dialect
	grant   string
	limits  Limits
	day     time.Time
	summary bool
	open    bool // the shape leaves values out
	shape   string
}

// known is what is remembered of a shape. It is never changed once it is in the cache.
type known struct {
	key      planKey
	template *template // nil: it was met once
	fixed    bool      // its statements depend on the values: it is kept value by value
}

var shapes = sync.Pool{New: func() any { return new(shape) }}

// Query is the function Query over the cache.
func (c *Cache) Query(req Request) (*Compiled, error) { return c.compiled(req, false, Query) }

// Summarize is the function Summarize over the cache.
func (c *Cache) Summarize(req Request) (*Compiled, error) { return c.compiled(req, true, Summarize) }

func (c *Cache) compiled(req Request, summary bool, compile func(Request) (*Compiled, error)) (*Compiled, error) {
	if len(req.Rollups) > 0 { // whether one answers depends on values, and on its age
		return compile(req)
	}
	s, _ := shapes.Get().(*shape)
	defer shapes.Put(s)
	s.write(req.Query, true)
	if len(s.bytes) > maxShape {
		return compile(req)
	}
	key := planKey{
		model: req.Model, dialect: req.Dialect, grant: req.Grant.Key(), limits: req.Limits,
		day: resolve.Day(req.Now, req.Model.Calendar), summary: summary, open: s.open,
	}
	before := c.find(key, s.bytes)
	if before != nil && before.fixed {
		s.write(req.Query, false)
		key.open = false
		before = c.find(key, s.bytes)
	}
	if before != nil && before.template != nil {
		c.hits.Add(1)
		return before.template.fill(s.values), nil
	}
	c.misses.Add(1)
	fresh, err := compile(req)
	if err != nil {
		return nil, err
	}
	if fresh.bytes() > maxKept {
		return fresh, nil
	}
	fresh.digest = fresh.Digest()
	key.shape = string(s.bytes)
	c.keep(c.learn(req, compile, fresh, s.values, before, key))
	return fresh, nil
}

// maxKept is the bytes of a plan's statements beyond which it is not kept.
const maxKept = 64 << 10

// bytes is the length of the statements.
func (c *Compiled) bytes() int {
	n := 0
	for _, st := range statementsOf(c) {
		n += len(st.SQL)
	}
	return n
}

// learn returns what is known of a shape after one more compilation. A shape that leaves values out gets its template
// when it is met again: most that are met once are met never more.
func (c *Cache) learn(req Request, compile func(Request) (*Compiled, error), fresh *Compiled, values []query.Scalar, before *known, key planKey) *known {
	if len(values) == 0 {
		return &known{key: key, template: &template{compiled: fresh}}
	}
	if before == nil {
		return &known{key: key}
	}
	t := newTemplate(func(q *query.Query) (*Compiled, error) {
		other := req
		other.Query = q
		return compile(other)
	}, req.Query, values)
	if t != nil {
		t.compiled.digest = fresh.digest
	}
	if t == nil || !reflect.DeepEqual(t.fill(values), fresh) {
		return &known{key: key, fixed: true}
	}
	return &known{key: key, template: t}
}

func (c *Cache) find(key planKey, shape []byte) *known {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[planKey{
		model: key.model, dialect: key.dialect, grant: key.grant, limits: key.limits, day: key.day, summary: key.summary, open: key.open,
		shape: string(shape), // which in this place makes no copy
	}]
	if !ok {
		return nil
	}
	c.recent.MoveToFront(e)
	k, _ := e.Value.(*known)
	return k
}

func (c *Cache) keep(k *known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[k.key]; ok {
		e.Value = k
		return
	}
	c.byKey[k.key] = c.recent.PushFront(k)
	if c.recent.Len() <= c.size {
		return
	}
	oldest := c.recent.Back()
	if old, ok := c.recent.Remove(oldest).(*known); ok {
		delete(c.byKey, old.key)
	}
}

// CacheStats is what a cache holds and did.
type CacheStats struct {
	Plans        int
	Hits, Misses int64
}

// Stats returns what the cache holds and did so far.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Plans: c.recent.Len(), Hits: c.hits.Load(), Misses: c.misses.Load()}
}
