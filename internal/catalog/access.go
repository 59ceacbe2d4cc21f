package catalog

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// policies are the reusable access blocks of a namespace, by name.
type policies map[string]namedPolicy

type namedPolicy struct {
	file   string
	access *rawAccess
}

// checkAccess builds the model's policy: its own rules and those of the blocks that it uses. All of them narrow.
func (b *builder) checkAccess() {
	p := &semantic.Policy{HashKey: b.hashKey}
	given := false
	for _, name := range slices.Sorted(maps.Keys(b.policies)) {
		block := b.policies[name]
		if slices.Contains(block.access.applies.values(), b.model.Name) {
			given = true
			b.addAccess(p, block.access, block.file, b.raw.model.at)
		}
	}
	if given {
		b.model.Access = p
	}
	raw := b.raw.access.value
	if raw == nil {
		return
	}
	b.addAccess(p, raw, b.r.file, pos{})
	for _, name := range raw.use.list {
		block, ok := b.policies[name.value]
		if !ok {
			if !b.lost.policies {
				b.r.add(name.at, "unknown policy %q%s", name.value, meant(name.value, slices.Sorted(maps.Keys(b.policies))))
			}
			continue
		}
		b.addAccess(p, block.access, block.file, name.at)
	}
	b.model.Access = p
}

// accessRules adds the rules of one block to a policy. Problems of a block of another file are told at use.
type accessRules struct {
	*builder
	policy *semantic.Policy
	file   string
	use    pos
}

func (b *builder) addAccess(p *semantic.Policy, raw *rawAccess, file string, use pos) {
	a := accessRules{b, p, file, use}
	if m := raw.models.value; m != nil {
		a.audience(m)
	}
	p.Conceal = p.Conceal || raw.conceal.value
	for _, rule := range raw.fields.list {
		p.Fields = append(p.Fields, a.fieldRule(rule))
	}
	for _, rule := range raw.rows.list {
		p.Rows = append(p.Rows, semantic.RowRule{Where: a.where(rule.at), Keeps: a.condition(rule), Unless: a.exemptions(rule.unless)})
	}
	for _, g := range raw.minGroup.list {
		p.MinGroup = append(p.MinGroup, a.minGroup(g))
	}
}

// wrong reports a problem of the block.
func (a accessRules) wrong(at pos, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if a.use == (pos{}) {
		a.r.add(at, "%s", message)
		return
	}
	a.r.add(a.use, "%s: %s", a.where(at), message)
}

func (a accessRules) where(at pos) string {
	return fmt.Sprintf("%s:%d:%d", a.file, at.line, at.column)
}

// audience narrows who may see the model: with two lists, who stands in both.
func (a accessRules) audience(m *rawAudience) {
	roles := m.roles.values()
	if len(roles) == 0 {
		a.wrong(m.roles.at, "no role is named; a model that nobody may see is left out of the folder")
	}
	if a.policy.Roles == nil {
		a.policy.Roles = append([]string{}, roles...)
		return
	}
	a.policy.Roles = slices.DeleteFunc(a.policy.Roles, func(r string) bool { return !slices.Contains(roles, r) })
}

func (a accessRules) fieldRule(raw *rawFieldRule) semantic.FieldRule {
	rule := semantic.FieldRule{
		Where: a.where(raw.at), Only: raw.allow.set(), Allow: a.named(raw.allow), Hide: a.named(raw.hide), Keep: a.named(raw.keep),
		Unless: a.exemptions(raw.unless),
	}
	if !raw.allow.set() && !raw.hide.set() && !raw.mask.set() {
		a.wrong(raw.at, "a rule on fields has allow, hide or mask")
	}
	for _, p := range raw.mask.list {
		mask := semantic.Mask(p.value.value)
		if !slices.Contains(semantic.Masks, mask) {
			a.wrong(p.value.at, "unknown mask %q%s", p.value.value, meant(p.value.value, maskWords()))
			continue
		}
		for _, f := range a.fields(p.key) {
			a.checkMask(f, mask, p)
			rule.Mask = append(rule.Mask, semantic.MaskedField{Field: f, Mask: mask})
		}
	}
	return rule
}

// checkMask refuses a mask that the field's type cannot show.
func (a accessRules) checkMask(f *semantic.Field, mask semantic.Mask, p pair) {
	if mask == semantic.MaskHash && a.policy.HashKey == "" && a.live.schema != nil {
		a.wrong(p.value.at, `the mask "hash" needs mask_secret in the namespace's configuration`)
	}
	if f.Measure == nil && f.Type.Kind == value.String || a.untyped[f.Name] {
		return
	}
	if mask != semantic.MaskFull && mask != semantic.MaskNull {
		a.wrong(p.value.at, "%s is no text, so its mask is %q or %q, not %q", f.Name, semantic.MaskFull, semantic.MaskNull, mask)
	}
}

func maskWords() []string {
	words := make([]string, len(semantic.Masks))
	for i, m := range semantic.Masks {
		words[i] = string(m)
	}
	return words
}

// named returns the fields that a list names.
func (a accessRules) named(list texts) []*semantic.Field {
	var fields []*semantic.Field
	for _, name := range list.list {
		fields = append(fields, a.fields(name)...)
	}
	return fields
}

// fields returns the field of a name, or every field of a dimension.
func (a accessRules) fields(name text) []*semantic.Field {
	if f := a.model.Field(name.value); f != nil {
		return []*semantic.Field{f}
	}
	var of []*semantic.Field
	for _, f := range a.model.Fields() {
		if d := f.Dimension; d != nil && (d.Path == name.value || strings.HasPrefix(d.Path, name.value+".")) {
			of = append(of, f)
		}
	}
	if len(of) == 0 && !a.maybeGrain(name.value) {
		a.wrong(name.at, "unknown field or dimension %q%s", name.value, meant(name.value, a.fieldNames()))
	}
	return of
}

func (a accessRules) exemptions(raw rawExemptions) []semantic.Exemption {
	var list []semantic.Exemption
	for _, e := range raw.list {
		one := semantic.Exemption{Roles: e.role.values, Users: e.user.values}
		for _, v := range e.attribute.list {
			a.knownAttribute(v.name)
			one.Attributes = append(one.Attributes, semantic.AttributeValues{Name: v.name.value, Values: v.values.values})
		}
		list = append(list, one)
	}
	return list
}

// knownAttribute reports an attribute that no identity of the namespace can have.
func (a accessRules) knownAttribute(name text) {
	if a.identityAttributes == nil || slices.Contains(a.identityAttributes, name.value) {
		return
	}
	a.wrong(name.at, "no identity of the namespace has an attribute %q%s", name.value, meant(name.value, a.identityAttributes))
}

// condition builds a condition on rows.
func (a accessRules) condition(raw *rawRowRule) semantic.RowCondition {
	forms := 0
	for _, there := range []bool{raw.field.set(), len(raw.and.list) > 0, len(raw.or.list) > 0} {
		if there {
			forms++
		}
	}
	if forms != 1 {
		a.wrong(raw.at, `a rule on rows has "field", "and" or "or", and one of them only`)
		return semantic.RowCondition{}
	}
	if !raw.field.set() {
		return semantic.RowCondition{All: a.conditions(raw.and.list), Any: a.conditions(raw.or.list)}
	}
	return a.comparison(raw)
}

func (a accessRules) conditions(list []*rawRowRule) []semantic.RowCondition {
	var conds []semantic.RowCondition
	for _, c := range list {
		if len(c.unless.list) > 0 {
			a.wrong(c.unless.list[0].at, "an exemption stands beside the whole rule, not within it")
		}
		conds = append(conds, a.condition(c))
	}
	return conds
}

func (a accessRules) comparison(raw *rawRowRule) semantic.RowCondition {
	c := semantic.RowCondition{Attribute: raw.attribute.value, Values: raw.value.list}
	c.Field = a.rowFieldOf(raw.field)
	if raw.maxDepth.at != (pos{}) {
		c.MaxDepth = &raw.maxDepth.value
	}
	var ok bool
	if c.Op, ok = query.ParseOp(raw.op.value); !ok {
		if raw.op.set() {
			a.wrong(raw.op.at, "unknown operator %q%s", raw.op.value, meant(raw.op.value, query.OpWords))
		} else {
			a.wrong(raw.at, `a rule on rows needs the key "op"`)
		}
		return semantic.RowCondition{}
	}
	a.checkOperand(raw, c)
	a.checkConstants(raw, c)
	if raw.attribute.set() {
		a.knownAttribute(raw.attribute)
	}
	return c
}

// rowFieldOf returns a field that has a value in a row, or nil with a problem reported.
func (a accessRules) rowFieldOf(name text) *semantic.Field {
	f := a.model.Field(name.value)
	switch {
	case f == nil && a.maybeGrain(name.value):
	case f == nil && a.model.Multi != nil:
		a.wrong(name.at, "field %q is not shared by all facts, so its rule could not bind each of them%s", name.value, meant(name.value, a.fieldNames()))
	case f == nil:
		a.wrong(name.at, "unknown field %q%s", name.value, meant(name.value, a.fieldNames()))
	case f.Measure != nil && (f.Measure.AggregateOnly() || f.Measure.Of != nil), f.Tree:
		a.wrong(name.at, "%q has no value in a row, so no rule on rows can use it", name.value)
		return nil
	}
	return f
}

func (a accessRules) checkOperand(raw *rawRowRule, c semantic.RowCondition) {
	takes := c.Op.Arity()
	given := raw.attribute.set() || raw.value.at != (pos{})
	switch {
	case raw.attribute.set() && raw.value.at != (pos{}):
		a.wrong(raw.at, `a rule on rows has "attribute" or "value", not both`)
	case takes == query.TakesNothing && given:
		a.wrong(raw.op.at, "%q takes no value", c.Op)
	case takes != query.TakesNothing && !given:
		a.wrong(raw.at, `a rule on rows needs the key "attribute" or "value"`)
	case takes == query.TakesInterval && raw.value.at != (pos{}) && len(c.Values) != 2:
		a.wrong(raw.value.at, "%q takes two values, got %d", c.Op, len(c.Values))
	case takes == query.TakesScalar && len(c.Values) > 1:
		a.wrong(raw.value.at, "%q takes one value, got %d", c.Op, len(c.Values))
	case c.Op.Hierarchical() && c.Field != nil && (c.Field.Role != semantic.ID || c.Field.Dimension == nil || c.Field.Dimension.Hierarchy == nil):
		a.wrong(raw.op.at, "%q walks a hierarchy, and %s is not the id of one", c.Op, c.Field.Name)
	case raw.maxDepth.at != (pos{}) && !c.Op.Hierarchical():
		a.wrong(raw.maxDepth.at, "only an operator that walks a hierarchy has max_depth")
	}
}

// checkConstants reports values that a number or a boolean cannot have. Dates are words too, and read by the resolver.
func (a accessRules) checkConstants(raw *rawRowRule, c semantic.RowCondition) {
	if c.Field == nil || a.untyped[c.Field.Name] {
		return
	}
	for _, v := range c.Values {
		fits := true
		switch {
		case c.Field.Type.Numeric():
			_, ok := new(big.Rat).SetString(v.Text)
			fits = v.Kind != query.BoolLiteral && ok
		case c.Field.Type.Kind == value.Boolean:
			fits = v.Kind == query.BoolLiteral || v.Text == "true" || v.Text == "false"
		}
		if !fits {
			a.wrong(raw.value.at, "%s is %s, which %q is not", c.Field.Name, c.Field.Type.Name(), v.Text)
		}
	}
}

func (a accessRules) minGroup(raw *rawMinGroup) semantic.MinGroup {
	g := semantic.MinGroup{Where: a.where(raw.at), N: raw.n.value, Unless: a.exemptions(raw.unless)}
	if a.model.Multi != nil {
		a.wrong(raw.at, "a smallest group stands in the model of each fact, not in one of several")
		return g
	}
	if g.Of = a.rowFieldOf(raw.of); g.Of != nil && g.Of.Measure != nil {
		a.wrong(raw.of.at, "%q is a measure; groups are counted by the values of another field", raw.of.value)
	}
	return g
}
