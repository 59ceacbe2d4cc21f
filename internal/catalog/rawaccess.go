package catalog

import (
	"slices"

	"parlance/internal/semantic"
)

// rawAccess is the access block of a model, or a reusable one of policies.yaml.
type rawAccess struct {
	placed
	models   object[rawAudience, *rawAudience]
	conceal  truth
	use      texts
	applies  texts // in policies.yaml: to models that do not say that they use it
	fields   objects[rawFieldRule, *rawFieldRule]
	rows     objects[rawRowRule, *rawRowRule]
	minGroup rawMinGroups
}

func (a *rawAccess) shape() shape {
	return shape{what: "an access block", keys: []key{
		{"models", &a.models, false},
		{"conceal", &a.conceal, false},
		{"use", &a.use, false},
		{"fields", &a.fields, false},
		{"rows", &a.rows, false},
		{"min_group", &a.minGroup, false},
	}}
}

type rawAudience struct {
	placed
	roles texts
}

func (a *rawAudience) shape() shape {
	return shape{what: "an audience", keys: []key{{"roles", &a.roles, true}}}
}

type rawFieldRule struct {
	placed
	allow, hide, keep texts
	mask              rawMasks
	unless            rawExemptions
}

func (f *rawFieldRule) shape() shape {
	return shape{what: "a rule on fields", keys: []key{
		{"allow", &f.allow, false},
		{"hide", &f.hide, false},
		{"mask", &f.mask, false},
		{"keep", &f.keep, false},
		{"unless", &f.unless, false},
	}}
}

// rawMasks maps fields to masks. The mask null may stand without quotes.
type rawMasks struct{ pairs }

func (m *rawMasks) read(r *report, n *node) {
	spelled := *n
	spelled.members = slices.Clone(n.members)
	for i, member := range spelled.members {
		if member.value.kind == nullNode {
			spelled.members[i].value = &node{kind: stringNode, text: string(semantic.MaskNull), at: member.value.at}
		}
	}
	m.pairs.read(r, &spelled)
}

// rawRowRule is a condition on rows: a comparison, or an and or an or of some.
type rawRowRule struct {
	placed
	field, op, attribute text
	value                constants
	maxDepth             count
	and, or              objects[rawRowRule, *rawRowRule]
	unless               rawExemptions
}

func (c *rawRowRule) shape() shape {
	return shape{what: "a rule on rows", keys: []key{
		{"field", &c.field, false},
		{"op", &c.op, false},
		{"attribute", &c.attribute, false},
		{"value", &c.value, false},
		{"max_depth", &c.maxDepth, false},
		{"and", &c.and, false},
		{"or", &c.or, false},
		{"unless", &c.unless, false},
	}}
}

type rawMinGroup struct {
	placed
	of     text
	n      count
	unless rawExemptions
}

func (g *rawMinGroup) shape() shape {
	return shape{what: "a smallest group", keys: []key{
		{"of", &g.of, true},
		{"n", &g.n, true},
		{"unless", &g.unless, false},
	}}
}

// rawMinGroups is one smallest group or a list of them.
type rawMinGroups struct{ list []*rawMinGroup }

func (g *rawMinGroups) read(r *report, n *node) {
	g.list = oneOrMore[rawMinGroup](r, n)
}

// rawExemption is who a rule does not bind. All of its keys must hold.
type rawExemption struct {
	placed
	role, user alternatives
	attribute  rawAttributes
}

func (e *rawExemption) shape() shape {
	return shape{what: "an exemption", keys: []key{
		{"role", &e.role, false},
		{"user", &e.user, false},
		{"attribute", &e.attribute, false},
	}}
}

// rawExemptions is one exemption or a list of them, any of which holds.
type rawExemptions struct{ list []*rawExemption }

func (e *rawExemptions) read(r *report, n *node) {
	e.list = oneOrMore[rawExemption](r, n)
	for _, one := range e.list {
		if !one.role.set() && !one.user.set() && len(one.attribute.list) == 0 {
			r.add(one.at, "an exemption names a role, a user or an attribute")
		}
	}
}

// rawAttributes maps the name of an attribute to the values of which it must hold one.
type rawAttributes struct{ list []rawAttributeValues }

type rawAttributeValues struct {
	name   text
	values alternatives
}

func (a *rawAttributes) read(r *report, n *node) {
	if n.kind != mapNode || len(n.members) == 0 {
		r.add(n.at, "wanted a mapping from attribute to value, got %s", n.kind)
		return
	}
	for _, m := range n.members {
		one := rawAttributeValues{name: text{m.key, m.at}}
		one.values.read(r, m.value)
		a.list = append(a.list, one)
	}
}

// rawPolicies is a policies.yaml: access blocks by name, which models use or which name the models themselves.
type rawPolicies struct{ list []rawPolicy }

// rawShared is an access block of policies.yaml.
type rawShared struct{ rawAccess }

func (a *rawShared) shape() shape {
	s := a.rawAccess.shape()
	s.what = "a policy"
	s.keys = slices.DeleteFunc(s.keys, func(k key) bool { return k.name == "use" })
	s.keys = append(s.keys, key{"for", &a.applies, false})
	return s
}

type rawPolicy struct {
	name   text
	access *rawAccess
}

func (p *rawPolicies) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "a file of policies is a mapping, got %s", n.kind)
		return
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "policy %q stands twice", m.key)
			continue
		}
		seen[m.key] = true
		shared := &rawShared{}
		if readShape(r, m.value, shared) {
			p.list = append(p.list, rawPolicy{text{m.key, m.at}, &shared.rawAccess})
		}
	}
}
