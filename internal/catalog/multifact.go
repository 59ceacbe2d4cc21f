package catalog

import (
	"maps"
	"slices"
	"strings"

	"parlance/internal/semantic"
)

// multi builds a model of several facts from the models of the namespace.
func (b *builder) multi(models map[string]*semantic.Model) {
	b.refuseOwnRows()
	facts := b.facts(models)
	b.model.Multi = &semantic.MultiFact{Facts: facts}
	if b.raw.cache.value == nil {
		b.model.Cache = factsCaching(facts)
	}
	for _, entry := range b.raw.share.list {
		b.shared(entry, facts)
	}
	if b.raw.share.at == (pos{}) {
		b.r.add(b.raw.facts.at, `a model of several facts needs the key "share"`)
	}
	for _, raw := range b.raw.measures.list {
		b.ofeasure(raw, facts)
	}
	b.finish()
}

// refuseOwnRows reports what only a model with rows of its own can have.
func (b *builder) refuseOwnRows() {
	raw := b.raw
	refuse := func(key string, at pos) {
		if at != (pos{}) {
			b.r.add(at, "a model of several facts has no %q of its own", key)
		}
	}
	refuse("source", raw.source.where())
	refuse("datasource", raw.datasource.at)
	for _, d := range raw.dimensions.list {
		refuse("dimensions", d.at)
	}
	for _, a := range raw.attributes.list {
		refuse("attributes", a.at)
	}
}

// facts returns the models that stand side by side; all read one datasource.
func (b *builder) facts(models map[string]*semantic.Model) []*semantic.Model {
	if n := len(b.raw.facts.list); n < 2 {
		b.r.add(b.raw.facts.at, "a model of several facts names two at least, got %d", n)
	}
	var facts []*semantic.Model
	for _, name := range b.raw.facts.list {
		fact, ok := models[name.value]
		switch {
		case !ok && b.lost.models:
			continue
		case !ok:
			b.r.add(name.at, "unknown model %q%s", name.value, meant(name.value, slices.Sorted(maps.Keys(models))))
			continue
		case fact.Multi != nil || fact == b.model:
			b.r.add(name.at, "model %q is itself one of several facts", name.value)
			continue
		case len(facts) > 0 && facts[0].Datasource != fact.Datasource:
			b.r.add(name.at, "model %q reads datasource %q, and %q reads %q; facts share one",
				name.value, fact.Datasource, facts[0].Name, facts[0].Datasource)
		}
		facts = append(facts, fact)
	}
	if len(facts) > 0 {
		b.model.Datasource = facts[0].Datasource
	}
	return facts
}

// shared adds a dimension that every fact has. Its fields are those that it has in all of them.
func (b *builder) shared(entry sharedEntry, facts []*semantic.Model) {
	s := semantic.Shared{Name: entry.name.value, In: map[string]string{}}
	b.checkShareKeys(entry, facts)
	var common *semantic.Dimension
	for i, fact := range facts {
		name, ok := nameIn(entry, fact.Name)
		if !ok {
			b.r.add(entry.name.at, "shared dimension %q does not say what it is in %q", s.Name, fact.Name)
			continue
		}
		d := fact.Dimension(name.value)
		if d == nil {
			b.r.add(name.at, "model %q has no dimension %q%s", fact.Name, name.value, meant(name.value, dimensionNames(fact)))
			continue
		}
		s.In[fact.Name] = d.Name
		switch {
		case common == nil:
			common = sharedCopy(d, nil, s.Name)
			common.Alias = ""
		case !sameTable(common, d):
			b.r.add(name.at, "dimension %q of %q and its share in %q do not stand on the same table, id and label",
				d.Name, fact.Name, facts[i-1].Name)
		default:
			keepCommon(common, d)
		}
	}
	b.model.Multi.Share = append(b.model.Multi.Share, s)
	if common != nil {
		b.model.Dimensions = append(b.model.Dimensions, common)
	}
}

func (b *builder) checkShareKeys(entry sharedEntry, facts []*semantic.Model) {
	var names []string
	for _, f := range facts {
		names = append(names, f.Name)
	}
	for _, p := range entry.each.list {
		if !slices.Contains(names, p.key.value) && slices.Contains(b.raw.facts.values(), p.key.value) {
			continue // reported as a fact already
		}
		if !slices.Contains(names, p.key.value) {
			b.r.add(p.key.at, "%q is not one of the facts%s", p.key.value, meant(p.key.value, names))
		}
	}
}

func nameIn(entry sharedEntry, fact string) (text, bool) {
	if entry.same.set() {
		return entry.same, true
	}
	for _, p := range entry.each.list {
		if p.key.value == fact {
			return p.value, true
		}
	}
	return text{}, false
}

func dimensionNames(m *semantic.Model) []string {
	var names []string
	for _, d := range m.Dimensions {
		names = append(names, d.Name)
	}
	return names
}

// sharedCopy returns a dimension under a new name. It has no join: each fact has its own.
func sharedCopy(d, parent *semantic.Dimension, name string) *semantic.Dimension {
	c := *d
	c.Name, c.Path, c.Parent = name, name, parent
	if parent == nil {
		c.Join = nil
	} else {
		c.Path = parent.Path + "." + name
	}
	c.Attributes = slices.Clone(d.Attributes)
	c.Dimensions = nil
	for _, n := range d.Dimensions {
		c.Dimensions = append(c.Dimensions, sharedCopy(n, &c, n.Name))
	}
	return &c
}

func sameTable(a, b *semantic.Dimension) bool {
	return a.Source == b.Source && a.ID == b.ID && a.Label == b.Label
}

// keepCommon leaves in common what d has too.
func keepCommon(common, d *semantic.Dimension) {
	common.Attributes = slices.DeleteFunc(common.Attributes, func(a *semantic.Attribute) bool {
		return !slices.ContainsFunc(d.Attributes, func(o *semantic.Attribute) bool {
			return o.Name == a.Name && o.Column == a.Column && o.Type == a.Type && o.Dictionary == a.Dictionary
		})
	})
	common.Date = common.Date && d.Date
	if d.Hierarchy == nil || common.Hierarchy == nil || *d.Hierarchy != *common.Hierarchy {
		common.Hierarchy = nil
	}
	common.Dimensions = slices.DeleteFunc(common.Dimensions, func(n *semantic.Dimension) bool {
		for _, o := range d.Dimensions {
			if o.Name == n.Name && sameTable(n, o) && slices.Equal(n.Join, o.Join) {
				keepCommon(n, o)
				return false
			}
		}
		return true
	})
}

// ofeasure adds a measure of one of the facts, by its own name or as of: Fact.measure.
func (b *builder) ofeasure(raw *rawMeasure, facts []*semantic.Model) {
	if !raw.name.set() {
		return
	}
	for _, own := range []struct {
		key string
		at  pos
	}{
		{"agg", raw.agg.at}, {"column", raw.column.at}, {"type", raw.typ.at}, {"filter", raw.filter.at},
		{"expression", raw.expression.at}, {"additivity", raw.additivity.where()},
	} {
		if own.at != (pos{}) {
			b.r.add(own.at, "a measure of a model of several facts has no %q of its own", own.key)
		}
	}
	of := b.ownMeasure(raw, facts)
	if of == nil {
		return
	}
	m := *of.Measure
	m.Name, m.Of = raw.name.value, of
	if raw.caption.set() {
		m.Caption = raw.caption.value
	}
	if raw.description.set() {
		m.Description = raw.description.value
	}
	if raw.synonyms.set() {
		m.Synonyms = raw.synonyms.values()
	}
	if raw.unit.set() {
		m.Unit = raw.unit.value
	}
	if raw.group.set() {
		m.Group = raw.group.value
	}
	b.model.Measures = append(b.model.Measures, &m)
}

// ownMeasure returns whose measure a name means, or reports that it means none or several.
func (b *builder) ownMeasure(raw *rawMeasure, facts []*semantic.Model) *semantic.MeasureOf {
	if raw.of.set() {
		return b.qualifiedMeasure(raw.of, facts)
	}
	var found []*semantic.MeasureOf
	var owners, names []string
	for _, fact := range facts {
		for _, m := range fact.Measures {
			names = append(names, m.Name)
			if m.Name == raw.name.value {
				found = append(found, &semantic.MeasureOf{Fact: fact, Measure: m})
				owners = append(owners, fact.Name)
			}
		}
	}
	switch len(found) {
	case 0:
		b.r.add(raw.name.at, "no fact has a measure %q%s", raw.name.value, meant(raw.name.value, names))
		return nil
	case 1:
		return found[0]
	}
	b.r.add(raw.name.at, "measure %q stands in %s; say which with {name: %s, of: %s.%s}",
		raw.name.value, strings.Join(owners, " and "), raw.name.value, owners[0], raw.name.value)
	return nil
}

func (b *builder) qualifiedMeasure(of text, facts []*semantic.Model) *semantic.MeasureOf {
	factName, measure, cut := strings.Cut(of.value, ".")
	if !cut {
		b.r.add(of.at, `"of" names a fact and its measure, such as %s.%s`, "FactSales", of.value)
		return nil
	}
	var names []string
	for _, fact := range facts {
		names = append(names, fact.Name)
		if fact.Name != factName {
			continue
		}
		var measures []string
		for _, m := range fact.Measures {
			measures = append(measures, m.Name)
			if m.Name == measure {
				return &semantic.MeasureOf{Fact: fact, Measure: m}
			}
		}
		b.r.add(of.at, "model %q has no measure %q%s", factName, measure, meant(measure, measures))
		return nil
	}
	b.r.add(of.at, "%q is not one of the facts%s", factName, meant(factName, names))
	return nil
}
