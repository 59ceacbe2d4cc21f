package catalog

import (
	"slices"
	"strings"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

func (b *builder) attribute(raw *rawAttribute, in columns) *semantic.Attribute {
	a := &semantic.Attribute{
		Name: raw.name.value, Column: raw.column.value, Caption: raw.caption.value, Description: raw.description.value,
		Synonyms: raw.synonyms.values(), Group: raw.group.value,
	}
	if a.Caption == "" {
		a.Caption = caption(a.Name)
	}
	a.Type = columnType(b.r, in, raw.column, raw.typ, stringType)
	if raw.dictionary.set() {
		a.Dictionary = b.dictionary(raw.dictionary)
	}
	if raw.collation.set() {
		if raw.collation.value != "native" {
			b.r.add(raw.collation.at, "unknown collation %q; allowed: native", raw.collation.value)
		}
		a.Native = true
	}
	return a
}

func (b *builder) dictionary(name text) *semantic.Dictionary {
	b.words = append(b.words, name.value)
	d, ok := b.dictionaries[name.value]
	if !ok && !b.lost.dictionaries {
		b.r.add(name.at, "unknown dictionary %q%s", name.value, meant(name.value, b.dictionaryNames()))
	}
	return d
}

// attributes builds the attributes of one table; prefix is the dimension's path with its $, or "".
func (b *builder) attributes(raw []*rawAttribute, in columns, prefix string) []*semantic.Attribute {
	var built []*semantic.Attribute
	for _, a := range raw {
		if !a.name.set() {
			continue
		}
		built = append(built, b.attribute(a, in))
		if !in.known && !a.typ.set() {
			b.untyped[prefix+a.name.value] = true
		}
	}
	return built
}

// dimension builds a dimension and those nested below it; pointing are the columns of the table that joins it.
func (b *builder) dimension(raw *rawDimension, parent *semantic.Dimension, pointing columns) *semantic.Dimension {
	d := &semantic.Dimension{
		Name: raw.name.value, Alias: raw.alias.value, Path: raw.name.value, Caption: raw.caption.value,
		Description: raw.description.value, Synonyms: raw.synonyms.values(), Parent: parent,
		ID: raw.id.value, Label: raw.label.value,
	}
	if parent != nil {
		d.Path = parent.Path + "." + d.Name
	}
	if d.Caption == "" {
		d.Caption = caption(d.Name)
	}
	source, at := b.source("a dimension", raw.at, raw.table, raw.schema, raw.sql)
	d.Source = source
	own := b.live.columns(b.r, at, b.model.Datasource, source)
	b.dimensionTypes(raw, d, own)
	d.Join = b.join(raw, pointing, own)
	d.Attributes = b.attributes(raw.attributes.list, own, d.Path+"$")
	if h := raw.hierarchy.value; h != nil {
		d.Hierarchy = b.hierarchy(h, d, own)
	}
	for _, n := range raw.dimensions.list {
		if n.name.set() {
			d.Dimensions = append(d.Dimensions, b.dimension(n, d, own))
		}
	}
	return d
}

func (b *builder) dimensionTypes(raw *rawDimension, d *semantic.Dimension, own columns) {
	if raw.typ.set() {
		if raw.typ.value != "date" {
			b.r.add(raw.typ.at, "unknown type %q of a dimension; allowed: date", raw.typ.value)
		}
		d.Date = true
	}
	labelFallback := stringType
	if d.Date {
		labelFallback = dateType
	}
	idFallback := stringType
	if d.Label == "" {
		idFallback = labelFallback
	}
	d.IDType = columnType(b.r, own, raw.id, text{}, idFallback)
	d.LabelType = d.IDType
	if d.Label != "" {
		d.LabelType = columnType(b.r, own, raw.label, text{}, labelFallback)
	}
	if d.Date && !d.LabelType.Temporal() && d.LabelType.Kind != value.Null {
		b.r.add(raw.typ.at, "the label of a date dimension is a date, but column %q is of type %s", labelColumn(d), d.LabelType.Name())
	}
}

func labelColumn(d *semantic.Dimension) string {
	if d.Label == "" {
		return d.ID
	}
	return d.Label
}

// join builds the way from the pointing table to the dimension's key. A join that misses the key is refused: it
// could find several rows and count a fact more than once.
func (b *builder) join(raw *rawDimension, pointing, own columns) []semantic.JoinColumn {
	keyColumns := raw.key.values()
	if !raw.key.set() && raw.id.set() {
		keyColumns = []string{raw.id.value}
	}
	for _, k := range raw.key.list {
		needColumn(b.r, own, k)
	}
	if raw.id.set() && !slices.Contains(keyColumns, raw.id.value) {
		b.r.add(raw.id.at, "the id %q is not among the key columns %s", raw.id.value, strings.Join(keyColumns, ", "))
	}
	var joined []semantic.JoinColumn
	var targets []string
	for _, p := range raw.join.list {
		needColumn(b.r, pointing, p.key)
		needColumn(b.r, own, p.value)
		b.joinTypes(p, pointing, own)
		joined = append(joined, semantic.JoinColumn{From: p.key.value, To: p.value.value, Type: own.types[p.value.value]})
		targets = append(targets, p.value.value)
	}
	if raw.join.set() && len(keyColumns) > 0 && !sameSet(targets, keyColumns) {
		b.r.add(raw.join.at, "the join goes to %s, but the key of dimension %q is %s; only a join to the whole key finds one row at most",
			listed(targets), raw.name.value, listed(keyColumns))
	}
	return joined
}

func (b *builder) joinTypes(p pair, pointing, own columns) {
	from, to := pointing.types[p.key.value], own.types[p.value.value]
	if !joinable(from, to) {
		b.r.add(p.key.at, "column %q is of type %s and cannot point to %q, which is of type %s",
			p.key.value, from.Name(), p.value.value, to.Name())
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

// hierarchy builds a tree from a closure table or from the dimension's own parent column.
func (b *builder) hierarchy(raw *rawHierarchy, d *semantic.Dimension, own columns) *semantic.Hierarchy {
	if raw.parent.set() {
		for _, other := range []text{raw.closure, raw.ancestor, raw.descendant, raw.distance} {
			if other.set() {
				b.r.add(other.at, "a hierarchy has a parent column or a closure table, not both")
			}
		}
		needColumn(b.r, own, raw.parent)
		return &semantic.Hierarchy{Parent: raw.parent.value}
	}
	if !raw.closure.set() || !raw.ancestor.set() || !raw.descendant.set() {
		b.r.add(raw.at, `a hierarchy needs "closure", "ancestor" and "descendant", or "parent"`)
		return &semantic.Hierarchy{}
	}
	closure := semantic.Source{Schema: d.Source.Schema, Table: raw.closure.value}
	in := b.live.columns(b.r, raw.closure.at, b.model.Datasource, closure)
	for _, c := range []text{raw.ancestor, raw.descendant, raw.distance} {
		needColumn(b.r, in, c)
	}
	return &semantic.Hierarchy{
		Closure: closure, Ancestor: raw.ancestor.value, Descendant: raw.descendant.value, Distance: raw.distance.value,
	}
}
