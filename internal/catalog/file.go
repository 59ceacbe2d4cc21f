package catalog

// The structs below are a model file as it was written: every value with its place, nothing resolved, nothing
// defaulted. The shape methods are the one list of the keys that the format has; schema/model.json publishes it.

type rawModel struct {
	placed
	model, caption, description text
	synonyms                    texts
	source                      object[rawSource, *rawSource]
	datasource, time            text
	defaultOrder, requireFilter texts
	timezone, weekStart         text
	fiscalStart, today          text
	dimensions                  objects[rawDimension, *rawDimension]
	attributes                  objects[rawAttribute, *rawAttribute]
	measures                    rawMeasures
	facts                       texts
	share                       rawShare
	examples                    objects[rawExample, *rawExample]
	access                      object[rawAccess, *rawAccess]
	rollups                     objects[rawRollup, *rawRollup]
	cache                       object[rawCache, *rawCache]
}

func (m *rawModel) shape() shape {
	return shape{
		what: "a model",
		keys: []key{
			{"model", &m.model, true},
			{"caption", &m.caption, false},
			{"description", &m.description, false},
			{"synonyms", &m.synonyms, false},
			{"source", &m.source, false},
			{"datasource", &m.datasource, false},
			{"time", &m.time, false},
			{"default_order", &m.defaultOrder, false},
			{"require_filter", &m.requireFilter, false},
			{"timezone", &m.timezone, false},
			{"week_start", &m.weekStart, false},
			{"fiscal_start", &m.fiscalStart, false},
			{"today", &m.today, false},
			{"dimensions", &m.dimensions, false},
			{"attributes", &m.attributes, false},
			{"measures", &m.measures, false},
			{"facts", &m.facts, false},
			{"share", &m.share, false},
			{"examples", &m.examples, false},
			{"access", &m.access, false},
			{"rollups", &m.rollups, false},
			{"cache", &m.cache, false},
		},
	}
}

type rawSource struct {
	placed
	table, schema, sql text
	key                texts
}

func (s *rawSource) shape() shape {
	return shape{what: "a source", keys: []key{
		{"table", &s.table, false},
		{"schema", &s.schema, false},
		{"sql", &s.sql, false},
		{"key", &s.key, false},
	}}
}

type rawDimension struct {
	placed
	name, alias, caption, description text
	synonyms                          texts
	table, schema, sql                text
	join                              pairs
	id                                text
	key                               texts
	label, typ                        text
	attributes                        objects[rawAttribute, *rawAttribute]
	dimensions                        objects[rawDimension, *rawDimension]
	hierarchy                         object[rawHierarchy, *rawHierarchy]
}

func (d *rawDimension) shape() shape {
	return shape{what: "a dimension", keys: []key{
		{"name", &d.name, true},
		{"alias", &d.alias, false},
		{"caption", &d.caption, false},
		{"description", &d.description, false},
		{"synonyms", &d.synonyms, false},
		{"table", &d.table, false},
		{"schema", &d.schema, false},
		{"sql", &d.sql, false},
		{"join", &d.join, true},
		{"id", &d.id, true},
		{"key", &d.key, false},
		{"label", &d.label, false},
		{"type", &d.typ, false},
		{"attributes", &d.attributes, false},
		{"dimensions", &d.dimensions, false},
		{"hierarchy", &d.hierarchy, false},
	}}
}

type rawHierarchy struct {
	placed
	closure, ancestor, descendant, distance, parent text
}

func (h *rawHierarchy) shape() shape {
	return shape{what: "a hierarchy", keys: []key{
		{"closure", &h.closure, false},
		{"ancestor", &h.ancestor, false},
		{"descendant", &h.descendant, false},
		{"distance", &h.distance, false},
		{"parent", &h.parent, false},
	}}
}

type rawAttribute struct {
	placed
	name, column, typ, caption, description text
	synonyms                                texts
	group, dictionary, collation            text
}

func (a *rawAttribute) shape() shape {
	return shape{what: "an attribute", keys: []key{
		{"name", &a.name, true},
		{"column", &a.column, true},
		{"type", &a.typ, false},
		{"caption", &a.caption, false},
		{"description", &a.description, false},
		{"synonyms", &a.synonyms, false},
		{"group", &a.group, false},
		{"dictionary", &a.dictionary, false},
		{"collation", &a.collation, false},
	}}
}

type rawMeasure struct {
	placed
	bare                                  bool // written as a name alone
	name, column, agg, typ                text
	filter, expression                    text
	additivity                            object[rawAdditivity, *rawAdditivity]
	caption, description, unit, group, of text
	synonyms                              texts
}

func (m *rawMeasure) shape() shape {
	return shape{what: "a measure", keys: []key{
		{"name", &m.name, true},
		{"column", &m.column, false},
		{"agg", &m.agg, false},
		{"type", &m.typ, false},
		{"filter", &m.filter, false},
		{"expression", &m.expression, false},
		{"additivity", &m.additivity, false},
		{"caption", &m.caption, false},
		{"description", &m.description, false},
		{"synonyms", &m.synonyms, false},
		{"unit", &m.unit, false},
		{"group", &m.group, false},
		{"of", &m.of, false},
	}}
}

// rawMeasures is a list of measures, each a mapping or, in a model of several facts, a name alone.
type rawMeasures struct {
	list []*rawMeasure
	at   pos
}

func (m *rawMeasures) read(r *report, n *node) {
	if n.kind != listNode {
		r.add(n.at, "wanted a list, got %s", n.kind)
		return
	}
	m.at = n.at
	for _, item := range n.items {
		one := &rawMeasure{}
		if item.kind == stringNode {
			one.bare = true
			one.place(item.at)
			one.name.read(r, item)
		} else if !readShape(r, item, one) {
			continue
		}
		m.list = append(m.list, one)
	}
}

type rawAdditivity struct {
	placed
	over, use text
	per       texts
}

func (a *rawAdditivity) shape() shape {
	return shape{what: "an additivity", keys: []key{
		{"over", &a.over, true},
		{"use", &a.use, true},
		{"per", &a.per, false},
	}}
}

// rawShare maps a shared dimension's name to its name in every fact, or to a name for each fact.
type rawShare struct {
	list []sharedEntry
	at   pos
}

type sharedEntry struct {
	name text
	same text  // the dimension's name in every fact
	each pairs // fact → dimension, when same is absent
}

func (s *rawShare) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "wanted a mapping of shared dimensions, got %s", n.kind)
		return
	}
	s.at = n.at
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "key %q stands twice in one mapping", m.key)
			continue
		}
		seen[m.key] = true
		entry := sharedEntry{name: text{m.key, m.at}}
		if m.value.kind == mapNode {
			entry.each.read(r, m.value)
		} else {
			entry.same.read(r, m.value)
		}
		s.list = append(s.list, entry)
	}
}

type rawExample struct {
	placed
	question text
	payload  payload
}

func (e *rawExample) shape() shape {
	return shape{what: "an example", keys: []key{
		{"question", &e.question, true},
		{"payload", &e.payload, true},
	}}
}
