package service

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"parlance/internal/compile"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/stage"
	"parlance/internal/value"
)

// answerForm is what decides how an answer is written.
type answerForm struct {
	summary  bool // one object of totals
	layout   result.Layout
	most     int // bytes of the rows; 0: no cap
	diagnose bool
}

// answered runs a compiled query, or takes the answer of an earlier run where the model allows it. The second value says
// which; it is nil where answers of the model are never used again.
func (s *Service) answered(ctx context.Context, t target, c *compile.Compiled, form answerForm, run func(context.Context) (*keptAnswer, error)) (*keptAnswer, *CacheUse, error) {
	ttl := t.Cache.TTL
	if s.answers == nil || ttl <= 0 {
		k, err := run(ctx)
		return k, nil, err
	}
	looking := stage.Start(ctx, stage.Cache)
	fresh, ok := s.dataState(ctx, t)
	key, keyed := answerKey(t, c, form, fresh)
	looking.End()
	if !ok || !keyed {
		k, err := run(ctx)
		return k, nil, err
	}
	k, source, err := s.answers.of(ctx, key, ttl, cacheControlOf(ctx), run)
	if err != nil {
		return nil, nil, err
	}
	use := &CacheUse{Source: source, Age: int64(s.Now().Sub(k.at) / time.Second), TTL: int64(ttl / time.Second)}
	RecordOf(ctx).Cache = use
	return k, use, nil
}

// answerKey is all that decides an answer (law 9): namespace, generation, model, database, grant, statements and their
// arguments, and how rows are written. It is false where an argument is of a form that is not known to tell values apart.
func answerKey(t target, c *compile.Compiled, form answerForm, fresh string) (string, bool) {
	b := make([]byte, 0, 256)
	for _, part := range []string{t.view.caller.Namespace, t.view.generation.ID, t.Name, t.Datasource, t.grant.Key(), c.Digest(), fresh} {
		b = appendText(b, part)
	}
	if c.Rollup != nil {
		b = appendText(b, c.Rollup.Definition.Rollup.Name)
		b = binary.AppendVarint(b, c.Rollup.BuiltAt.UnixNano())
	}
	b = binary.AppendVarint(b, int64(form.most))
	b = append(b, byte(form.layout), truth(form.summary), truth(form.diagnose))
	if form.diagnose { // the reasons of an empty answer are told in the caller's own words
		for _, w := range append(c.Applied.Before[:len(c.Applied.Before):len(c.Applied.Before)], c.Applied.After...) {
			b = appendText(b, w)
		}
	}
	for _, st := range ofEach(c) {
		b = binary.AppendUvarint(b, uint64(len(st.Args)))
		for _, arg := range st.Args {
			var ok bool
			if b, ok = appendArg(b, arg); !ok {
				return "", false
			}
		}
	}
	return string(b), true
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func truth(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func appendArg(b []byte, arg any) ([]byte, bool) {
	switch a := arg.(type) {
	case nil:
		return append(b, 'n'), true
	case string:
		return appendText(append(b, 's'), a), true
	case int64:
		return binary.AppendVarint(append(b, 'i'), a), true
	case bool:
		return append(b, 'b', truth(a)), true
	case value.Value:
		return appendText(append(b, 'v', byte(a.Kind)), a.Text), true
	case []string:
		b = binary.AppendUvarint(append(b, 'l'), uint64(len(a)))
		for _, text := range a {
			b = appendText(b, text)
		}
		return b, true
	}
	return b, false
}

// refreshKey is a model's data at a stretch of time.
type refreshKey struct {
	epochKey
	stretch int64
}

// refreshPatience is how long a query waits for a refresh statement, which may take longer than that itself.
const refreshPatience = time.Second

// dataState returns what tells the state of a model's data from all that were seen before, as far as its refresh statements
// do; false where one of them cannot be asked, or not soon. A state that anybody has seen by now counts for everybody.
func (s *Service) dataState(ctx context.Context, t target) (string, bool) {
	if len(t.Cache.Refresh) == 0 {
		return "", true
	}
	return s.refreshedState(ctx, t)
}

// refreshedState is dataState of a model that has such statements; apart, so that those of others cost no memory.
func (s *Service) refreshedState(ctx context.Context, t target) (string, bool) {
	state := ""
	for i, r := range t.Cache.Refresh {
		key := epochKey{t.view.generation, t.Name, i}
		stretch := refreshKey{key, s.Now().UnixNano() / int64(max(r.Every, 1))}
		_, ok := s.refreshed.within(ctx, refreshPatience, stretch, func(ctx context.Context) (struct{}, error) { return struct{}{}, s.refresh(ctx, t, key, r) })
		if !ok {
			return "", false
		}
		epoch, ok := s.epochs.now(key)
		if !ok {
			return "", false
		}
		state += epoch + " "
	}
	return state, true
}

// refresh asks one of the statements and notes what it says.
func (s *Service) refresh(ctx context.Context, t target, key epochKey, r semantic.Refresh) error {
	h := sha256.New()
	var text []byte
	err := t.source.Query(ctx, r.SQL, nil, func(cells []any) (err error) {
		text, err = result.AppendObject(text[:0], make([]result.Column, len(cells)), cells, t.Calendar.Zone)
		h.Write(text)
		return err
	})
	if err != nil {
		s.Log.WarnContext(ctx, "a model's refresh_sql failed: its answers are not used again meanwhile", "model", t.Name, "error", err)
		return err
	}
	s.epochs.saw(key, string(h.Sum(nil)))
	return nil
}
