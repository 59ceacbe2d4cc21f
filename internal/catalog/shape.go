package catalog

import "strings"

// reader is a part of a file that takes its value from a node and reports what does not fit.
type reader interface {
	read(r *report, n *node)
}

// key is one key of a mapping and what reads its value.
type key struct {
	name     string
	into     reader
	required bool
}

// shape is what a mapping may hold. It is the only list of the keys that the format knows.
type shape struct {
	what string // as messages name it: a measure
	keys []key  // in the order of the documents
}

// shaped is a mapping of the format.
type shaped interface {
	shape() shape
	place(at pos)
	where() pos
}

// readShape reads a mapping into what its shape binds. Every key that is unknown, repeated or missing is reported.
// It is false for what is no mapping, which is reported too.
func readShape(r *report, n *node, into shaped) bool {
	s := into.shape()
	into.place(n.at)
	if n.kind != mapNode {
		r.add(n.at, "%s is a mapping, got %s", s.what, n.kind)
		return false
	}
	seen := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "key %q stands twice in %s", m.key, s.what)
			continue
		}
		seen[m.key] = true
		s.readMember(r, m)
	}
	for _, k := range s.keys {
		if k.required && !seen[k.name] {
			r.add(n.at, "%s needs the key %q", s.what, k.name)
		}
	}
	return true
}

func (s shape) readMember(r *report, m member) {
	for _, k := range s.keys {
		if k.name == m.key {
			k.into.read(r, m.value)
			return
		}
	}
	r.add(m.at, "unknown key %q in %s%s", m.key, s.what, meant(m.key, s.names()))
}

func (s shape) names() []string {
	names := make([]string, len(s.keys))
	for i, k := range s.keys {
		names[i] = k.name
	}
	return names
}

// placed is the place of a mapping, for problems that concern all of it.
type placed struct{ at pos }

func (p *placed) place(at pos) { p.at = at }

func (p *placed) where() pos { return p.at }

// text is a string of the file. It is absent when at is zero.
type text struct {
	value string
	at    pos
}

func (t text) set() bool { return t.at != pos{} }

func (t *text) read(r *report, n *node) {
	if n.kind != stringNode {
		r.add(n.at, "wanted a string, got %s", described(n))
		return
	}
	if strings.TrimSpace(n.text) == "" {
		r.add(n.at, "wanted a string, got an empty one")
		return
	}
	if strings.ContainsRune(n.text, 0) {
		r.add(n.at, "a string holds a NUL character")
		return
	}
	*t = text{n.text, n.at}
}

// described returns a node as a message shows it; a number is shown with what it takes to make it a string.
func described(n *node) string {
	switch n.kind {
	case numberNode, boolNode:
		return n.kind.String() + ` (write "` + n.text + `" in quotes if it is meant as text)`
	case nullNode, stringNode, listNode, mapNode:
	}
	return n.kind.String()
}

// texts is a list of strings. It is absent when at is zero.
type texts struct {
	list []text
	at   pos
}

func (t texts) set() bool { return t.at != pos{} }

func (t texts) values() []string {
	var values []string
	for _, v := range t.list {
		values = append(values, v.value)
	}
	return values
}

func (t *texts) read(r *report, n *node) {
	if n.kind != listNode {
		r.add(n.at, "wanted a list of strings, got %s", n.kind)
		return
	}
	t.at = n.at
	seen := map[string]bool{}
	for _, item := range n.items {
		var one text
		one.read(r, item)
		if !one.set() {
			continue
		}
		if seen[one.value] {
			r.add(one.at, "%q stands twice in the list", one.value)
			continue
		}
		seen[one.value] = true
		t.list = append(t.list, one)
	}
}

// pair is one entry of a mapping from string to string.
type pair struct{ key, value text }

// pairs is a mapping from string to string, in the order of the file. It is absent when at is zero.
type pairs struct {
	list []pair
	at   pos
}

func (p pairs) set() bool { return p.at != pos{} }

func (p *pairs) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "wanted a mapping of strings, got %s", n.kind)
		return
	}
	p.at = n.at
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "key %q stands twice in one mapping", m.key)
			continue
		}
		seen[m.key] = true
		one := pair{key: text{m.key, m.at}}
		one.value.read(r, m.value)
		if one.value.set() {
			p.list = append(p.list, one)
		}
	}
}

// object is a mapping of its own shape. It is absent when value is nil.
type object[T any, P interface {
	*T
	shaped
}] struct{ value *T }

func (o *object[T, P]) read(r *report, n *node) {
	one := new(T)
	if readShape(r, n, P(one)) {
		o.value = one
	}
}

// where returns the place of the mapping, or the zero pos when it is absent.
func (o object[T, P]) where() pos {
	if o.value == nil {
		return pos{}
	}
	return P(o.value).where()
}

// objects is a list of mappings of one shape.
type objects[T any, P interface {
	*T
	shaped
}] struct{ list []*T }

func (o *objects[T, P]) read(r *report, n *node) {
	if n.kind != listNode {
		r.add(n.at, "wanted a list, got %s", n.kind)
		return
	}
	for _, item := range n.items {
		one := new(T)
		if readShape(r, item, P(one)) {
			o.list = append(o.list, one)
		}
	}
}
