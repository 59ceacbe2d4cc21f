package evaluate

import (
	"slices"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// binder gives names their meaning within one query.
type binder struct {
	model      *semantic.Model
	today      time.Time
	data       *Data
	calculated []query.Calculated
	asked      []query.Column
	aliases    map[string]*node
	overrides  map[*semantic.Measure]semantic.Agg
	keys       map[string]bool
	grouped    bool
	sight      Sight
	trusted    bool // the model's own definitions
}

// mode is how names are read at one place.
type mode struct {
	aggregated bool // a measure's name means its aggregate
	within     bool // inside an aggregate function
	aliasFirst bool // an alias hides a field of its name
	earlier    int  // how many calculated fields may be used
	treeKey    bool // a hierarchy's view may stand here
}

func (b *binder) plain() mode { return mode{earlier: len(b.calculated)} }

// key is how names are read that may be group keys.
func (b *binder) key() mode { return mode{earlier: len(b.calculated), treeKey: true} }

func (b *binder) later(grouped bool) mode {
	return mode{aggregated: grouped, aliasFirst: true, earlier: len(b.calculated), treeKey: grouped}
}

// ref binds a name.
func (b *binder) ref(name string, m mode) (*node, error) {
	if n, ok := b.aliases[name]; ok && (m.aliasFirst || b.model.Field(name) == nil) && !m.within {
		if n.tree != nil && !m.treeKey {
			return nil, refuse("only_a_key", "%s stands for every ancestor of a row", name)
		}
		return n, nil
	}
	for i, c := range b.calculated[:m.earlier] {
		if c.Name == name {
			return b.calculatedField(i, m)
		}
	}
	if f := b.model.Field(name); f != nil {
		return b.field(f, m)
	}
	if b.declares(name) {
		return nil, unclear("%s before it stands", name)
	}
	return nil, refuse("unknown_field", "%s", name)
}

// declares reports whether a name is one of the query's own: an alias or a calculated field.
func (b *binder) declares(name string) bool {
	return slices.ContainsFunc(b.calculated, func(c query.Calculated) bool { return c.Name == name }) ||
		slices.ContainsFunc(b.asked, func(c query.Column) bool { return c.Alias == name })
}

func (b *binder) calculatedField(i int, m mode) (*node, error) {
	c := b.calculated[i]
	if c.Type != "" {
		return nil, unclear("calculated field %s has a type", c.Name)
	}
	if c.Window != nil {
		call, ok := c.Expr.(*query.Call)
		if !ok || c.Agg != "" {
			return nil, unclear("the window of %s", c.Expr)
		}
		return b.windowCall(call, c.Window, mode{within: m.within, earlier: i})
	}
	if c.Agg != "" {
		if m.within {
			return nil, refuse("aggregate_of_aggregate", "%s", c.Name)
		}
		arg, err := b.expr(c.Expr, mode{within: true, earlier: i})
		if err == nil {
			err = b.plainly(c.Expr)
		}
		if err != nil {
			return nil, err
		}
		return b.aggregate(b.model, semantic.Agg(query.CanonicalFunction(c.Agg)), arg, nil)
	}
	n, err := b.expr(c.Expr, mode{within: m.within, earlier: i, aggregated: b.groups(c.Expr, i) || b.grouped && b.windows(c.Expr, i)})
	if err != nil {
		return nil, err
	}
	return n.named("c:" + c.Name), nil
}

// field binds a field of the model.
func (b *binder) field(f *semantic.Field, m mode) (*node, error) {
	if err := b.sees(f); err != nil {
		return nil, err
	}
	if f.Tree {
		return b.treeField(f, m)
	}
	if f.Measure == nil {
		return &node{
			typ: f.Type, level: perRow, loose: []loose{reads(f)},
			eval: func(s *scope) (Value, error) { return b.shown(s.row, f), nil },
		}, nil
	}
	switch {
	case m.within && f.Measure.AggregateOnly():
		return nil, refuse("aggregate_of_aggregate", "%s", f.Name)
	case !m.within && (m.aggregated || f.Measure.AggregateOnly()):
		return b.measure(f.Measure)
	case b.model.Multi != nil && !m.within:
		return nil, unclear("%s of a row of several facts", f.Name)
	}
	n, err := b.rawMeasure(f.Measure)
	if err != nil {
		return nil, err
	}
	if b.blank(f.Measure) {
		n = null(n.typ, perRow)
	}
	n.semi = f.Measure.SemiAdd != nil
	n.raw, n.loose = !m.within, []loose{{id: "f:" + f.Name}}
	return n, nil
}

// reads returns what a field reads: itself, or the field that it is made from.
func reads(f *semantic.Field) loose {
	l := loose{id: "f:" + f.Name}
	if f.Of != nil {
		l.inner = []loose{reads(f.Of)}
	}
	return l
}

// own returns the field as the row's own model has it.
func (b *binder) own(row *base, f *semantic.Field) *semantic.Field {
	if b.model.Multi == nil {
		return f
	}
	return b.model.Multi.Field(row.model, f)
}

// keyed reports whether all that is read of a row is among the group keys or made of them.
func (b *binder) keyed(list []loose) bool {
	for _, l := range list {
		if !b.keys[l.id] && (len(l.inner) == 0 || !b.keyed(l.inner)) {
			return false
		}
	}
	return true
}

// id is a text that two expressions share when they are one thing: fields under all their spellings.
func (b *binder) id(e query.Expr) string {
	ref, ok := e.(*query.Ref)
	if !ok {
		return "e:" + e.String()
	}
	if slices.ContainsFunc(b.calculated, func(c query.Calculated) bool { return c.Name == ref.Name }) {
		return "c:" + ref.Name
	}
	if f := b.model.Field(ref.Name); f != nil {
		return "f:" + f.Name
	}
	return "a:" + ref.Name
}

// groups reports whether an expression stands for groups: an aggregate, or a measure that only exists aggregated.
func (b *binder) groups(e query.Expr, earlier int) bool {
	found := false
	query.Walk(e, func(e query.Expr) bool {
		switch e := e.(type) {
		case *query.Call:
			found = found || query.IsAggregate(e.Func) && e.Over == nil
		case *query.Ref:
			for i, c := range b.calculated[:earlier] {
				if c.Name == e.Name {
					found = found || c.Agg != "" || b.groups(overWindow(c), i)
				}
			}
			if f := b.model.Field(e.Name); f != nil && f.Measure != nil && f.Measure.AggregateOnly() {
				found = true
			}
		}
		return !found
	})
	return found
}

// overWindow returns the expression of a calculated field with its window.
func overWindow(c query.Calculated) query.Expr {
	call, ok := c.Expr.(*query.Call)
	if !ok || c.Window == nil {
		return c.Expr
	}
	over := *call
	over.Over = c.Window
	return &over
}

// conditionGroups is groups for a filter.
func (b *binder) conditionGroups(c query.Condition) bool {
	all := len(b.calculated)
	switch c := c.(type) {
	case *query.Compare:
		if f, ok := c.Value.(query.FieldRef); ok && b.groups(f.Expr, all) {
			return true
		}
		return b.groups(c.Field, all)
	case *query.Logic:
		return slices.ContainsFunc(c.Conds, b.conditionGroups)
	case *query.ExprCondition:
		return b.groups(c.Expr, all)
	}
	return false
}
