package access

import (
	"cmp"
	"maps"
	"slices"

	"parlance/internal/semantic"
)

// Change is what differs between two states of a namespace's models for some people.
type Change struct {
	Difference
	Who []string // roles, users and attributes that a rule names, or anybody else
}

// Difference is one thing that somebody meets otherwise than before.
type Difference struct {
	Model    string
	What     string // a field's name, rows, groups, or "" for the model itself
	From, To string
	Opens    bool // shows more than before
}

// persona is somebody whom a rule tells from others.
type persona struct {
	name string
	Identity
}

// Compare returns what a change of policies opens and closes, for every role, user and attribute that a rule of either
// state names and for anybody else. Models are matched by name.
func Compare(before, after []*semantic.Model) []Change {
	people := personas(slices.Concat(before, after))
	was, is := byName(before), byName(after)
	names := maps.Clone(was)
	maps.Copy(names, is)
	who := map[Difference][]string{}
	for name := range names {
		for _, p := range people {
			for _, d := range differences(name, was[name], is[name], p.Identity) {
				who[d] = append(who[d], p.name)
			}
		}
	}
	var changes []Change
	for d, people := range who {
		changes = append(changes, Change{d, people})
	}
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.What, b.What), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return changes
}

func byName(models []*semantic.Model) map[string]*semantic.Model {
	index := map[string]*semantic.Model{}
	for _, m := range models {
		index[m.Name] = m
	}
	return index
}

// personas are all that the rules tell apart, in the order in which they are named, and anybody else first.
func personas(models []*semantic.Model) []persona {
	list := []persona{{name: "anybody else"}}
	add := func(name string, id Identity) {
		if !slices.ContainsFunc(list, func(p persona) bool { return p.name == name }) {
			list = append(list, persona{name, id})
		}
	}
	for _, m := range models {
		if m.Access == nil {
			continue
		}
		for _, role := range m.Access.Roles {
			add("role "+role, Identity{Roles: []string{role}})
		}
		for _, e := range exemptions(m.Access) {
			for _, role := range e.Roles {
				add("role "+role, Identity{Roles: []string{role}})
			}
			for _, user := range e.Users {
				add("user "+user, Identity{User: user})
			}
			for _, a := range e.Attributes {
				for _, v := range a.Values {
					add("attribute "+a.Name+"="+v, Identity{Attributes: map[string][]string{a.Name: {v}}})
				}
			}
		}
	}
	return list
}

func exemptions(p *semantic.Policy) []semantic.Exemption {
	var list []semantic.Exemption
	for _, r := range p.Fields {
		list = append(list, r.Unless...)
	}
	for _, r := range p.Rows {
		list = append(list, r.Unless...)
	}
	for _, r := range p.MinGroup {
		list = append(list, r.Unless...)
	}
	return list
}

// differences compares what one identity may see of a model. A state that lacks the model shows nothing of it.
func differences(name string, before, after *semantic.Model, id Identity) []Difference {
	was, is := sight(before, id), sight(after, id)
	if was.model != is.model {
		return []Difference{{Model: name, From: was.model, To: is.model, Opens: is.model == seenWord}}
	}
	if is.model != seenWord {
		return nil
	}
	var list []Difference
	fields := maps.Clone(was.fields)
	maps.Copy(fields, is.fields)
	for f := range fields {
		from, to := was.state(f), is.state(f)
		if from != to {
			list = append(list, Difference{name, f, from, to, openness(to) > openness(from)})
		}
	}
	if was.concealed != is.concealed {
		list = append(list, Difference{name, "what is denied", was.concealed, is.concealed, is.concealed == "told"})
	}
	list = append(list, ruleDifferences(name, "rows", was.rows, is.rows)...)
	return append(list, ruleDifferences(name, "groups", was.groups, is.groups)...)
}

// ruleDifferences are the rules that stand on one side only: one less opens, one more closes.
func ruleDifferences(model, what string, was, is []string) []Difference {
	var list []Difference
	for _, r := range was {
		if !slices.Contains(is, r) {
			list = append(list, Difference{model, what, r, "all", true})
		}
	}
	for _, r := range is {
		if !slices.Contains(was, r) {
			list = append(list, Difference{model, what, "all", r, false})
		}
	}
	return list
}

const (
	seenWord   = "visible"
	hiddenWord = "hidden"
	absentWord = "absent"
)

// view is what one identity may see of a model, in words.
type view struct {
	model        string
	fields       map[string]string
	concealed    string // whether what is denied is told or concealed
	rows, groups []string
}

func sight(m *semantic.Model, id Identity) view {
	v := view{model: absentWord, fields: map[string]string{}}
	if m == nil {
		return v
	}
	g := For(id, m)
	if v.model = hiddenWord; !g.Model() {
		return v
	}
	v.model, v.concealed = seenWord, "told"
	if g.Conceals() {
		v.concealed = "concealed"
	}
	for _, f := range m.Fields() {
		switch g.Field(f) {
		case Hidden:
			v.fields[f.Name] = hiddenWord
		case Masked:
			v.fields[f.Name] = "masked " + string(g.Mask(f))
		case Visible:
			v.fields[f.Name] = seenWord
		}
	}
	for _, e := range g.Effects() {
		switch e.What {
		case "rows":
			v.rows = append(v.rows, e.Rule)
		case "groups":
			v.groups = append(v.groups, e.Rule)
		}
	}
	return v
}

func (v view) state(field string) string {
	if s, ok := v.fields[field]; ok {
		return s
	}
	return absentWord
}

// openness orders the states of a field by how much they show.
func openness(state string) int {
	switch state {
	case absentWord, hiddenWord:
		return 0
	case seenWord:
		return 2
	}
	return 1
}
