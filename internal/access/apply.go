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

// closeFields hides and masks what the rules name, and all that is made from it and that no rule names.
func (n *narrowing) closeFields(m *semantic.Model, id Identity, rules []semantic.FieldRule) {
	var binding []semantic.FieldRule
	for _, r := range rules {
		if !exempt(id, r.Unless) {
			binding = append(binding, r)
		}
	}
	named := map[*semantic.Field]bool{}
	for _, r := range binding {
		for _, f := range slices.Concat(r.Keep, r.Allow) {
			named[f] = true
		}
		for _, mf := range r.Mask {
			named[mf.Field] = true
		}
	}
	for _, r := range binding {
		n.closeOthers(m, r, named)
		for _, f := range r.Hide {
			n.close(f, closure{hidden: true}, Effect{Where: r.Where, What: "hides", Field: f})
			n.spread(m, f, nil, named, r.Where)
		}
	}
	for _, r := range binding {
		for _, mf := range r.Mask {
			n.close(mf.Field, closure{mask: mf.Mask}, Effect{Where: r.Where, What: "masks", Field: mf.Field, Mask: mf.Mask})
			n.spread(m, mf.Field, &mf.Mask, named, r.Where)
		}
	}
}

// closeOthers hides what a list of allowed fields does not name; what is cut or labelled from an allowed one goes with it.
func (n *narrowing) closeOthers(m *semantic.Model, r semantic.FieldRule, named map[*semantic.Field]bool) {
	if !r.Only {
		return
	}
	for _, f := range m.Fields() {
		if slices.Contains(r.Allow, f) || f.Of != nil && slices.Contains(r.Allow, f.Of) {
			continue
		}
		n.close(f, closure{hidden: true}, Effect{Where: r.Where, What: "hides", Field: f})
		n.spread(m, f, nil, named, r.Where)
	}
}

// spread closes what is made from a closed field, unless a rule names it. A nil mask hides.
func (n *narrowing) spread(m *semantic.Model, from *semantic.Field, mask *semantic.Mask, named map[*semantic.Field]bool, where string) {
	for _, f := range m.MadeFrom(from) {
		c := closure{hidden: mask == nil}
		e := Effect{Where: where, What: "hides", Field: f, From: from}
		if mask != nil {
			c.mask = derived(f, from, *mask)
			e.What, e.Mask = "masks", c.mask
		}
		if named[f] || !n.close(f, c, e) {
			continue
		}
		n.spread(m, f, mask, named, where)
	}
}

// derived is the mask of a field that is made from a masked one: a label or a grain shows the mask it is made from, a
// field of the same column has the same mask where its type allows, and a measure has none to show.
func derived(f, from *semantic.Field, mask semantic.Mask) semantic.Mask {
	switch {
	case f.Of == from:
		return semantic.NoMask
	case f.Measure == nil && from.Measure == nil && f.Type.Kind == from.Type.Kind:
		return mask
	}
	return semantic.MaskNull
}

// close narrows what is known of a field, and reports whether that changed anything. Two masks that differ are full.
func (n *narrowing) close(f *semantic.Field, c closure, e Effect) bool {
	before, closed := n.closed[f]
	switch {
	case closed && before.hidden, closed && before == c:
		return false
	case closed && !c.hidden && before.mask != c.mask:
		c.mask = semantic.MaskFull
		if before.mask == c.mask {
			return false
		}
	}
	n.closed[f] = c
	n.effects = append(n.effects, e)
	return true
}
