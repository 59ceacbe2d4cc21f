package catalog

// scope finds names that two things of one model claim.
type scope struct {
	r     *report
	owner map[string]string // name → what has it
}

func newScope(r *report) scope { return scope{r, map[string]string{}} }

func (s scope) claim(what string, name text) {
	if !name.set() {
		return
	}
	if other, taken := s.owner[name.value]; taken {
		s.r.add(name.at, "the name %q of %s is taken by %s", name.value, what, other)
		return
	}
	s.owner[name.value] = what
}

// checkNames reports the names of a file that cannot be spelled and those that stand twice.
func checkNames(r *report, m *rawModel) {
	checkName(r, "a model", m.model)
	top := newScope(r)
	for _, a := range m.attributes.list {
		checkName(r, "an attribute", a.name)
		top.claim("an attribute", a.name)
	}
	prefixes := newScope(r)
	for _, d := range m.dimensions.list {
		top.claim("a dimension", d.name)
		checkDimensionNames(r, prefixes, d, "")
	}
	for _, s := range m.share.list {
		checkName(r, "a shared dimension", s.name)
		top.claim("a shared dimension", s.name)
	}
	for _, ms := range m.measures.list {
		checkName(r, "a measure", ms.name)
		top.claim("a measure", ms.name)
	}
}

// reserved are the names that the attributes of every dimension have by rule.
var reserved = map[string]bool{"id": true, "caption": true, "hierarchy": true}

// checkDimensionNames claims every spelling of a dimension: a nested one is known as product.category,
// product_category and its alias.
func checkDimensionNames(r *report, prefixes scope, d *rawDimension, parent string) {
	checkName(r, "a dimension", d.name)
	checkName(r, "a dimension", d.alias)
	flat := d.name
	if parent != "" {
		flat.value = parent + "_" + d.name.value
	}
	prefixes.claim("a dimension", flat)
	prefixes.claim("a dimension", d.alias)
	own := newScope(r)
	for _, a := range d.attributes.list {
		checkName(r, "an attribute", a.name)
		if reserved[a.name.value] {
			r.add(a.name.at, "an attribute of a dimension cannot be named %q: that name has a meaning of its own", a.name.value)
		}
		own.claim("an attribute", a.name)
	}
	for _, n := range d.dimensions.list {
		checkDimensionNames(r, prefixes, n, flat.value)
	}
}
