package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// nodeKind is the kind of a YAML value.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	stringNode
	listNode
	mapNode
)

// String returns the kind as messages print it.
func (k nodeKind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// node is one value of a file with its place. Mappings keep their order and their repeated keys.
type node struct {
	kind    nodeKind
	text    string // of a scalar, as written; of a string, decoded
	at      pos
	items   []*node
	members []member
}

// member is one key of a mapping.
type member struct {
	key   string
	at    pos
	value *node
}

// maxDepth is how deep a file may nest; the format itself needs less.
const maxDepth = 64

// parseYAML reads one document, or reports why it is none and returns nil. Anchors, aliases, tags and merge keys
// are refused: a model file says what it says where it says it.
func parseYAML(r *report, data []byte) (root *node) {
	defer func() {
		if p := recover(); p != nil {
			r.add(pos{}, "the file cannot be read as YAML")
			root = nil
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		r.add(invalidAt(data), "the file is not valid UTF-8")
		return nil
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil
	}
	var bodies []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			bodies = append(bodies, d.Body)
		}
	}
	if len(bodies) == 0 {
		r.add(pos{1, 1}, "the file is empty")
		return nil
	}
	if len(bodies) > 1 {
		r.add(place(bodies[1]), "a file holds one document, and here a second one starts")
		return nil
	}
	before := len(r.problems)
	root = convert(r, bodies[0], 0)
	if len(r.problems) > before {
		return nil
	}
	return root
}

func (r *report) syntax(err error) {
	var located yaml.Error
	if errors.As(err, &located) && located.GetToken() != nil {
		r.add(tokenPlace(located.GetToken()), "%s", located.GetMessage())
		return
	}
	r.add(pos{}, "the file cannot be read as YAML")
}

func convert(r *report, n ast.Node, depth int) *node {
	at := place(n)
	if depth > maxDepth {
		r.add(at, "nested deeper than %d levels", maxDepth)
		return &node{at: at}
	}
	switch n := n.(type) {
	case *ast.NullNode:
		return &node{kind: nullNode, at: at}
	case *ast.BoolNode:
		return &node{kind: boolNode, text: n.Token.Value, at: at}
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return &node{kind: numberNode, text: n.GetToken().Value, at: at}
	case *ast.StringNode:
		return &node{kind: stringNode, text: n.Value, at: at}
	case *ast.LiteralNode:
		return &node{kind: stringNode, text: n.Value.Value, at: at}
	case *ast.SequenceNode:
		list := &node{kind: listNode, at: at}
		for _, item := range n.Values {
			list.items = append(list.items, convert(r, item, depth+1))
		}
		return list
	case *ast.MappingNode:
		return convertMap(r, n, at, depth)
	case *ast.MappingValueNode:
		return convertMap(r, &ast.MappingNode{Values: []*ast.MappingValueNode{n}}, at, depth)
	}
	r.add(at, "%s cannot stand in a model file", unsupported(n))
	return &node{at: at}
}

func convertMap(r *report, n *ast.MappingNode, at pos, depth int) *node {
	m := &node{kind: mapNode, at: at}
	for _, v := range n.Values {
		keyAt := tokenPlace(v.Key.GetToken())
		key, ok := keyText(v.Key)
		if !ok {
			r.add(keyAt, "%s cannot stand in a model file", unsupported(v.Key))
			continue
		}
		m.members = append(m.members, member{key: key, at: keyAt, value: convert(r, v.Value, depth+1)})
	}
	return m
}

// keyText returns a plain key as written, so that the code 01 of a dictionary stays 01.
func keyText(k ast.MapKeyNode) (string, bool) {
	switch k := k.(type) {
	case *ast.StringNode:
		return k.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return k.GetToken().Value, true
	}
	return "", false
}

func unsupported(n ast.Node) string {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode:
		return "an anchor or alias (& or *)"
	case *ast.TagNode:
		return "a tag (!)"
	case *ast.MergeKeyNode:
		return "a merge key (<<)"
	case *ast.MappingKeyNode:
		return "a complex key (?)"
	}
	return fmt.Sprintf("YAML's %s", n.Type())
}

func place(n ast.Node) pos {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return tokenPlace(n.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return tokenPlace(n.Key.GetToken())
	}
	return tokenPlace(n.GetToken())
}

func tokenPlace(t *token.Token) pos {
	if t == nil || t.Position == nil {
		return pos{}
	}
	return pos{int32(t.Position.Line), int32(t.Position.Column)}
}

func invalidAt(data []byte) pos {
	at := pos{1, 1}
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			return at
		}
		if at.column++; r == '\n' {
			at = pos{at.line + 1, 1}
		}
		data = data[size:]
	}
	return at
}
