package service

import (
	"context"
	"errors"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// factsAtOnce is how many statements of the service's own run side by side, whatever the size of the catalogue: they
// leave the datasource's places to the callers.
const factsAtOnce = 4

// facts is what descriptions tell about a model's data, read under the caller's grant and kept for it alone.
type facts struct {
	places *datasource.Places
	ranges *memo[factKey, *TimeRange]
	values *memo[factKey, map[string][]string]
	words  *memo[factKey, wordIndex]
}

// factKey tells apart whatever may not share an answer: the namespace's generation, the model and the grant.
type factKey struct {
	generation *catalog.Generation
	model      string
	grant      string // its key
}

// newFacts makes the keeper of facts. Of indexBytes, a quarter is for values and the rest for the words made of them.
func newFacts(now func() time.Time, indexBytes int64) facts {
	f := facts{
		places: datasource.NewPlaces(factsAtOnce),
		ranges: newMemo[factKey, *TimeRange](now),
		values: newMemo[factKey, map[string][]string](now),
		words:  newMemo[factKey, wordIndex](now),
	}
	if indexBytes <= 0 {
		indexBytes = defaultIndexBytes
	}
	f.values.time, f.values.grace, f.values.most, f.values.weigh = indexTime, indexGrace, int(indexBytes/4), weightOfValues
	f.ranges.follows, f.values.follows, f.words.follows = factKey.follows, factKey.follows, factKey.follows
	f.words.time, f.words.grace, f.words.most, f.words.weigh = indexTime, indexGrace, int(indexBytes-indexBytes/4), func(i wordIndex) int { return i.weight }
	return f
}

// follows reports whether the key is of another generation of the same namespace: it is asked for only once that is
// served.
func (k factKey) follows(earlier factKey) bool { return follows(k.generation, earlier.generation) }

func follows(g, earlier *catalog.Generation) bool {
	return g != earlier && g.Namespace == earlier.Namespace
}

// errNothing says that a model has no such fact.
var errNothing = errors.New("nothing to tell")

// timeRange returns the first and the last day of the model's data, or nil when it cannot be told in time.
func (s *Service) timeRange(ctx context.Context, v view, m seen) *TimeRange {
	if m.Multi != nil {
		return s.sharedRange(ctx, v, m)
	}
	f := timeField(m)
	if f == nil {
		return nil
	}
	r, _ := s.facts.ranges.of(ctx, factKey{v.generation, m.Name, m.grant.Key()}, func(ctx context.Context) (*TimeRange, error) {
		ends := &query.Query{Columns: []query.Column{call("min", f.Name, "earliest"), call("max", f.Name, "latest")}}
		rows, err := s.values(ctx, v, m, ends, 1)
		if err != nil {
			return nil, err
		}
		if len(rows) != 1 || len(rows[0]) != 2 || rows[0][0] == "" {
			return nil, errNothing
		}
		return &TimeRange{Field: f.Name, From: day(rows[0][0]), To: day(rows[0][1])}, nil
	})
	return r
}

// sharedRange returns the days that the facts of a model cover together, along the dimension that is the time of
// them all.
func (s *Service) sharedRange(ctx context.Context, v view, m seen) *TimeRange {
	f := sharedTime(m)
	if f == nil || len(m.grant.Rows()) > 0 {
		return nil // the facts tell of rows that this model keeps to itself
	}
	whole := &TimeRange{Field: f.Name}
	for _, fact := range m.Multi.Facts {
		part, err := v.model(fact.Name)
		if err != nil {
			return nil
		}
		r := s.timeRange(ctx, v, part)
		if r == nil {
			return nil
		}
		if whole.From == "" || r.From < whole.From {
			whole.From = r.From
		}
		whole.To = max(whole.To, r.To)
	}
	return whole
}

func sharedTime(m seen) *semantic.Field {
	for _, shared := range m.Multi.Share {
		everywhere := true
		for _, fact := range m.Multi.Facts {
			everywhere = everywhere && shared.In[fact.Name] == fact.Time
		}
		f := m.Field(shared.Name + "$caption")
		if everywhere && f != nil && f.Type.Temporal() && m.grant.Field(f) == access.Visible {
			return f
		}
	}
	return nil
}

// timeField returns the field that tells when a row happened, if the caller may see it.
func timeField(m seen) *semantic.Field {
	for _, name := range []string{m.Time, m.Time + "$caption", m.Time + "$id"} {
		f := m.Field(name)
		if f != nil && f.Type.Temporal() && m.grant.Field(f) == access.Visible {
			return f
		}
	}
	return nil
}

// today returns the moment from which relative dates count: the clock, or the newest day in the data where the
// model says so.
func (s *Service) today(ctx context.Context, v view, m seen) time.Time {
	now := s.Now()
	if !m.Calendar.Today.Latest {
		return now
	}
	if r := s.timeRange(ctx, v, m); r != nil {
		if d, err := time.ParseInLocation(time.DateOnly, r.To, m.Calendar.Zone); err == nil {
			return d
		}
	}
	return now
}

func day(text string) string {
	if len(text) < len(time.DateOnly) {
		return text
	}
	return text[:len(time.DateOnly)]
}

func call(function, field, alias string) query.Column {
	e := &query.Call{Func: function, Args: []query.Expr{&query.Ref{Name: field}}}
	return query.Column{Expr: e, Alias: alias, Text: e.String() + " as " + alias}
}

// values runs a small query of the service's own and returns the texts of its cells; a null is "". Whoever asked does
// without it when it fails, so what is ours to mend is told to the log alone.
func (s *Service) values(ctx context.Context, v view, m seen, q *query.Query, limit int64) ([][]string, error) {
	rows, err := s.read(ctx, v, m, q, limit)
	if err != nil && fault.As(err).Kind == fault.Internal && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "a model's data could not be described", "namespace", v.caller.Namespace, "model", m.Name, "error", err)
	}
	return rows, err
}

// read runs the query through the same compiler and grant as a caller's.
func (s *Service) read(ctx context.Context, v view, m seen, q *query.Query, limit int64) ([][]string, error) {
	t, err := s.target(v, m)
	if err != nil {
		return nil, err
	}
	leave, err := s.facts.places.Take(ctx, t.source.owner())
	if err != nil {
		return nil, err
	}
	defer leave()
	compiled, err := compile.Query(s.request(t, q, limit, s.Now()))
	if err != nil {
		return nil, err
	}
	rows := result.NewEncoder(compiled.Columns, result.Compact)
	defer rows.Release()
	if err := t.source.Query(ctx, compiled.Page.SQL, compiled.Page.Args, rows.Row); err != nil {
		return nil, err
	}
	tree, err := jsontree.Parse(rows.Bytes())
	if err != nil {
		return nil, err
	}
	texts := make([][]string, len(tree.Items))
	for i, row := range tree.Items {
		for _, cell := range row.Items {
			texts[i] = append(texts[i], cell.Text)
		}
	}
	return texts, nil
}
