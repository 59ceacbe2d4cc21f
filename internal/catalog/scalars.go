package catalog

import (
	"strconv"

	"parlance/internal/query"
)

// truth is true or false. It is absent when at is zero.
type truth struct {
	value bool
	at    pos
}

func (f *truth) read(r *report, n *node) {
	if n.kind != boolNode {
		r.add(n.at, "wanted true or false, got %s", n.kind)
		return
	}
	*f = truth{n.text == "true" || n.text == "True" || n.text == "TRUE", n.at}
}

// count is a whole number of at least 1. It is absent when at is zero.
type count struct {
	value int64
	at    pos
}

func (c *count) read(r *report, n *node) {
	v, err := strconv.ParseInt(n.text, 10, 64)
	if n.kind != numberNode || err != nil || v < 1 {
		r.add(n.at, "wanted a whole number of at least 1, got %s", n.kind)
		return
	}
	*c = count{v, n.at}
}

// alternatives is a string or a list of strings. It is absent when at is zero.
type alternatives struct {
	values []string
	at     pos
}

func (w alternatives) set() bool { return w.at != pos{} }

func (w *alternatives) read(r *report, n *node) {
	var list texts
	if n.kind == listNode {
		list.read(r, n)
		if len(n.items) == 0 {
			r.add(n.at, "the list is empty")
		}
	} else {
		var one text
		one.read(r, n)
		list.list = append(list.list, one)
	}
	w.at = n.at
	for _, t := range list.list {
		if t.set() {
			w.values = append(w.values, t.value)
		}
	}
}

// constants is a value of a condition or a list of them. It is absent when at is zero.
type constants struct {
	list query.List
	at   pos
}

func (c *constants) read(r *report, n *node) {
	c.at = n.at
	items := []*node{n}
	if n.kind == listNode {
		items = n.items
	}
	if len(items) == 0 {
		r.add(n.at, "the list is empty, which no row matches")
	}
	for _, item := range items {
		s, ok := constant(item)
		if !ok {
			r.add(item.at, "wanted a string, a number or a boolean, got %s", item.kind)
			continue
		}
		c.list = append(c.list, s)
	}
}

func constant(n *node) (query.Scalar, bool) {
	switch n.kind {
	case boolNode:
		return query.Scalar{Kind: query.BoolLiteral, Text: n.text}, true
	case numberNode:
		return query.Scalar{Kind: query.NumberLiteral, Text: n.text}, true
	case stringNode:
		return query.Scalar{Kind: query.StringLiteral, Text: n.text}, true
	case nullNode, listNode, mapNode:
	}
	return query.Scalar{}, false
}

// oneOrMore reads a mapping, or a list of mappings, of one shape.
func oneOrMore[T any, P interface {
	*T
	shaped
}](r *report, n *node) []*T {
	if n.kind == listNode {
		var many objects[T, P]
		many.read(r, n)
		return many.list
	}
	var one object[T, P]
	one.read(r, n)
	if one.value == nil {
		return nil
	}
	return []*T{one.value}
}
