package repair

import (
	"sort"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

func text(s string) jsontree.Node {
	return jsontree.Node{Kind: jsontree.String, Text: s, Raw: quoted(s)}
}

func number(s string) jsontree.Node {
	return jsontree.Node{Kind: jsontree.Number, Text: s, Raw: []byte(s)}
}

func flag(b bool) jsontree.Node {
	word := strconv.FormatBool(b)
	return jsontree.Node{Kind: jsontree.Bool, Text: word, Raw: []byte(word)}
}

func array(items ...jsontree.Node) jsontree.Node {
	return jsontree.Node{Kind: jsontree.Array, Items: items}
}

func texts(words []string) jsontree.Node {
	list := array()
	for _, w := range words {
		list.Items = append(list.Items, text(w))
	}
	return list
}

// object makes an object of keys and values in turn.
func object(members ...any) jsontree.Node {
	n := jsontree.Node{Kind: jsontree.Object}
	for i := 0; i+1 < len(members); i += 2 {
		value, ok := members[i+1].(jsontree.Node)
		if !ok {
			value = text(members[i+1].(string))
		}
		n.Members = append(n.Members, jsontree.Member{Key: members[i].(string), Value: value})
	}
	return n
}

// locate returns the pointer of an error's path, such as payload.slice[0].op, in the tree it speaks of. Keys may have
// points in them, so the tree decides where one ends.
func locate(n jsontree.Node, path string) (pointer, jsontree.Node, bool) {
	if path == "" {
		return nil, n, true
	}
	if n.Kind == jsontree.Array && path[0] == '[' {
		index, rest, ok := strings.Cut(path[1:], "]")
		i, within := position(index, len(n.Items)-1)
		if !ok || !within {
			return nil, n, false
		}
		p, found, ok := locate(n.Items[i], strings.TrimPrefix(rest, "."))
		return pointer{index}.to(p...), found, ok
	}
	for _, key := range keysWithin(n, path) {
		value, _ := n.Get(key)
		if p, found, ok := locate(value, strings.TrimPrefix(path[len(key):], ".")); ok {
			return pointer{key}.to(p...), found, ok
		}
	}
	return nil, n, false
}

// keysWithin returns the keys of an object that a path may begin with, the longest first.
func keysWithin(n jsontree.Node, path string) []string {
	var keys []string
	for _, m := range n.Members {
		rest, ok := strings.CutPrefix(path, m.Key)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			keys = append(keys, m.Key)
		}
	}
	sort.Slice(keys, func(i, j int) bool { return len(keys[i]) > len(keys[j]) })
	return keys
}

// entry is the beginning of a path up to the first list's entry: payload.slice[0] of payload.slice[0].value[1].
func entry(path string) string {
	if i := strings.IndexByte(path, ']'); i >= 0 {
		return path[:i+1]
	}
	return path
}

// below reports whether a path is a key's or leads further into it.
func below(key, path string) bool {
	rest, ok := strings.CutPrefix(path, key)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// walkTexts calls see for every string below a pointer.
func walkTexts(n jsontree.Node, p pointer, see func(p pointer, text string)) {
	switch n.Kind {
	case jsontree.String:
		see(p, n.Text)
	case jsontree.Array:
		for i, item := range n.Items {
			walkTexts(item, p.to(strconv.Itoa(i)), see)
		}
	case jsontree.Object:
		for _, m := range n.Members {
			walkTexts(m.Value, p.to(m.Key), see)
		}
	case jsontree.Null, jsontree.Bool, jsontree.Number:
	}
}
