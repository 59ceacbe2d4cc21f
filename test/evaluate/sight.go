package evaluate

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Sight is what one person sees: data from which rows were taken away, with masks in the place of values. The zero Sight
// sees everything. Its maps are keyed by the fields of the model that is asked and, in Groups and Keeps, by the models
// whose rows count.
type Sight struct {
	Keeps   func(fact *semantic.Model, read func(*semantic.Field) Value) bool // nil: every row
	Hidden  map[*semantic.Field]bool
	Masks   map[*semantic.Field]func(Value) Value // of what a field itself holds
	OfMasks map[*semantic.Field]func(Value) Value // of what the field that a label or a grain is made from holds
	Blank   map[*semantic.Field]bool              // measures that are null
	Groups  map[*semantic.Model][]Least           // groups of fewer are not there
	Keyless bool                                  // the key of the model's rows is not seen as it is
}

// Least is how many distinct values of a field a group must have.
type Least struct {
	Of *semantic.Field
	N  int
}

// Holder returns which values of a type meet an operator with constants, as a filter would.
func Holder(m *semantic.Model, in Input, t value.Type, op query.Op, operand query.Operand) (func(Value) bool, error) {
	b := &binder{model: m, today: in.Today, data: in.Data}
	return b.tester(t, op, operand)
}

// sees reports whether what a field holds may be asked for by name.
func (b *binder) sees(f *semantic.Field) error {
	if !b.trusted && b.sight.Hidden[f] {
		return refuse("forbidden_field", "%s", f.Name)
	}
	return nil
}

// trusting returns the binder of the model's own definitions, which read what is there.
func (b *binder) trusting() *binder {
	t := *b
	t.trusted = true
	return &t
}

// shown is what the person sees of a field of a row.
func (b *binder) shown(row *base, f *semantic.Field) Value {
	own := b.own(row, f)
	if b.trusted {
		return row.field(own)
	}
	if mask, ok := b.sight.Masks[f]; ok {
		return mask(row.field(own))
	}
	mask, ok := b.sight.OfMasks[f]
	switch {
	case !ok:
		return row.field(own)
	case f.Role == semantic.CodeLabel:
		return labelled(f.Dictionary, mask(row.field(own.Of)))
	}
	return cut(mask(row.field(own.Of)), f.Grain, row.model.Calendar.Zone)
}

// blank reports whether a measure of the model that is asked is shown as null.
func (b *binder) blank(m *semantic.Measure) bool {
	return !b.trusted && b.sight.Blank[b.model.Field(m.Name)]
}

func null(t value.Type, l level) *node {
	return &node{typ: t, level: l, eval: func(*scope) (Value, error) { return Value{}, nil }}
}

// least reports whether small groups are kept from the person.
func (b *binder) least() bool { return len(b.sight.Groups) > 0 }

// enough reports whether rows are of as many members as every rule of their fact wants.
func (b *binder) enough(fact *semantic.Model, rows []*base) bool {
	for _, l := range b.sight.Groups[fact] {
		seen := map[string]bool{}
		for _, r := range rows {
			if v := r.field(l.Of); !v.IsNull() {
				seen[v.identity()] = true
			}
		}
		if len(seen) < l.N {
			return false
		}
	}
	return true
}

// bindLeast keeps small groups out.
func (r *run) bindLeast() error {
	if !r.least() {
		return nil
	}
	if !r.grouped {
		return refuse("small_groups", "single rows")
	}
	r.after = append(r.after, &node{typ: boolean, level: perGroup, eval: func(s *scope) (Value, error) {
		for _, fact := range r.facts() {
			rows, has := s.group.parts[fact]
			if (has || r.model.Multi == nil) && !r.enough(fact, rows) {
				return Flag(false), nil
			}
		}
		return Flag(true), nil
	}})
	return nil
}

// withheld is a measure that counts some rows of a group only where those are of enough members.
func (b *binder) withheld(m *semantic.Measure, semi *semantic.SemiAdditive, n *node) (*node, error) {
	if len(b.sight.Groups[b.model]) == 0 || m.Filter == nil && semi == nil {
		return n, nil
	}
	filter := literal(boolean, Flag(true))
	if m.Filter != nil {
		var err error
		if filter, err = b.trusting().expr(m.Filter, mode{within: true}); err != nil {
			return nil, err
		}
	}
	return &node{typ: n.typ, level: n.level, eval: func(s *scope) (Value, error) {
		rows := s.group.parts[b.model]
		if semi != nil {
			rows = ends(b.model, rows, semi)
		}
		var counted []*base
		for _, row := range rows {
			ok, err := filter.holds(&scope{row: row})
			if err != nil {
				return Value{}, err
			}
			if ok {
				counted = append(counted, row)
			}
		}
		if !b.enough(b.model, counted) {
			return Value{}, nil
		}
		return n.eval(s)
	}}, nil
}

// conditional reports whether an expression aggregates more than names.
func conditional(e query.Expr) (found bool) {
	if e == nil {
		return false
	}
	query.Walk(e, func(x query.Expr) bool {
		if c, ok := x.(*query.Call); ok && query.IsAggregate(c.Func) && len(c.Args) == 1 {
			_, plain := c.Args[0].(*query.Ref)
			found = found || !plain
		}
		return true
	})
	return found
}

// plainly refuses an aggregate of more than a field where small groups are kept from the person.
func (b *binder) plainly(e query.Expr) error {
	ref, ok := e.(*query.Ref)
	if !b.least() || b.trusted || ok && b.model.Field(ref.Name) != nil {
		return nil
	}
	return refuse("small_groups", "an aggregate of %s", e)
}

// refusesMeasure refuses a measure whose own definition picks rows in a way that cannot be counted.
func (b *binder) refusesMeasure(m *semantic.Measure) error {
	own, fact := m, b.model
	if m.Of != nil {
		own, fact = m.Of.Measure, m.Of.Fact
	}
	if len(b.sight.Groups[fact]) > 0 && (conditional(own.Expression) || own.Agg == semantic.GroupConcat) {
		return refuse("small_groups", "%s", m.Name)
	}
	return nil
}

// plainlySeen reports whether a name is of a field that is seen as it is.
func (b *binder) plainlySeen(e query.Expr) bool {
	f := b.model.Field(e.(*query.Ref).Name)
	return !b.sight.Hidden[f] && b.sight.Masks[f] == nil && b.sight.OfMasks[f] == nil && !b.sight.Blank[f]
}

// windowed reports whether anything of the answer looks at the rows beside a row.
func (r *run) windowed() bool {
	for _, o := range r.columns {
		if o.node.level == perWindow {
			return true
		}
	}
	for _, o := range r.order {
		if o.node.level == perWindow {
			return true
		}
	}
	return len(r.last) > 0
}

// factsIn returns the models whose rows an expression aggregates.
func (r *run) factsIn(e query.Expr) []*semantic.Model {
	if r.model.Multi == nil {
		return []*semantic.Model{r.model}
	}
	var facts []*semantic.Model
	seen := map[string]bool{}
	var see func(e query.Expr)
	see = func(e query.Expr) {
		query.Walk(e, func(x query.Expr) bool {
			ref, ok := x.(*query.Ref)
			if !ok || seen[ref.Name] {
				return true
			}
			seen[ref.Name] = true
			if f := r.model.Field(ref.Name); f != nil && f.Measure != nil && f.Measure.Of != nil {
				facts = append(facts, f.Measure.Of.Fact)
			}
			for _, c := range r.input.Query.Calculated {
				if c.Name == ref.Name {
					see(c.Expr)
				}
			}
			for _, c := range r.input.Query.Columns {
				if c.Alias == ref.Name {
					see(c.Expr)
				}
			}
			return true
		})
	}
	see(e)
	return facts
}
