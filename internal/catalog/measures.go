package catalog

import (
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// aggWords are the aggregations as messages list them.
var aggWords = func() []string {
	words := make([]string, len(semantic.Aggs))
	for i, a := range semantic.Aggs {
		words[i] = string(a)
	}
	return words
}()

// measure builds a measure of a model with rows of its own. What it refers to is checked when all fields are known.
func (b *builder) measure(raw *rawMeasure, own columns) *semantic.Measure {
	m := &semantic.Measure{
		Name: raw.name.value, Caption: raw.caption.value, Description: raw.description.value,
		Synonyms: raw.synonyms.values(), Group: raw.group.value, Unit: raw.unit.value, Column: raw.column.value,
	}
	if m.Caption == "" {
		m.Caption = caption(m.Name)
	}
	b.measures[m.Name] = raw
	switch {
	case raw.of.set():
		b.r.add(raw.of.at, `only a measure of a model of several facts has "of"`)
	case raw.bare:
		b.r.add(raw.at, "a measure is a mapping; only a model of several facts lists measures by name")
	case raw.expression.set():
		b.expressionMeasure(raw, m)
	default:
		b.columnMeasure(raw, m, own)
	}
	return m
}

// expressionMeasure builds a measure that is computed from other measures.
func (b *builder) expressionMeasure(raw *rawMeasure, m *semantic.Measure) {
	for _, other := range []struct {
		key string
		at  pos
	}{{"agg", raw.agg.at}, {"column", raw.column.at}, {"filter", raw.filter.at}, {"additivity", raw.additivity.where()}} {
		if other.at != (pos{}) {
			b.r.add(other.at, `a measure with "expression" has no %q of its own`, other.key)
		}
	}
	m.Column = ""
	m.Expression = b.parse(raw.expression)
	m.Type = decimalType
	if t, ok := declaredType(b.r, raw.typ); ok {
		m.Type = t
	}
}

// columnMeasure builds a measure that aggregates a column, or counts rows.
func (b *builder) columnMeasure(raw *rawMeasure, m *semantic.Measure, own columns) {
	if !raw.agg.set() {
		b.r.add(raw.at, `a measure needs the key "agg" or "expression"`)
	} else if m.Agg = semantic.Agg(raw.agg.value); !known(m.Agg) {
		b.r.add(raw.agg.at, "unknown agg %q%s", raw.agg.value, meant(raw.agg.value, aggWords))
		m.Agg = ""
	}
	if !raw.column.set() && m.Agg != semantic.Count && raw.agg.set() {
		b.r.add(raw.at, `a measure of agg %q needs the key "column"`, raw.agg.value)
	}
	m.Type = b.measureType(raw, m.Agg, own)
	if raw.filter.set() {
		m.Filter = b.parse(raw.filter)
	}
	if a := raw.additivity.value; a != nil {
		m.SemiAdd = &semantic.SemiAdditive{Over: a.over.value, Use: semantic.SemiUse(a.use.value), Per: a.per.values()}
	}
}

func known(agg semantic.Agg) bool {
	for _, a := range semantic.Aggs {
		if a == agg {
			return true
		}
	}
	return false
}

// measureType returns the type of a measure's column. Of a count and of a joined text only the result has a type
// that a file could name, and it can have no other.
func (b *builder) measureType(raw *rawMeasure, agg semantic.Agg, own columns) value.Type {
	switch agg {
	case semantic.Count, semantic.CountDistinct:
		b.onlyType(raw.typ, agg, "integer")
		needColumn(b.r, own, raw.column)
		if live, ok := own.types[raw.column.value]; ok {
			return live
		}
		return integerType
	case semantic.GroupConcat:
		b.onlyType(raw.typ, agg, "string")
		return columnType(b.r, own, raw.column, text{}, stringType)
	case semantic.Min, semantic.Max, "":
		return columnType(b.r, own, raw.column, raw.typ, decimalType)
	case semantic.Sum, semantic.Avg, semantic.Median, semantic.StddevPop, semantic.StddevSamp, semantic.VarPop, semantic.VarSamp:
	}
	t := columnType(b.r, own, raw.column, raw.typ, decimalType)
	if !t.Numeric() {
		at := raw.column.at
		if raw.typ.set() {
			at = raw.typ.at
		}
		b.r.add(at, "%s needs a number, but column %q is of type %s", agg, raw.column.value, t.Name())
	}
	return t
}

func (b *builder) onlyType(word text, agg semantic.Agg, only string) {
	if t, ok := declaredType(b.r, word); ok && t.Name() != only {
		b.r.add(word.at, "the type of a %s is %s, not %s", agg, only, word.value)
	}
}

// parse reads an expression of the file, or reports why it is none and returns nil.
func (b *builder) parse(t text) query.Expr {
	e, err := query.ParseExpr(t.value)
	if err != nil {
		b.r.add(t.at, "%s", fault.As(err).Message)
		return nil
	}
	return e
}
