package semantic

import (
	"slices"

	"parlance/internal/query"
)

// Policy is who may see what of a model, as its file says. Every part of it narrows; none widens.
type Policy struct {
	Roles    []string // one of which a caller needs to see the model at all; nil: none is needed
	Conceal  bool     // what is denied reads like what does not exist
	Fields   []FieldRule
	Rows     []RowRule
	MinGroup []MinGroup
	HashKey  string // of MaskHash
}

// FieldRule hides or masks fields for everybody but some. Fields are named by what Model.Field knows.
type FieldRule struct {
	Where  string // file:line:column, for the model's author
	Only   bool   // Allow is a list: everything else is hidden
	Allow  []*Field
	Hide   []*Field
	Mask   []MaskedField
	Keep   []*Field // stay as they are although they are made from fields that the rule closes
	Unless []Exemption
}

// MaskedField is a field with what is shown instead of its values.
type MaskedField struct {
	Field *Field
	Mask  Mask
}

// Mask is what is shown instead of a value.
type Mask string

// The masks. Numbers, dates and booleans have MaskFull, which is MaskNull for them, and MaskNull.
const (
	NoMask    Mask = ""
	MaskFull  Mask = "full"  // ***
	MaskFirst Mask = "first" // W***
	MaskLast4 Mask = "last4" // ***4711
	MaskEmail Mask = "email" // w***@example.com
	MaskHash  Mask = "hash"  // a pseudonym that is the same for the same value
	MaskNull  Mask = "null"
)

// Masks are all masks, in the order that errors show them.
var Masks = []Mask{MaskFull, MaskFirst, MaskLast4, MaskEmail, MaskHash, MaskNull}

// RowRule keeps the rows that a condition holds for. A null matches no condition.
type RowRule struct {
	Where  string
	Keeps  RowCondition
	Unless []Exemption
}

// RowCondition is a comparison of a field with an attribute of the identity or with constants, or an and or an or.
type RowCondition struct {
	All, Any  []RowCondition // at most one of these and Field is set
	Field     *Field
	Op        query.Op
	Attribute string     // of the identity; "": Values count
	Values    query.List // constants
	MaxDepth  *int64
}

// MinGroup withholds groups of fewer than N distinct values of a field.
type MinGroup struct {
	Where  string
	Of     *Field
	N      int64
	Unless []Exemption
}

// Exemption is who a rule does not bind: one who has all that it names. The zero Exemption is nobody's.
type Exemption struct {
	Roles      []string // any of them
	Users      []string // any of them
	Attributes []AttributeValues
}

// AttributeValues is an attribute that must hold one of some values.
type AttributeValues struct {
	Name   string
	Values []string
}

// Holds reports whether somebody with a name, roles and attributes is exempt.
func (e Exemption) Holds(user string, roles []string, attributes map[string][]string) bool {
	if len(e.Roles) == 0 && len(e.Users) == 0 && len(e.Attributes) == 0 {
		return false
	}
	if len(e.Users) > 0 && (user == "" || !slices.Contains(e.Users, user)) {
		return false
	}
	if len(e.Roles) > 0 && !share(e.Roles, roles) {
		return false
	}
	for _, a := range e.Attributes {
		if !share(a.Values, attributes[a.Name]) {
			return false
		}
	}
	return true
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
