// Package access turns a caller's identity and a model's policy into a Grant: what may be seen, and how.
// It reads no credentials (the transport does) and writes no SQL.
package access

import "parlance/internal/semantic"

// Identity is who calls. The zero Identity is anonymous: no role, no attribute.
type Identity struct {
	User       string
	Roles      []string
	Attributes map[string][]string
	Namespaces []string // nil: not bound to any
	Opaque     string   // the Authorization value of mode none, for the audit record only
}

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
	model *semantic.Model
	open  bool
}

// For returns the grant of an identity on a model.
func For(_ Identity, m *semantic.Model) Grant { return Grant{model: m, open: true} }

// Model reports whether the model may be seen at all.
func (g Grant) Model() bool { return g.open }

// Field returns how a field of the model is met.
func (g Grant) Field(f *semantic.Field) Visibility {
	if !g.open || f == nil {
		return Hidden
	}
	return Visible
}

// Fields returns the fields that are not hidden, in the order of the model.
func (g Grant) Fields() []*semantic.Field {
	if !g.open {
		return nil
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
