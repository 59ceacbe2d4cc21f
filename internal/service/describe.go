package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// describePatience is how long a description waits for what must be read from the data.
const describePatience = 2 * time.Second

// DescribeModel returns all that the caller may know about one model.
func (s *Service) DescribeModel(ctx context.Context, c Caller, model string) (*Description, error) {
	t, err := s.find(c, model)
	if err != nil {
		return nil, err
	}
	if entry := s.note(ctx, t.view); entry != nil {
		entry.Model = t.Name
	}
	ctx, cancel := context.WithTimeout(ctx, describePatience)
	defer cancel()
	d := &Description{
		Model: t.Name, Caption: t.Caption, Description: t.Description, Namespace: t.view.caller.Namespace,
		Key: keyFields(t.seen), DefaultOrder: defaultOrder(t.seen), MustFilter: mustFilter(t.seen), Fields: []FieldDescription{},
		Dictionaries: map[string][]DictionaryEntry{}, Hierarchies: hierarchies(t.seen),
		SampleValues: s.sampleValues(ctx, t.view, t.seen), Examples: s.examples(t), TimeRange: s.timeRange(ctx, t.view, t.seen),
	}
	for _, f := range t.fields {
		d.Fields = append(d.Fields, t.describe(f))
		addDictionary(d.Dictionaries, f.Dictionary)
	}
	d.abridge(maxDescription)
	return d, nil
}

func (m seen) describe(f *semantic.Field) FieldDescription {
	d := FieldDescription{
		Name: f.Name, Kind: f.Kind.String(), DataType: f.Type.Name(), Caption: f.Caption, Description: f.Description,
		Synonyms: f.Synonyms, Group: f.Group, Masked: m.tellsMask(f),
	}
	if f.Dictionary != nil {
		d.Dictionary = f.Dictionary.Name
	}
	if ms := f.Measure; ms != nil {
		d.Aggregation, d.Additivity, d.Unit = aggregation(ms), m.additivity(ms), ms.Unit
	}
	return d
}

// tellsMask reports whether the caller sees a mask in place of the field's values, and may know it.
func (m seen) tellsMask(f *semantic.Field) bool {
	return m.grant.Field(f) == access.Masked && !m.grant.Conceals()
}

// origin returns the measure of the fact that a multi-fact model's measure stands for.
func origin(m *semantic.Measure) *semantic.Measure {
	if m.Of != nil {
		return m.Of.Measure
	}
	return m
}

func aggregation(m *semantic.Measure) string {
	if m = origin(m); m.Agg == "" {
		return "expression"
	}
	return string(m.Agg)
}

// additivity says whether values of the measure may be added up. A time that the caller does not see is not named.
func (m seen) additivity(measure *semantic.Measure) string {
	of, grant := m.Model, m.grant
	if measure.Of != nil {
		of, grant = measure.Of.Fact, grant.Fact(measure.Of.Fact)
	}
	ms := origin(measure)
	switch {
	case ms.SemiAdd != nil:
		over := ms.SemiAdd.Over
		if grant.Field(of.Field(over)) == access.Hidden && grant.Field(of.Field(over+"$id")) == access.Hidden {
			return fmt.Sprintf("semi-additive (%s)", ms.SemiAdd.Use)
		}
		return fmt.Sprintf("semi-additive (%s over %s)", ms.SemiAdd.Use, over)
	case ms.Agg == semantic.Sum || ms.Agg == semantic.Count:
		return "additive"
	}
	return "non-additive"
}

// keyFields returns the fields that tell rows apart, or none when the caller cannot name them all.
func keyFields(m seen) []string {
	names := []string{}
	for _, column := range m.Key {
		f := fieldOf(m, column)
		if f == nil {
			return []string{}
		}
		names = append(names, f.Name)
	}
	return names
}

// fieldOf returns a visible field that reads a column of the model's own table: an attribute, or a dimension's id.
func fieldOf(m seen, column string) *semantic.Field {
	for _, f := range m.fields {
		own := f.Role == semantic.Plain && f.Dimension == nil && f.Column == column
		if own || f.Role == semantic.ID && !f.Tree && pointsBy(f.Dimension, column) {
			return f
		}
	}
	return nil
}

// pointsBy reports whether the model's rows point to a first-level dimension's id by this one column.
func pointsBy(d *semantic.Dimension, column string) bool {
	return d.Parent == nil && len(d.Join) == 1 && d.Join[0].From == column && d.Join[0].To == d.ID
}

// mustFilter returns what a query must filter by. What the caller may not see is not named: the model is closed then.
func mustFilter(m seen) []string {
	var names []string
	for _, name := range m.RequireFilter {
		d := m.Dimension(name)
		if slices.ContainsFunc(m.fields, func(f *semantic.Field) bool { return f.Name == name || d != nil && f.Dimension == d }) {
			names = append(names, name)
		}
	}
	return names
}

// defaultOrder returns the order of the model's rows as far as the caller may see it.
func defaultOrder(m seen) []string {
	words := []string{}
	for _, o := range m.DefaultOrder {
		ref, ok := o.Expr.(*query.Ref)
		if !ok || m.grant.Field(m.Field(ref.Name)) != access.Visible {
			continue
		}
		if o.Desc {
			words = append(words, "-"+ref.Name)
		} else {
			words = append(words, ref.Name)
		}
	}
	return words
}

func hierarchies(m seen) []HierarchyDescription {
	found := []HierarchyDescription{}
	for _, f := range m.fields {
		if f.Role == semantic.ID && f.Dimension.Hierarchy != nil && !f.Tree && m.walks(f) {
			found = append(found, HierarchyDescription{Dimension: f.Dimension.Path, Field: f.Name})
		}
	}
	return found
}

// walks reports whether the caller may ask who stands above whom in the tree of a dimension, by its id.
func (m seen) walks(id *semantic.Field) bool {
	return m.grant.Field(id) == access.Visible && m.grant.Field(m.Field(id.Dimension.Path+"$hierarchy$id")) == access.Visible
}
