package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/inspect"
	"parlance/internal/semantic"
)

const (
	keyPatience = 5 * time.Second  // that a query waits for the check of a key
	keyTime     = 30 * time.Second // that the check itself may take
	keyKept     = 30 * time.Second // that a key is trusted before it is checked again: loads bring duplicates
)

// keys remembers, for each generation and as long as a memo keeps it, whether the keys that joins trust tell rows
// apart. A key that does not is looked at again soon, so that mended data is served at once.
type keys struct {
	repeated *memo[keyOf, bool]
}

// keyOf is the columns of one table by which rows are found.
type keyOf struct {
	generation *catalog.Generation
	datasource string
	source     semantic.Source
	columns    string
}

func newKeys(now func() time.Time) keys {
	k := keys{repeated: newMemo[keyOf, bool](now)}
	k.repeated.time, k.repeated.kept = keyTime, keyKept
	k.repeated.follows = func(key, earlier keyOf) bool { return follows(key.generation, earlier.generation) }
	return k
}

var errRepeated = errors.New("a key stands more than once")

// trust refuses a query whose joins would count rows more than once, because a key that should find one row finds
// several. A key that cannot be checked in time is told in a warning.
func (s *Service) trust(ctx context.Context, t target, joins []compile.Join) (warnings []string, err error) {
	for _, j := range joins {
		repeated, checked := s.repeated(ctx, t, j)
		switch {
		case repeated:
			return nil, duplicateKey(t, j)
		case !checked && ctx.Err() == nil:
			warnings = append(warnings, uncheckedKey(t, j))
		}
	}
	return warnings, nil
}

// repeated reports whether the key of a join stands in several rows, and whether that could be told.
func (s *Service) repeated(ctx context.Context, t target, j compile.Join) (repeated, checked bool) {
	ctx, cancel := context.WithTimeout(ctx, keyPatience)
	defer cancel()
	key := keyOf{t.view.generation, t.Datasource, j.Source, strings.Join(j.Key, "\x00")}
	return s.keys.repeated.of(ctx, key, func(ctx context.Context) (bool, error) {
		if j.Source.Table != "" && t.source.unique(ctx, j.Source.Schema, j.Source.Table, j.Key) {
			return false, nil
		}
		repeated, err := inspect.Repeated(ctx, t.source, j.Source, j.Key)
		if err != nil {
			s.Log.WarnContext(ctx, "a dimension's key could not be checked", "model", t.Name, "dimension", j.Dimension.Path, "error", err)
			return false, err
		}
		if repeated {
			s.Log.ErrorContext(ctx, "a dimension's key stands more than once: queries that join it are refused",
				"model", t.Name, "dimension", j.Dimension.Path)
			return true, errRepeated
		}
		return false, nil
	})
}

// merged tells which groups put several members together because they share a caption (decision 46).
func (s *Service) merged(ctx context.Context, t target, captions []compile.Join) (warnings []string) {
	ctx, cancel := context.WithTimeout(ctx, keyPatience)
	defer cancel()
	for _, j := range captions {
		if t.grant.Limited() || t.grant.Conceals() {
			// Whether members share a caption is known of all of them, so it would tell of those that the caller misses. Where
			// it must not be known that there are any, everybody is told the same.
			warnings = append(warnings, fmt.Sprintf("members of %s that share a caption are counted together%s", j.Dimension.Path, t.apart(j.Dimension)))
			continue
		}
		key := keyOf{t.view.generation, t.Datasource, j.Source, strings.Join(j.Key, "\x00")}
		shared, checked := s.keys.repeated.of(ctx, key, func(ctx context.Context) (bool, error) {
			return inspect.Repeated(ctx, t.source, j.Source, j.Key)
		})
		if path := j.Dimension.Path; shared && checked {
			warnings = append(warnings, fmt.Sprintf("some members of %s share a caption and are counted together%s", path, t.apart(j.Dimension)))
		}
	}
	return warnings
}

// apart says how to keep members of one caption apart, if the caller can.
func (t target) apart(d *semantic.Dimension) string {
	id := d.Path + "$id"
	if t.grant.Field(t.Field(id)) != access.Visible {
		return ""
	}
	return "; group by " + id + " too to keep them apart"
}

func duplicateKey(t target, j compile.Join) error {
	name := visibleName(t, j.Dimension)
	e := fault.Invalidf("duplicate_dimension_key", "", "%s has rows that share a key, so that the rows of %s would count more than once", name, t.Name)
	e.Hint = "whoever looks after the data finds the rows with parlance validate --data; fields of the model's own rows can be queried meanwhile"
	return e
}

func uncheckedKey(t target, j compile.Join) string {
	return fmt.Sprintf("the key of %s could not be checked in time: if it stands more than once, rows count more than once", visibleName(t, j.Dimension))
}

// visibleName names a dimension as the caller knows it; one that the caller does not see stays unnamed.
func visibleName(t target, d *semantic.Dimension) string {
	for _, f := range t.fields {
		if f.Dimension == d || f.Dimension != nil && t.Multi != nil && f.Dimension.Source == d.Source && f.Dimension.ID == d.ID {
			return fmt.Sprintf("dimension %q", f.Dimension.Path)
		}
	}
	return "a dimension"
}
