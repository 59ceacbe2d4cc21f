// Package access turns a caller's identity and a model's policy into a Grant: what may be seen, and how.
// It reads no credentials (the transport does) and writes no SQL.
package access

import (
	"slices"
	"sync"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Visibility is how a caller meets a field.
type Visibility uint8

// The visibilities. The zero value is the closed one.
const (
	Hidden Visibility = iota
	Masked
	Visible
)

// Grant is what one caller may see of one model. The zero Grant sees nothing.
type Grant struct {
	model   *semantic.Model
	open    bool
	narrows *narrowing // nil: all of the model
}

// narrowing is what the rules that bind a caller leave of a model.
type narrowing struct {
	closed  map[*semantic.Field]closure
	rows    []query.Condition
	groups  []semantic.MinGroup
	facts   map[*semantic.Model]Grant // of a model of several facts
	effects []Effect

	spelled sync.Once // sets key, which Key returns
	key     string
}

// closure is how a field is closed. A field can be both: what is made from it may be kept open by the rule that hides it
// and not by the one that masks it.
type closure struct {
	hidden, masked bool
	mask           semantic.Mask // of the field itself; NoMask where its value is made from a masked one
}

// For returns the grant of an identity on a model.
func For(id Identity, m *semantic.Model) Grant {
	g := Grant{model: m, open: true}
	if m.Access != nil {
		g.apply(id, m.Access)
	}
	if m.Multi != nil {
		g.applyFacts(id)
	}
	return g
}

// Model reports whether the model may be seen at all.
func (g Grant) Model() bool { return g.open }

// Conceals reports whether what is denied must read like what does not exist. A model of several facts conceals where one
// of them does: what it denies may be that one's.
func (g Grant) Conceals() bool {
	return g.model != nil && conceals(g.model)
}

func conceals(m *semantic.Model) bool {
	if m.Access != nil && m.Access.Conceal {
		return true
	}
	return m.Multi != nil && slices.ContainsFunc(m.Multi.Facts, conceals)
}

// Field returns how a field of the model is met.
func (g Grant) Field(f *semantic.Field) Visibility {
	if !g.open || f == nil {
		return Hidden
	}
	if g.narrows == nil {
		return Visible
	}
	c, closed := g.narrows.closed[f]
	switch {
	case !closed:
		return Visible
	case c.hidden:
		return Hidden
	}
	return Masked
}

// Mask returns what stands for a field's own values, also where the field itself is hidden and only something made from it
// is shown. It is NoMask for a field that is visible, or made from a masked one, whose mask it then shows.
func (g Grant) Mask(f *semantic.Field) semantic.Mask {
	if g.narrows == nil {
		return semantic.NoMask
	}
	return g.narrows.closed[f].mask
}

// HashKey returns the key of the mask hash, which all models of a namespace share.
func (g Grant) HashKey() string {
	models := []*semantic.Model{g.model}
	if g.model != nil && g.model.Multi != nil {
		models = append(models, g.model.Multi.Facts...)
	}
	for _, m := range models {
		if m != nil && m.Access != nil {
			return m.Access.HashKey
		}
	}
	return ""
}

// Rows returns the conditions that every row of the model must meet. They are the policy's, over raw values.
func (g Grant) Rows() []query.Condition {
	if g.narrows == nil {
		return nil
	}
	return g.narrows.rows
}

// Groups returns how large a group must be to be shown.
func (g Grant) Groups() []semantic.MinGroup {
	if g.narrows == nil {
		return nil
	}
	return g.narrows.groups
}

// Fact returns the grant on one fact of a model of several.
func (g Grant) Fact(fact *semantic.Model) Grant {
	if !g.open {
		return Grant{}
	}
	if g.narrows == nil {
		return Grant{model: fact, open: true}
	}
	return g.narrows.facts[fact]
}

// Limited reports whether the caller may miss rows that others see.
func (g Grant) Limited() bool {
	if g.narrows == nil {
		return false
	}
	for _, fact := range g.narrows.facts {
		if fact.Limited() {
			return true
		}
	}
	return len(g.narrows.rows) > 0 || len(g.narrows.groups) > 0
}

// Fields returns the fields that are not hidden, in the order of the model.
func (g Grant) Fields() []*semantic.Field {
	if !g.open {
		return nil
	}
	if g.narrows == nil {
		return slices.Clip(g.model.Fields())
	}
	var seen []*semantic.Field
	for _, f := range g.model.Fields() {
		if g.Field(f) != Hidden {
			seen = append(seen, f)
		}
	}
	return seen
}

// Names returns the names of Fields, for suggestions in errors.
func (g Grant) Names() []string {
	fields := g.Fields()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}
