package catalog

import (
	"slices"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// field returns the field of a name, or reports that there is none and returns nil.
func (b *builder) field(name string, at pos) *semantic.Field {
	if f := b.model.Field(name); f != nil {
		return f
	}
	if b.maybeGrain(name) {
		return nil
	}
	if b.model.Dimension(name) != nil {
		b.r.add(at, "%q is a dimension; name a field of it, such as %q", name, name+"$id")
		return nil
	}
	b.r.add(at, "unknown field %q%s", name, meant(name, b.fieldNames()))
	return nil
}

// maybeGrain reports whether a name cuts an attribute whose type nobody told: without a database it cannot be
// known whether orderTime$month exists.
func (b *builder) maybeGrain(name string) bool {
	cut := strings.LastIndexByte(name, '$')
	return cut > 0 && b.untyped[name[:cut]] && slices.Contains(semantic.GrainNames(), name[cut+1:])
}

func (b *builder) fieldNames() []string {
	fields := b.model.Fields()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// rowField reports a field that does not exist or has no value in a row.
func (b *builder) rowField(name string, at pos, where string) {
	f := b.field(name, at)
	if f != nil && f.Measure != nil && f.Measure.AggregateOnly() {
		b.r.add(at, "measure %q has no value in a row and cannot stand in %s", name, where)
	}
}

// checkTime checks that the model's time is a date dimension or an attribute that holds dates.
func (b *builder) checkTime() {
	if t := b.raw.time; t.set() {
		b.model.Time = t.value
		b.timeLike(t)
	}
}

// timeLike reports a name that is neither a date dimension nor an attribute that holds dates.
func (b *builder) timeLike(name text) {
	if d := b.model.Dimension(name.value); d != nil {
		if !d.Date {
			b.r.add(name.at, "dimension %q is not a date dimension (type: date)", name.value)
		}
		return
	}
	if b.untyped[name.value] {
		return
	}
	f := b.model.Field(name.value)
	switch {
	case f == nil:
		b.r.add(name.at, "unknown dimension or attribute %q%s", name.value, meant(name.value, b.timeNames()))
	case f.Role != semantic.Plain || !f.Type.Temporal():
		b.r.add(name.at, "%q holds no dates", name.value)
	}
}

func (b *builder) timeNames() []string {
	var names []string
	for _, d := range b.model.Dimensions {
		if d.Date {
			names = append(names, d.Name)
		}
	}
	for _, f := range b.model.Fields() {
		if f.Role == semantic.Plain && f.Type.Temporal() {
			names = append(names, f.Name)
		}
	}
	return names
}

func (b *builder) checkOrder() {
	for _, t := range b.raw.defaultOrder.list {
		o, err := query.ParseOrder(t.value)
		if err != nil {
			b.r.add(t.at, "%s", fault.As(err).Message)
			continue
		}
		ref, ok := o.Expr.(*query.Ref)
		if !ok {
			b.r.add(t.at, "the default order names fields, not expressions such as %q", t.value)
			continue
		}
		b.rowField(ref.Name, t.at, "the default order")
		b.model.DefaultOrder = append(b.model.DefaultOrder, o)
	}
}

func (b *builder) checkRequired() {
	for _, t := range b.raw.requireFilter.list {
		b.rowField(t.value, t.at, "a required filter")
	}
	b.model.RequireFilter = b.raw.requireFilter.values()
}

var semiUses = []string{
	string(semantic.UseLast), string(semantic.UseFirst), string(semantic.UseAvg), string(semantic.UseMin), string(semantic.UseMax),
}

func (b *builder) checkAdditivity(a *rawAdditivity) {
	if a.over.set() {
		b.timeLike(a.over)
	}
	if a.use.set() && !slices.Contains(semiUses, a.use.value) {
		b.r.add(a.use.at, "unknown use %q%s", a.use.value, meant(a.use.value, semiUses))
	}
	for _, p := range a.per.list {
		if p.value == a.over.value {
			b.r.add(p.at, "%q is what the measure is taken over and cannot tell its series apart", p.value)
			continue
		}
		if b.model.Dimension(p.value) == nil {
			b.rowField(p.value, p.at, "per")
		}
	}
}
