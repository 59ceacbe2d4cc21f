package repair

import (
	"slices"
	"strconv"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Codes refuses arguments whose filters compare a dictionary's code with a label, or its label with a code: such a
// filter would match nothing, and leave nothing out, in silence. A value that the dictionary does not know is let
// through, since data may hold codes that nobody listed.
func Codes(args jsontree.Node, sight Sight) error {
	model, _ := args.Get("model")
	payload, _ := args.Get("payload")
	c := codes{model: model.Text, sight: sight}
	for _, clause := range []string{"slice", "having"} {
		list, _ := payload.Get(clause)
		if err := c.conditions(list, "payload."+clause); err != nil {
			return err
		}
	}
	return nil
}

type codes struct {
	model  string
	sight  Sight
	fields map[string]*semantic.Field // with a dictionary that the caller sees; nil until the first is asked for
}

func (c *codes) conditions(n jsontree.Node, path string) error {
	if n.Kind == jsontree.Object {
		return c.condition(n, path)
	}
	for i, item := range n.Items {
		if err := c.condition(item, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

func (c *codes) condition(n jsontree.Node, path string) error {
	if field, ok := n.Get("field"); ok {
		word, _ := n.Get("op")
		value, _ := n.Get("value")
		if op, _ := query.ParseOp(word.Text); !matching[op] {
			return nil
		}
		return c.values(field.Text, value, path+".value")
	}
	for _, m := range n.Members {
		at := path + "." + m.Key
		var err error
		if strings.HasPrefix(m.Key, "$") {
			err = c.conditions(m.Value, at)
		} else {
			err = c.values(m.Key, m.Value, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// matching are the operators that ask whether a value is a given one.
var matching = map[query.Op]bool{
	query.Equal: true, query.NotEqual: true, query.StrictEqual: true, query.InList: true, query.NotInList: true,
}

// values checks the value of a condition, or every value of its list.
func (c *codes) values(field string, n jsontree.Node, path string) error {
	f := c.field(field)
	if f == nil {
		return nil
	}
	if n.Kind == jsontree.Array {
		for i, item := range n.Items {
			if err := c.value(f, item, path+"["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
		return nil
	}
	return c.value(f, n, path)
}

func (c *codes) value(f *semantic.Field, n jsontree.Node, path string) error {
	if n.Kind != jsontree.String {
		return nil
	}
	if meant := translated(f, n.Text); len(meant) > 0 {
		return notACode(f, n.Text, meant, path)
	}
	return nil
}

func (c *codes) field(name string) *semantic.Field {
	if c.fields == nil {
		c.fields = map[string]*semantic.Field{}
		for _, f := range c.sight.Fields(c.model) {
			if f.Dictionary != nil && !f.Tree && !c.sight.Masked(c.model, f) {
				c.fields[f.Name] = f
			}
		}
	}
	return c.fields[name]
}

// translated returns the values of the field that another word for them stands for; none where the word is a value
// itself or unknown. A list in one text, "PAID, SHIPPED", is as many words.
func translated(f *semantic.Field, word string) []string {
	if ofField(f, word) {
		return nil
	}
	if one := meaning(f, word); one != "" {
		return []string{one}
	}
	list := parts(word)
	if len(list) < 2 {
		return nil
	}
	for i, p := range list {
		if ofField(f, p) {
			continue
		}
		if list[i] = meaning(f, p); list[i] == "" {
			return nil
		}
	}
	return list
}

// ofField reports whether a word is a value of the field: a code, or of a label's field a label.
func ofField(f *semantic.Field, word string) bool {
	return slices.ContainsFunc(f.Dictionary.Entries, func(e semantic.Entry) bool { return valueOf(f, e) == word })
}

func valueOf(f *semantic.Field, e semantic.Entry) string {
	if f.Role == semantic.CodeLabel {
		return e.Label
	}
	return e.Code
}

// meaning returns the value of the one entry that a word names in whatever case, by code, label or synonym; "" where
// none or several do.
func meaning(f *semantic.Field, word string) string {
	found := ""
	for _, e := range f.Dictionary.Entries {
		names := append([]string{e.Code, e.Label}, e.Synonyms...)
		if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, word) }) {
			continue
		}
		if found != "" {
			return ""
		}
		found = valueOf(f, e)
	}
	return found
}

// notACode says which values a filter's word stands for.
func notACode(f *semantic.Field, got string, meant []string, path string) error {
	what := "codes"
	if f.Role == semantic.CodeLabel {
		what = "labels"
	}
	e := fault.Invalidf("not_a_code", path, "%s holds %s, and %q is another word for %s", f.Name, what, fault.Clip(got), fault.Clip(strings.Join(meant, ", ")))
	e.Got, e.Closest = fault.Clip(got), meant[:min(len(meant), 3)]
	if len(meant) == 1 {
		e.Meant = meant[0]
		return e
	}
	e.Hint = "give them as a list to the operator in"
	return e
}

// codeMeant puts the code for its label; a list in one text becomes a list.
func (m *mistake) codeMeant() []Patch {
	if m.fault.Meant != "" {
		return one(replace(m.at, text(m.fault.Meant)))
	}
	p, condition := m.holder()
	op, explicit := condition.Get("op")
	list := texts(parts(m.node.Text))
	if !explicit {
		return one(replace(m.at, list))
	}
	switch known, _ := query.ParseOp(op.Text); known {
	case query.InList, query.NotInList:
		return one(replace(m.at, list))
	case query.Equal, query.StrictEqual:
		return one(replace(m.at, list), replace(p.to("op"), text("in")))
	case query.NotEqual:
		return one(replace(m.at, list), replace(p.to("op"), text("not in")))
	}
	return nil
}
