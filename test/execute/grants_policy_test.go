package execute

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"parlance/internal/access"
	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/test/evaluate"
)

// maskSecret is the key of the mask hash.
const maskSecret = "of the test"

// policy is what a model's file says of access, as the tests make it.
type policy struct {
	fields  []fieldRule
	rows    []rowRule
	groups  []groupRule
	conceal bool
}

type fieldRule struct {
	allow, hide, keep []string
	mask              map[string]string
	unless            exemption
}

type groupRule struct {
	of     string
	n      int
	unless exemption
}

// exemption is who a rule does not bind; the zero one is nobody's.
type exemption struct{ kind, value string }

func (e exemption) holds(id access.Identity) bool {
	switch e.kind {
	case "role":
		return slices.Contains(id.Roles, e.value)
	case "user":
		return id.User == e.value
	case "attribute":
		return slices.Contains(id.Attributes["clearance"], e.value)
	}
	return false
}

func (e exemption) yaml() string {
	switch e.kind {
	case "":
		return ""
	case "attribute":
		return ", unless: {attribute: {clearance: " + e.value + "}}"
	}
	return fmt.Sprintf(", unless: {%s: %s}", e.kind, e.value)
}

// yaml writes the policy as the access block of a model file.
func (p policy) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "access:\n  conceal: %v\n", p.conceal)
	section := func(name string, n int) {
		if n > 0 {
			b.WriteString("  " + name + ":\n")
		}
	}
	section("fields", len(p.fields))
	for _, r := range p.fields {
		b.WriteString("    - {" + strings.Join(r.parts(), ", ") + r.unless.yaml() + "}\n")
	}
	section("rows", len(p.rows))
	for _, r := range p.rows {
		text := r.keeps.yaml()
		b.WriteString("    - " + text[:len(text)-1] + r.unless.yaml() + "}\n")
	}
	section("min_group", len(p.groups))
	for _, g := range p.groups {
		fmt.Fprintf(&b, "    - {of: %s, n: %d%s}\n", g.of, g.n, g.unless.yaml())
	}
	return b.String()
}

func (r fieldRule) parts() []string {
	var parts []string
	list := func(key string, names []string) {
		if len(names) > 0 {
			parts = append(parts, key+": ["+strings.Join(names, ", ")+"]")
		}
	}
	list("allow", r.allow)
	list("hide", r.hide)
	list("keep", r.keep)
	var masks []string
	for _, name := range slices.Sorted(maps.Keys(r.mask)) {
		masks = append(masks, name+": "+r.mask[name])
	}
	if len(masks) > 0 {
		parts = append(parts, "mask: {"+strings.Join(masks, ", ")+"}")
	}
	return parts
}

// columnOf is the column that a name of the worlds' fact models reads, where another name may read it too.
var columnOf = map[string]string{
	"word": "word", "words": "word", "wordList": "word", "newWords": "word", "kind": "kind", "kinds": "kind", "day": "day", "lastDay": "day",
	"amount": "amount", "avgAmount": "amount", "least": "amount", "variance": "amount", "okAmount": "amount", "opening": "amount",
	"qty": "qty", "middle": "qty", "spread": "qty", "stock": "qty", "series": "qty",
	"cost": "cost", "most": "cost", "middleCost": "cost", "notOkCost": "cost", "seriesOf": "cost", "fine": "fine", "avgFine": "fine",
	"item$id": "item", "items": "item",
	"place$id": "p.code", "item.place$id": "p.code", "place$caption": "p.title", "item.place$caption": "p.title", "place$size": "p.size", "item.place$size": "p.size",
	"ordered$id": "c.k", "shipped$id": "c.k", "ordered$caption": "c.day", "shipped$caption": "c.day", "ordered$ym": "c.ym", "shipped$ym": "c.ym",
	"team$id": "t.id", "team$hierarchy$id": "t.id", "team$caption": "t.name", "team$hierarchy$caption": "t.name", "team$level": "t.level", "team$hierarchy$level": "t.level",
}

// namesIn is what the definition of a measure names.
var namesIn = map[string][]string{
	"okAmount": {"ok"}, "newRows": {"kind", "item$price"}, "newWords": {"kind"}, "notOkCost": {"ok"}, "stock": {"ordered$id"}, "opening": {"day"},
	"series": {"at", "item$id"}, "seriesOf": {"shipped$id", "place$id", "kind"}, "each": {"amount", "rows"}, "rate": {"amount", "qty"},
	"share": {"ok", "amount"}, "both": {"amount", "qty"},
}

// state is how a field is closed, rule by rule.
type state struct {
	hidden bool
	masks  map[string]bool // words of masks; "of" where the value is made from the mask of another
}

type states map[*semantic.Field]*state

func (s states) of(f *semantic.Field) *state {
	if s[f] == nil {
		s[f] = &state{masks: map[string]bool{}}
	}
	return s[f]
}

// closed returns what the rules of a policy close for somebody.
func (p policy) closed(m *semantic.Model, id access.Identity) states {
	all := states{}
	for _, r := range p.fields {
		if r.unless.holds(id) {
			continue
		}
		named := map[string]bool{}
		for _, name := range slices.Concat(r.allow, r.keep, slices.Collect(maps.Keys(r.mask))) {
			named[m.Field(name).Name] = true
		}
		hide := slices.Clone(r.hide)
		for _, f := range m.Fields() {
			if len(r.allow) > 0 && !slices.Contains(r.allow, f.Name) && (f.Of == nil || !slices.Contains(r.allow, f.Of.Name)) {
				hide = append(hide, f.Name)
			}
		}
		for _, name := range hide {
			all.of(m.Field(name)).hidden = true
			for f := range told(m, m.Field(name), named) {
				all.of(f).hidden = true
			}
		}
		for name, mask := range r.mask {
			root := m.Field(name)
			all.of(root).masks[mask] = true
			for f, made := range told(m, root, named) {
				switch {
				case made:
					all.of(f).masks["of"] = true
				case f.Measure != nil || root.Measure != nil:
					all.of(f).masks["null"] = true
				default:
					all.of(f).masks[mask] = true
				}
			}
		}
	}
	return all
}

// told returns all that tells something of a field and that a rule does not name: what reads the same column, then what is
// made from any of these, near or far; true of what is cut or labelled.
func told(m *semantic.Model, root *semantic.Field, named map[string]bool) map[*semantic.Field]bool {
	found := map[*semantic.Field]bool{}
	queue := []*semantic.Field{root}
	note := func(f *semantic.Field) {
		if _, met := found[f]; !met && f != root && !named[f.Name] {
			found[f] = f.Of != nil
			queue = append(queue, f)
		}
	}
	for _, f := range m.Fields() {
		if c := columnOf[f.Name]; m.Multi == nil && c != "" && c == columnOf[root.Name] {
			note(f)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, f := range m.Fields() {
			if f.Of == queue[0] || m.Multi == nil && slices.Contains(namesIn[f.Name], queue[0].Name) {
				note(f)
			}
		}
	}
	if m.Multi == nil {
		return found
	}
	for _, fact := range m.Multi.Facts {
		if own := m.Multi.Field(fact, root); own != nil {
			for there := range told(fact, own, nil) {
				for _, f := range m.Fields() {
					if m.Multi.Field(fact, f) == there {
						note(f)
					}
				}
			}
		}
	}
	return found
}

// sight is what somebody sees of a model, as the evaluator is told.
func (g *granted) sight(m *semantic.Model, id access.Identity, in evaluate.Input) (evaluate.Sight, error) {
	s := evaluate.Sight{
		Hidden: map[*semantic.Field]bool{}, Masks: map[*semantic.Field]func(evaluate.Value) evaluate.Value{},
		OfMasks: map[*semantic.Field]func(evaluate.Value) evaluate.Value{}, Blank: map[*semantic.Field]bool{}, Groups: map[*semantic.Model][]evaluate.Least{},
	}
	closed := g.policies[m.Name].closed(m, id)
	facts := []*semantic.Model{m}
	if m.Multi != nil {
		facts = m.Multi.Facts
	}
	for _, fact := range facts {
		own := g.policies[fact.Name]
		for _, r := range own.groups {
			if !r.unless.holds(id) {
				s.Groups[fact] = append(s.Groups[fact], evaluate.Least{Of: fact.Field(r.of), N: r.n})
			}
		}
		if m.Multi == nil {
			continue
		}
		there := own.closed(fact, id)
		for _, f := range m.Fields() {
			if in := m.Multi.Field(fact, f); in != nil && there[in] != nil {
				closed.of(f).hidden = closed.of(f).hidden || there[in].hidden
				maps.Copy(closed.of(f).masks, there[in].masks)
			}
		}
	}
	for f, st := range closed {
		mask := st.mask()
		switch {
		case st.hidden:
			s.Hidden[f] = true
		case f.Measure != nil:
			s.Blank[f] = mask != ""
		case mask == "of":
			s.OfMasks[f] = masked(closed.of(f.Of).mask(), f.Of.Type)
		case mask != "":
			s.Masks[f] = masked(mask, f.Type)
		}
	}
	for _, name := range []string{"id", "sub"} {
		if f := m.Field(name); f != nil && (s.Hidden[f] || s.Masks[f] != nil) {
			s.Keyless = true
		}
	}
	var err error
	s.Keeps, err = g.keeps(m, id, in)
	return s, err
}

// mask is the one mask of a field: two that differ are full.
func (s *state) mask() string {
	switch len(s.masks) {
	case 0:
		return ""
	case 1:
		for word := range s.masks {
			return word
		}
	}
	return "full"
}

// masked is what a mask shows of a value, by docs/models.md.
func masked(mask string, t value.Type) func(evaluate.Value) evaluate.Value {
	stars := evaluate.Str("***")
	return func(v evaluate.Value) evaluate.Value {
		if t.Kind != value.String || mask == "null" {
			return evaluate.Value{}
		}
		if mask == "full" {
			return stars
		}
		if v.IsNull() {
			return v
		}
		runes := []rune(v.Text)
		switch mask {
		case "first":
			if len(runes) > 1 {
				return evaluate.Str(string(runes[:1]) + "***")
			}
		case "last4":
			if len(runes) > 4 {
				return evaluate.Str("***" + string(runes[len(runes)-4:]))
			}
		case "email":
			if at := strings.Index(v.Text, "@"); at > 0 {
				return evaluate.Str(string(runes[:1]) + "***" + v.Text[at:])
			}
		case "hash":
			sum := sha256.Sum256([]byte(maskSecret + v.Text))
			return evaluate.Str(hex.EncodeToString(sum[:16]))
		}
		return stars
	}
}
