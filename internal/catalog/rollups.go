package catalog

import (
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// rollupGrains are the periods that a rollup may keep of a time.
var rollupGrains = []string{"year", "quarter", "month", "week", "day", "hour"}

const keepInSource = "source"

// rollupKeeps are the places where a rollup may be kept: the server's memory, or the model's own database.
var rollupKeeps = []string{"memory", keepInSource}

// checkRollups builds the pre-aggregations of the model.
func (b *builder) checkRollups() {
	names := map[string]bool{}
	for _, raw := range b.raw.rollups.list {
		if b.model.Multi != nil {
			b.r.add(raw.at, `a model of several facts has no "rollups" of its own; its facts may have`)
			continue
		}
		checkName(b.r, "a rollup", raw.name)
		if names[raw.name.value] {
			b.r.add(raw.name.at, "rollup %q stands twice", raw.name.value)
		}
		names[raw.name.value] = true
		b.model.Rollups = append(b.model.Rollups, b.rollup(raw))
	}
}

func (b *builder) rollup(raw *rawRollup) *semantic.Rollup {
	k := &rollupKeeper{builder: b, rollup: &semantic.Rollup{Name: raw.name.value, Refresh: raw.refresh.value, MaxAge: raw.maxAge.value}}
	if raw.keep.set() && !slices.Contains(rollupKeeps, raw.keep.value) {
		b.r.add(raw.keep.at, "unknown place %q%s", raw.keep.value, meant(raw.keep.value, rollupKeeps))
	}
	k.rollup.InSource = raw.keep.value == keepInSource
	for _, name := range raw.dimensions.list {
		k.dimension(name)
	}
	for _, t := range raw.times.list {
		k.time(t)
	}
	for _, name := range raw.measures.list {
		k.measure(name)
	}
	if raw.measures.set() && len(raw.measures.list) == 0 {
		b.r.add(raw.measures.at, "a rollup without measures keeps nothing that could be asked for")
	}
	if raw.maxAge.value > 0 && raw.refresh.value > raw.maxAge.value {
		b.r.add(raw.refresh.at, "the rollup would be too old (max_age) before it is refreshed")
	}
	return k.rollup
}

// rollupKeeper gathers what one rollup keeps.
type rollupKeeper struct {
	*builder
	rollup *semantic.Rollup
}

// dimension adds a field, or every field of a dimension that is stored.
func (k *rollupKeeper) dimension(name text) {
	if f := k.model.Field(name.value); f != nil {
		k.keep(f, name)
		return
	}
	found := false
	for _, f := range k.model.Fields() {
		if d := f.Dimension; d != nil && d.Path == name.value && !f.Derived {
			found = true
			k.keep(f, name)
		}
	}
	if !found && !k.maybeGrain(name.value) {
		k.r.add(name.at, "unknown field or dimension %q%s", name.value, meant(name.value, k.dimensionAndFieldNames()))
	}
}

func (k *rollupKeeper) dimensionAndFieldNames() []string {
	names := k.fieldNames()
	for d := range semantic.Dimensions(k.model.Dimensions) {
		names = append(names, d.Path)
	}
	return names
}

func (k *rollupKeeper) keep(f *semantic.Field, name text) {
	switch {
	case f.Measure != nil:
		k.r.add(name.at, "%q is a measure and stands in the rollup's measures, not in its dimensions", name.value)
	case f.Tree:
		k.r.add(name.at, "%q puts a row into several groups, so no rollup can keep it", name.value)
	case f.Native:
		k.r.add(name.at, "%q is compared as its own database does (collation: native), so no rollup can keep it", name.value)
	case f.Type.Kind == value.Float && !k.untyped[f.Name]:
		k.r.add(name.at, "%q holds numbers that are not exact, so no rollup can keep it", name.value)
	case f.Role == semantic.TimeGrain:
		k.rollup.Times = append(k.rollup.Times, semantic.RollupTime{Field: f.Of, Grain: f.Grain})
	case !slices.Contains(k.rollup.Dimensions, f):
		k.rollup.Dimensions = append(k.rollup.Dimensions, f)
	}
}

// time adds a time by its periods.
func (k *rollupKeeper) time(raw *rawRollupTime) {
	if !raw.field.set() || !raw.grain.set() {
		return
	}
	word := raw.grain.value
	if !slices.Contains(rollupGrains, word) {
		k.r.add(raw.grain.at, "unknown grain %q%s", word, meant(word, rollupGrains))
		return
	}
	if word == "day" {
		word = semantic.Day.Name()
	}
	grain, _ := semantic.GrainNamed(word)
	f := k.model.Field(raw.field.value)
	if f == nil && k.model.Dimension(raw.field.value) != nil {
		f = k.model.Field(raw.field.value + "$caption")
	}
	switch {
	case f == nil:
		k.r.add(raw.field.at, "unknown dimension or attribute %q%s", raw.field.value, meant(raw.field.value, k.timeNames()))
	case k.untyped[f.Name]:
	case f.Of != nil || f.Tree || f.Measure != nil || !f.Type.Temporal():
		k.r.add(raw.field.at, "%q holds no dates", raw.field.value)
	case grain == semantic.Hour && f.Type.Kind != value.Timestamp:
		k.r.add(raw.grain.at, "%q holds days, which have no hours", raw.field.value)
	default:
		k.rollup.Times = append(k.rollup.Times, semantic.RollupTime{Field: f, Grain: grain})
	}
}

func (k *rollupKeeper) measure(name text) {
	f := k.model.Field(name.value)
	if f == nil || f.Measure == nil {
		k.r.add(name.at, "unknown measure %q%s", name.value, meant(name.value, k.measureNames()))
		return
	}
	if why := k.unmergeable(f.Measure, 0); why != "" {
		k.r.add(name.at, "measure %q %s", name.value, why)
		return
	}
	k.rollup.Measures = append(k.rollup.Measures, f.Measure)
}

func (k *rollupKeeper) measureNames() []string {
	names := make([]string, len(k.model.Measures))
	for i, m := range k.model.Measures {
		names[i] = m.Name
	}
	return names
}

const notFromParts = "cannot be put together from the parts of a rollup"

// unmergeable says why the measure of a group cannot be told from those of its parts; "" when it can. How deep an
// expression may name others is bounded, for a circle is reported elsewhere.
func (k *rollupKeeper) unmergeable(m *semantic.Measure, depth int) string {
	if m.SemiAdd != nil {
		if why := k.semiAdditive(m.SemiAdd); why != "" {
			return why
		}
	}
	switch m.Agg {
	case semantic.Sum, semantic.Avg, semantic.Min, semantic.Max:
		if m.Type.Kind == value.Float {
			return "is of numbers that are not exact, and " + notFromParts
		}
	case semantic.Count:
	case semantic.CountDistinct:
		if !k.keepsColumn(m.Column) {
			return "counts the different values of " + m.Column + ", which none of the rollup's dimensions keeps"
		}
	case "":
		return k.expression(m.Expression, depth)
	default:
		return "is a " + string(m.Agg) + ", which " + notFromParts
	}
	return ""
}

func (k *rollupKeeper) semiAdditive(s *semantic.SemiAdditive) string {
	if s.Use != semantic.UseLast && s.Use != semantic.UseFirst {
		return "is taken along " + s.Over + " (" + string(s.Use) + ") and " + notFromParts
	}
	for _, name := range append([]string{s.Over}, s.Per...) {
		f := k.model.Field(name)
		if f == nil {
			f = k.model.Field(name + "$id")
		}
		if f != nil && !k.keeps(f) {
			return "is not added up along " + s.Over + ", so the rollup's dimensions need " + f.Name
		}
	}
	return ""
}

// maxNested bounds how deep measures are defined by others.
const maxNested = 32

func (k *rollupKeeper) expression(e query.Expr, depth int) (why string) {
	if e == nil || depth > maxNested {
		return ""
	}
	query.Walk(e, func(x query.Expr) bool {
		switch x := x.(type) {
		case *query.Ref:
			if f := k.model.Field(x.Name); f != nil && f.Measure != nil && why == "" {
				if inner := k.unmergeable(f.Measure, depth+1); inner != "" {
					why = "uses " + x.Name + ", which " + strings.TrimPrefix(inner, "which ")
				}
			}
		case *query.Call:
			if query.IsAggregate(x.Func) {
				if !slices.Contains(partFunctions, x.Func) && why == "" {
					why = "uses " + x.Func + ", which " + notFromParts
				}
				return false
			}
		}
		return true
	})
	return why
}

// partFunctions are the aggregates that can be taken of the parts of a group.
var partFunctions = []string{"sum", "avg", "count", "count_distinct", "countd", "min", "max"}

func (k *rollupKeeper) keeps(f *semantic.Field) bool {
	d, column, ok := f.Place()
	return slices.ContainsFunc(k.rollup.Dimensions, func(kept *semantic.Field) bool {
		other, name, stored := kept.Place()
		return kept == f || ok && stored && other == d && name == column
	})
}

// keepsColumn reports whether a dimension of the rollup reads a column of the model's own rows.
func (k *rollupKeeper) keepsColumn(column string) bool {
	return slices.ContainsFunc(k.rollup.Dimensions, func(kept *semantic.Field) bool {
		d, name, ok := kept.Place()
		return ok && d == nil && name == column
	})
}
