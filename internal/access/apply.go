package access

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Effect is what one rule does to a caller, for whoever asks why.
type Effect struct {
	Where string // of the rule: file:line:column
	What  string // hides, masks, rows, groups
	Field *semantic.Field
	Mask  semantic.Mask
	From  *semantic.Field // that Field is made from, when the rule does not name it
	Rule  string          // of a condition on rows or groups, an attribute as @name
	Words string          // the same with the identity's values in it
}

// Effects returns what the rules do, in the order of the file.
func (g Grant) Effects() []Effect {
	if g.narrows == nil {
		return nil
	}
	return g.narrows.effects
}

// apply narrows the grant by the rules that bind the identity.
func (g *Grant) apply(id Identity, p *semantic.Policy) {
	if p.Roles != nil && !slices.ContainsFunc(p.Roles, func(r string) bool { return slices.Contains(id.Roles, r) }) {
		*g = Grant{model: g.model}
		return
	}
	n := &narrowing{closed: map[*semantic.Field]closure{}}
	n.closeFields(g.model, id, p.Fields)
	for _, rule := range p.Rows {
		if exempt(id, rule.Unless) {
			continue
		}
		cond := bound(rule.Keeps, id)
		n.rows = append(n.rows, cond)
		n.effects = append(n.effects, Effect{Where: rule.Where, What: "rows", Rule: rule.Keeps.String(), Words: words(cond)})
	}
	for _, rule := range p.MinGroup {
		if !exempt(id, rule.Unless) {
			n.groups = append(n.groups, rule)
			n.effects = append(n.effects, Effect{Where: rule.Where, What: "groups", Field: rule.Of, Rule: rule.String(), Words: rule.String()})
		}
	}
	g.narrows = n
}

// words says a condition; one that nothing meets has no values to show.
func words(c query.Condition) string {
	if l, ok := c.(*query.Logic); ok && l.Op == query.AnyOf && len(l.Conds) == 0 {
		return "nothing"
	}
	return c.String()
}

func exempt(id Identity, unless []semantic.Exemption) bool {
	return slices.ContainsFunc(unless, func(e semantic.Exemption) bool { return e.Holds(id.User, id.Roles, id.Attributes) })
}

// closeFields hides and masks what each rule names, and all that is made from it and that this rule does not name. What
// one rule keeps open another may close: each narrows whatever the others left.
func (n *narrowing) closeFields(m *semantic.Model, id Identity, rules []semantic.FieldRule) {
	for _, r := range rules {
		if exempt(id, r.Unless) {
			continue
		}
		named := namedBy(r)
		for _, f := range unlisted(m, r) {
			n.close(f, closure{hidden: true}, Effect{Where: r.Where, What: "hides", Field: f})
			n.spread(m, f, nil, named, r.Where)
		}
		for _, f := range r.Hide {
			n.close(f, closure{hidden: true}, Effect{Where: r.Where, What: "hides", Field: f})
			n.spread(m, f, nil, named, r.Where)
		}
		for _, mf := range r.Mask {
			n.close(mf.Field, closure{masked: true, mask: mf.Mask}, Effect{Where: r.Where, What: "masks", Field: mf.Field, Mask: mf.Mask})
			n.spread(m, mf.Field, &mf.Mask, named, r.Where)
		}
	}
}

// namedBy are the fields that a rule names: what it says of them counts, whatever they are made from.
func namedBy(r semantic.FieldRule) map[*semantic.Field]bool {
	named := map[*semantic.Field]bool{}
	for _, f := range slices.Concat(r.Keep, r.Allow) {
		named[f] = true
	}
	for _, mf := range r.Mask {
		named[mf.Field] = true
	}
	return named
}

// unlisted returns what a list of allowed fields leaves out; what is cut or labelled from an allowed one goes with it.
func unlisted(m *semantic.Model, r semantic.FieldRule) []*semantic.Field {
	if !r.Only {
		return nil
	}
	var others []*semantic.Field
	for _, f := range m.Fields() {
		if !slices.Contains(r.Allow, f) && (f.Of == nil || !slices.Contains(r.Allow, f.Of)) {
			others = append(others, f)
		}
	}
	return others
}

// spread closes what tells something of a closed field, unless the rule names it. A nil mask hides.
func (n *narrowing) spread(m *semantic.Model, root *semantic.Field, mask *semantic.Mask, named map[*semantic.Field]bool, where string) {
	for _, t := range tellingOf(m, root, named) {
		c := closure{hidden: mask == nil}
		e := Effect{Where: where, What: "hides", Field: t.field, From: t.from}
		if mask != nil {
			c.masked, c.mask = true, t.mask(root, *mask)
			e.What, e.Mask = "masks", c.mask
		}
		n.close(t.field, c, e)
	}
}

// telling is a field that tells something of another's values: it reads the same column, or is made from it or from one
// that tells something. What is made from a field by its definition may read a column of its own, which stays open.
type telling struct {
	field, from *semantic.Field
	column      bool
}

// mask is what is shown of the field where a mask stands for the root: a label or a grain shows the mask that it is made
// from, a field of the same column has the same mask where its type allows, and anything else has none to show.
func (t telling) mask(root *semantic.Field, mask semantic.Mask) semantic.Mask {
	switch {
	case t.field.Of == t.from:
		return semantic.NoMask
	case t.column && t.field.Measure == nil && root.Measure == nil && t.field.Type.Kind == root.Type.Kind:
		return mask
	}
	return semantic.MaskNull
}

// tellingOf returns all that tells something of a field, nearest first; what a rule names, and what only that tells, is
// left out.
func tellingOf(m *semantic.Model, root *semantic.Field, named map[*semantic.Field]bool) []telling {
	met := map[*semantic.Field]bool{root: true}
	list := []telling{{field: root, column: true}}
	add := func(f, from *semantic.Field, column bool) {
		if !met[f] && !named[f] {
			met[f] = true
			list = append(list, telling{f, from, column})
		}
	}
	for i := 0; i < len(list); i++ {
		for _, f := range m.SameColumn(list[i].field) {
			add(f, list[i].field, true)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, f := range m.MadeFrom(list[i].field) {
			add(f, list[i].field, false)
		}
	}
	if m.Multi != nil {
		for _, fact := range m.Multi.Facts {
			tellingInFact(m, fact, root, add)
		}
	}
	return list[1:]
}

// tellingInFact adds what tells something of a field of a model of several facts because it does so in one of them.
func tellingInFact(m, fact *semantic.Model, root *semantic.Field, add func(f, from *semantic.Field, column bool)) {
	own := m.Multi.Field(fact, root)
	if own == nil {
		return
	}
	for _, t := range tellingOf(fact, own, nil) {
		for _, f := range m.Fields() {
			if m.Multi.Field(fact, f) == t.field {
				add(f, root, t.column)
			}
		}
	}
}

// close narrows what is known of a field. Two masks that differ are full; the mask of a hidden field still holds for what
// is made from it.
func (n *narrowing) close(f *semantic.Field, c closure, e Effect) {
	before := n.closed[f]
	after := closure{hidden: before.hidden || c.hidden, masked: before.masked || c.masked, mask: before.mask}
	switch {
	case c.masked && !before.masked:
		after.mask = c.mask
	case c.masked && before.mask != c.mask:
		after.mask = semantic.MaskFull
	}
	if after == before {
		return
	}
	n.closed[f] = after
	if c.hidden || !before.hidden {
		n.effects = append(n.effects, e)
	}
}
