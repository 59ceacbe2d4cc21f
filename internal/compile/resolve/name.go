package resolve

import (
	"maps"
	"slices"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// ref binds a name: a field, a calculated field or an alias, by the rules of decision 52.
func (r *resolver) ref(name string, s scope) (Expr, error) {
	if s.trusted {
		return r.own(name, s)
	}
	f := r.lookup(name)
	if s.later || f == nil {
		n, err := r.named(name, s.path)
		if err != nil {
			return nil, err
		}
		if n != nil {
			return r.use(n, s)
		}
	}
	if f == nil {
		return nil, r.unknownField(name, s.path)
	}
	if _, err := r.field(name, s.path); err != nil {
		return nil, err
	}
	return r.fieldValue(f, s)
}

// own binds a name of the model's own definition.
func (r *resolver) own(name string, s scope) (Expr, error) {
	f := r.model.Field(name)
	if f == nil {
		return nil, fault.Internalf(nil, "the model %s uses %s, which it does not have", r.model.Name, name)
	}
	return r.fieldValue(f, s)
}

// named returns what the query itself gave a name to, binding it on first use; nil if it gave none.
func (r *resolver) named(name, path string) (*Named, error) {
	d, ok := r.names[name]
	if !ok {
		return nil, nil
	}
	if d.bound != nil {
		return d.bound, nil
	}
	if d.busy {
		return nil, definedByItself(name, path)
	}
	d.busy = true
	before := r.spent
	n, err := d.bind()
	d.busy, d.bound = false, n
	if n != nil {
		n.size = d.size + r.spent - before
	}
	return n, err
}

// maxSize bounds the expressions of one query, each name of the query counted with all that it stands for. A name that
// uses another twice, and is itself used twice, would otherwise grow without bound.
const maxSize = 5000

// spend counts the use of a name.
func (r *resolver) spend(n *Named, path string) error {
	if r.spent += n.size; r.spent > maxSize {
		return tooComplex(n.Key, path)
	}
	return nil
}

// use returns what a name of the query stands for in a scope.
func (r *resolver) use(n *Named, s scope) (Expr, error) {
	if err := r.spend(n, s.path); err != nil {
		return nil, err
	}
	if n.Measure != nil {
		if r.grouped && !s.inAgg {
			s.mode = groupMeasures
		}
		return r.measure(n.Measure, s)
	}
	if s.inAgg && n.Expr.Level() > RowLevel {
		return nil, nestedAggregate(n.Key, s.path)
	}
	if !s.tree && readsTree(n.Expr) {
		return nil, treeNotHere(n.Key, s.path)
	}
	return n.Expr, nil
}

// lookup returns the field of a name, or nil where there is none or the caller must not know that there is one.
func (r *resolver) lookup(name string) *semantic.Field {
	f := r.model.Field(name)
	if f != nil && r.grant.Field(f) == access.Hidden && r.grant.Conceals() {
		return nil
	}
	return f
}

// field returns a field that the caller may see: the one place where a request's names meet the grant.
func (r *resolver) field(name, path string) (*semantic.Field, error) {
	f := r.lookup(name)
	if f == nil {
		return nil, r.unknownField(name, path)
	}
	if r.grant.Field(f) == access.Hidden {
		return nil, deniedField(name, path)
	}
	return f, nil
}

// fieldValue returns what a field is worth in a scope.
func (r *resolver) fieldValue(f *semantic.Field, s scope) (Expr, error) {
	if f.Measure != nil {
		return r.measure(f.Measure, s)
	}
	if f.Tree && !s.tree {
		return nil, treeNotHere(f.Name, s.path)
	}
	return r.read(f, s.trusted), nil
}

// read returns the value of a field that is no measure: the raw one for the model's own definitions, what the grant
// shows of it for the caller.
func (r *resolver) read(f *semantic.Field, trusted bool) Expr {
	var e Expr = Field{f}
	raw := trusted || !r.ofMask(f)
	switch f.Role {
	case semantic.CodeLabel:
		e = labelOf(f, r.read(f.Of, raw))
	case semantic.TimeGrain:
		e = op(grainFns[f.Grain], f.Type, r.local(r.read(f.Of, raw)))
	case semantic.Plain, semantic.ID, semantic.Label, semantic.MeasureValue:
	}
	if trusted {
		return e
	}
	return r.masked(f, e)
}

// local returns a date or time as the model's wall time, in which days and hours are counted.
func (r *resolver) local(e Expr) Expr {
	if !e.Type().Zoned {
		return e
	}
	zone := "UTC"
	if z := r.today.calendar.Zone; z != nil {
		zone = z.String()
	}
	return op(ToLocal, value.Type{Kind: value.Timestamp}, e, Text(zone))
}

var grainFns = map[semantic.Grain]Fn{
	semantic.Year: ToYear, semantic.Quarter: ToQuarter, semantic.Month: ToMonth, semantic.Week: ToWeek, semantic.Day: ToDate, semantic.Hour: ToHour,
}

// labelOf returns the dictionary label of a code; a code that the dictionary lacks is its own label.
func labelOf(f *semantic.Field, stored Expr) Expr {
	code := op(ToText, text, stored)
	args := make([]Expr, 0, 2*len(f.Dictionary.Entries)+1)
	for _, e := range f.Dictionary.Entries {
		args = append(args, op(Eq, boolean, code, Text(e.Code)), Text(e.Label))
	}
	return op(Case, text, append(args, code)...)
}

// measure returns what a bare measure name means in a scope.
func (r *resolver) measure(m *semantic.Measure, s scope) (Expr, error) {
	if m.Agg == "" {
		if r.building[m] {
			return nil, fault.Internalf(nil, "the measure %s of %s is defined by itself", m.Name, r.model.Name)
		}
		if r.building == nil {
			r.building = map[*semantic.Measure]bool{}
		}
		r.building[m] = true
		defer delete(r.building, m)
	}
	switch {
	case s.rows && m.Of != nil && !s.inAgg:
		return nil, measureOfFacts(m, r.model.Name, s.path)
	case s.inAgg && (m.AggregateOnly() || m.Of != nil):
		return nil, nestedAggregate(m.Name, s.path)
	case s.mode == groupMeasures && !s.inAgg, s.mode == callerRows && !s.inAgg && (m.AggregateOnly() || m.Of != nil):
		if s.trusted {
			return r.ownMeasure(m, r.overrides[m.Name])
		}
		return r.measureValue(m, r.overrides[m.Name])
	case s.trusted:
		return r.ownRowValue(m)
	}
	return r.rowValue(m)
}

func dimensionNames(g access.Grant, d *semantic.Dimension) []string {
	var names []string
	for _, f := range g.Fields() {
		if f.Dimension == d && !f.Derived && len(names) < 3 {
			names = append(names, f.Name)
		}
	}
	return names
}

func (r *resolver) queryNames() []string {
	return slices.Sorted(maps.Keys(r.names))
}

// isRef returns the name when the expression is nothing else.
func isRef(e query.Expr) (string, bool) {
	if ref, ok := e.(*query.Ref); ok {
		return ref.Name, true
	}
	return "", false
}
