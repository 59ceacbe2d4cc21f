package repair

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

// Patch is a JSON Patch (RFC 6902).
type Patch []Op

// Op is one operation: add, remove, replace or move.
type Op struct {
	op    string
	path  pointer
	from  pointer       // of move
	value jsontree.Node // of add and replace
}

// pointer is a JSON Pointer, token by token; the empty one is the whole document.
type pointer []string

func (p pointer) to(tokens ...string) pointer { return slices.Concat(p, tokens) }

// up is the pointer of what holds this.
func (p pointer) up() pointer { return p[:max(len(p)-1, 0)] }

// last is the key or index of this in what holds it.
func (p pointer) last() string {
	if len(p) == 0 {
		return ""
	}
	return p[len(p)-1]
}

// String returns the pointer as RFC 6901 writes it.
func (p pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}

func add(at pointer, value jsontree.Node) Op     { return Op{op: "add", path: at, value: value} }
func replace(at pointer, value jsontree.Node) Op { return Op{op: "replace", path: at, value: value} }
func remove(at pointer) Op                       { return Op{op: "remove", path: at} }
func move(from, to pointer) Op                   { return Op{op: "move", path: to, from: from} }

// MarshalJSON returns the operation as RFC 6902 writes it.
func (o Op) MarshalJSON() ([]byte, error) {
	b := append([]byte(`{"op":`), quoted(o.op)...)
	if o.op == "move" {
		b = append(append(b, `,"from":`...), quoted(o.from.String())...)
	}
	b = append(append(b, `,"path":`...), quoted(o.path.String())...)
	if o.op == "add" || o.op == "replace" {
		b = append(append(b, `,"value":`...), written(o.value)...)
	}
	return append(b, '}'), nil
}

// JSON returns the patch as one document.
func (p Patch) JSON() []byte {
	b := []byte{'['}
	for i, o := range p {
		if i > 0 {
			b = append(b, ',')
		}
		one, _ := o.MarshalJSON()
		b = append(b, one...)
	}
	return append(b, ']')
}

// Apply returns the document after the operations, or false where one does not fit it.
func (p Patch) Apply(n jsontree.Node) (jsontree.Node, bool) {
	for _, o := range p {
		value, ok := o.value, true
		if o.op == "move" {
			if value, ok = at(n, o.from); ok {
				n, ok = edit(n, o.from, nil, false)
			}
		}
		if !ok {
			return n, false
		}
		switch o.op {
		case "remove":
			n, ok = edit(n, o.path, nil, false)
		default:
			n, ok = edit(n, o.path, &value, o.op != "replace")
		}
		if !ok {
			return n, false
		}
	}
	return n, true
}

// at returns what a pointer leads to; the zero node where it leads nowhere.
func at(n jsontree.Node, p pointer) (jsontree.Node, bool) {
	for _, token := range p {
		inner, ok := n.Get(token)
		if n.Kind == jsontree.Array {
			var i int
			if i, ok = position(token, len(n.Items)-1); ok {
				inner = n.Items[i]
			}
		}
		if !ok {
			return jsontree.Node{}, false
		}
		n = inner
	}
	return n, true
}

func position(token string, last int) (int, bool) {
	i, err := strconv.Atoi(token)
	return i, err == nil && i >= 0 && i <= last
}

// edit returns the document with another value at the pointer, or none where value is nil; insert makes room for it.
// What stands around it is copied, never changed.
func edit(n jsontree.Node, p pointer, value *jsontree.Node, insert bool) (jsontree.Node, bool) {
	if len(p) == 0 {
		if value == nil {
			return n, false
		}
		return *value, true
	}
	n.Raw = nil
	switch n.Kind {
	case jsontree.Object:
		return editMember(n, p, value, insert)
	case jsontree.Array:
		return editItem(n, p, value, insert)
	case jsontree.Null, jsontree.Bool, jsontree.Number, jsontree.String:
	}
	return n, false
}

func editMember(n jsontree.Node, p pointer, value *jsontree.Node, insert bool) (jsontree.Node, bool) {
	n.Members = slices.Clone(n.Members)
	i := slices.IndexFunc(n.Members, func(m jsontree.Member) bool { return m.Key == p[0] })
	switch {
	case i < 0 && len(p) == 1 && insert:
		n.Members = append(n.Members, jsontree.Member{Key: p[0], Value: *value})
		return n, true
	case i < 0:
		return n, false
	case len(p) == 1 && value == nil:
		n.Members = slices.Delete(n.Members, i, i+1)
		return n, true
	}
	inner, ok := edit(n.Members[i].Value, p[1:], value, insert)
	n.Members[i].Value = inner
	return n, ok
}

func editItem(n jsontree.Node, p pointer, value *jsontree.Node, insert bool) (jsontree.Node, bool) {
	n.Items = slices.Clone(n.Items)
	if len(p) == 1 && insert && p[0] == "-" {
		n.Items = append(n.Items, *value)
		return n, true
	}
	last := len(n.Items) - 1
	if len(p) == 1 && insert {
		last++
	}
	i, ok := position(p[0], last)
	switch {
	case !ok:
		return n, false
	case len(p) == 1 && value == nil:
		n.Items = slices.Delete(n.Items, i, i+1)
		return n, true
	case len(p) == 1 && insert:
		n.Items = slices.Insert(n.Items, i, *value)
		return n, true
	}
	n.Items[i], ok = edit(n.Items[i], p[1:], value, insert)
	return n, ok
}

// quoted returns a text as JSON.
func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string always can be
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// written returns a tree as JSON.
func written(n jsontree.Node) []byte {
	switch n.Kind {
	case jsontree.Null:
		return []byte("null")
	case jsontree.Bool, jsontree.Number:
		return []byte(n.Text)
	case jsontree.String:
		return quoted(n.Text)
	case jsontree.Array:
		b := []byte{'['}
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, written(item)...)
		}
		return append(b, ']')
	case jsontree.Object:
	}
	b := []byte{'{'}
	for i, m := range n.Members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, quoted(m.Key)...), ':')
		b = append(b, written(m.Value)...)
	}
	return append(b, '}')
}
