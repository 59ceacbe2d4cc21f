package semantic

import (
	"strings"

	"parlance/internal/value"
)

// Kind is what a field is to the person who asks.
type Kind uint8

// The kinds that descriptions print.
const (
	AttributeKind Kind = iota
	DimensionKind
	MeasureKind
)

// String returns the word of decision 22.
func (k Kind) String() string {
	switch k {
	case DimensionKind:
		return "DIMENSION"
	case MeasureKind:
		return "MEASURE"
	case AttributeKind:
	}
	return "ATTRIBUTE"
}

// Grain cuts a date or a timestamp to a period.
type Grain uint8

// The grains, coarsest first after none.
const (
	NoGrain Grain = iota
	Year
	Quarter
	Month
	Week
	Day
	Hour
)

// grainNames are the field suffixes of decision 54.
var grainNames = []struct {
	grain Grain
	name  string
}{{Year, "year"}, {Quarter, "quarter"}, {Month, "month"}, {Week, "week"}, {Day, "date"}, {Hour, "hour"}}

// Role is which part of the model a field reads.
type Role uint8

// The roles.
const (
	Plain        Role = iota // an attribute of the model's rows or of a dimension
	ID                       // dim$id
	Label                    // dim$caption
	CodeLabel                // the dictionary label of Of
	TimeGrain                // Of cut to Grain
	MeasureValue             // a measure
)

// Field is one queryable name of a model.
type Field struct {
	Name        string
	Kind        Kind
	Role        Role
	Type        value.Type // of the field's value; of a measure, of its aggregated value
	Caption     string
	Description string
	Synonyms    []string
	Group       string

	Dimension  *Dimension // nil for the model's own rows
	Column     string     // in the dimension's or the model's table; "" where Of or Measure tells
	Dictionary *Dictionary
	Native     bool

	Of      *Field // the field that a CodeLabel or TimeGrain is made from
	Grain   Grain
	Measure *Measure

	// Tree is set on the fields of dim$hierarchy$…: they are of the ancestors of a row's member, itself included, so a row
	// stands in as many groups as it has ancestors.
	Tree bool

	Derived bool // made by a rule (grains, labels); listings leave it out where they must be short
}

// Index builds the fields of the model: every queryable name, in the order of the file. It is called once, when
// all types are known, and reports the first name that two things claim, or "".
func (m *Model) Index() (clash string) {
	m.byName = map[string]*Field{}
	add := func(f *Field, names ...string) {
		m.fields = append(m.fields, f)
		for _, n := range append([]string{f.Name}, names...) {
			if other, taken := m.byName[n]; taken && other != f && clash == "" {
				clash = n
			}
			m.byName[n] = f
		}
	}
	for _, a := range m.Attributes {
		addAttribute(add, nil, "", nil, a)
	}
	for _, d := range m.Dimensions {
		addDimension(add, d)
	}
	for _, ms := range m.Measures {
		add(&Field{
			Name: ms.Name, Kind: MeasureKind, Role: MeasureValue, Type: ms.ResultType(), Caption: ms.Caption,
			Description: ms.Description, Synonyms: ms.Synonyms, Group: ms.Group, Column: ms.Column, Measure: ms,
		})
	}
	m.relate()
	return clash
}

type adder func(f *Field, otherNames ...string)

func addDimension(add adder, d *Dimension) {
	prefixes := d.prefixes()
	others := func(suffix string) []string {
		var names []string
		for _, p := range prefixes[1:] {
			names = append(names, p+"$"+suffix)
		}
		return names
	}
	label, labelType := d.Label, d.LabelType
	if label == "" {
		label, labelType = d.ID, d.IDType
	}
	add(&Field{
		Name: d.Path + "$id", Kind: DimensionKind, Role: ID, Type: d.IDType, Caption: d.Caption + " id",
		Description: d.Description, Dimension: d, Column: d.ID,
	}, others("id")...)
	add(&Field{
		Name: d.Path + "$caption", Kind: DimensionKind, Role: Label, Type: labelType, Caption: d.Caption,
		Description: d.Description, Synonyms: d.Synonyms, Dimension: d, Column: label,
	}, others("caption")...)
	for _, a := range d.Attributes {
		addAttribute(add, d, d.Path+"$", others(a.Name), a)
	}
	if d.Hierarchy != nil {
		addTree(add, d, others)
	}
	for _, n := range d.Dimensions {
		addDimension(add, n)
	}
}

// addTree adds the fields of a hierarchy's view: the id, caption and attributes of every ancestor.
func addTree(add adder, d *Dimension, others func(suffix string) []string) {
	view := func(name, column, caption string, role Role, t value.Type, dict *Dictionary) {
		suffix := "hierarchy$" + name
		add(&Field{
			Name: d.Path + "$" + suffix, Kind: DimensionKind, Role: role, Type: t, Caption: caption + " (with all below)",
			Dimension: d, Column: column, Dictionary: dict, Tree: true, Derived: true,
		}, others(suffix)...)
	}
	view("id", d.ID, d.Caption+" id", ID, d.IDType, nil)
	label, labelType := d.Label, d.LabelType
	if label == "" {
		label, labelType = d.ID, d.IDType
	}
	view("caption", label, d.Caption, Label, labelType, nil)
	for _, a := range d.Attributes {
		view(a.Name, a.Column, a.Caption, Plain, a.Type, a.Dictionary)
	}
}

// prefixes returns the names under which a dimension is known, its path first.
func (d *Dimension) prefixes() []string {
	names := []string{d.Path}
	if flat := strings.ReplaceAll(d.Path, ".", "_"); flat != d.Path {
		names = append(names, flat)
	}
	if d.Alias != "" {
		names = append(names, d.Alias)
	}
	return names
}

func addAttribute(add adder, d *Dimension, prefix string, others []string, a *Attribute) {
	kind := AttributeKind
	if d != nil {
		kind = DimensionKind
	}
	base := &Field{
		Name: prefix + a.Name, Kind: kind, Role: Plain, Type: a.Type, Caption: a.Caption, Description: a.Description,
		Synonyms: a.Synonyms, Group: a.Group, Dimension: d, Column: a.Column, Dictionary: a.Dictionary, Native: a.Native,
	}
	add(base, others...)
	derive := func(suffix string, f Field) {
		f.Name, f.Kind, f.Of, f.Dimension, f.Derived = base.Name+"$"+suffix, kind, base, d, true
		f.Group = a.Group
		var names []string
		for _, o := range others {
			names = append(names, o+"$"+suffix)
		}
		add(&f, names...)
	}
	if a.Dictionary != nil {
		derive("caption", Field{Role: CodeLabel, Type: value.Type{Kind: value.String}, Caption: a.Caption + " label", Dictionary: a.Dictionary})
	}
	if !a.Type.Temporal() {
		return
	}
	for _, g := range grainNames {
		if g.grain == Hour && a.Type.Kind != value.Timestamp {
			continue
		}
		derive(g.name, Field{Role: TimeGrain, Grain: g.grain, Type: g.grain.Type(), Caption: a.Caption + " " + g.name})
	}
}

// Type returns the type of a date cut to the grain (decision 54).
func (g Grain) Type() value.Type {
	switch g {
	case Year:
		return value.Type{Kind: value.Integer}
	case Day:
		return value.Type{Kind: value.Date}
	case Hour:
		return value.Type{Kind: value.Timestamp}
	case NoGrain, Quarter, Month, Week:
	}
	return value.Type{Kind: value.String}
}

// ResultType returns the type of the measure's aggregated value (decision 55).
func (m *Measure) ResultType() value.Type {
	switch m.Agg {
	case Count, CountDistinct:
		return value.Type{Kind: value.Integer, Wide: true}
	case Sum:
		t := m.Type
		if t.Kind == value.Integer {
			t.Wide = true
		}
		return t
	case Avg, Median:
		return RatioType(m.Type)
	case StddevPop, StddevSamp, VarPop, VarSamp:
		return value.Type{Kind: value.Float}
	case GroupConcat:
		return value.Type{Kind: value.String}
	case Min, Max, "":
	}
	return m.Type
}

// RatioType is the type of an average of t: exact to at least six digits, or a float's own.
func RatioType(t value.Type) value.Type {
	if t.Kind == value.Float {
		return t
	}
	return value.Type{Kind: value.Decimal, Scale: max(t.Scale, value.MinRatioScale), Style: t.Style}
}

// Fields returns every queryable name in the order of the file. The slice must not be changed.
func (m *Model) Fields() []*Field { return m.fields }

// Field returns the field of a name or one of its other spellings, or nil.
func (m *Model) Field(name string) *Field { return m.byName[name] }

// Dimension returns the first-level dimension of a name, or nil.
func (m *Model) Dimension(name string) *Dimension {
	for _, d := range m.Dimensions {
		if d.Name == name {
			return d
		}
	}
	return nil
}
