// Package jsontree reads JSON strictly: a key twice in one object, invalid UTF-8, a lone surrogate or anything after
// the document is an error, keys are case-sensitive, and numbers keep their text.
package jsontree

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the kind of a node.
type Kind uint8

// The JSON kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind's name as errors print it.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// Node is one value of a document.
type Node struct {
	Kind    Kind
	Text    string   // of a String: decoded; of a Number: as written; of a Bool: true or false
	Items   []Node   // of an Array
	Members []Member // of an Object, in order
	Raw     []byte   // the bytes as written, shared with the input
}

// Member is a key of an object with its value.
type Member struct {
	Key   string
	Value Node
}

// Get returns the value of a key.
func (n Node) Get(key string) (Node, bool) {
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value, true
		}
	}
	return Node{}, false
}

// SyntaxError says that the bytes are not one JSON document.
type SyntaxError struct {
	Offset int
	What   string
}

// Error returns what is wrong and where.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Offset) }

// DuplicateError says that an object has a key twice. The document around it is well formed.
type DuplicateError struct {
	Path string // of the object: param.slice[0]; "" is the root
	Key  string
}

// Error names the key and the object.
func (e *DuplicateError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("key %q stands twice", e.Key)
	}
	return fmt.Sprintf("key %q stands twice in %s", e.Key, e.Path)
}

// MaxDepth is how deep a document may nest.
const MaxDepth = 128

// Parse reads one document. Where an object has a key twice, the tree is returned beside a *DuplicateError for the
// first one, so that an envelope can still be answered; any other error is a *SyntaxError and comes without a tree.
func Parse(data []byte) (Node, error) {
	p := parser{data: data, whole: string(data)}
	p.space()
	n := p.value(0)
	p.space()
	if p.err == nil && p.pos < len(data) {
		p.fail("unexpected text after the document")
	}
	if p.err != nil {
		return Node{}, p.err
	}
	if p.duplicate {
		return n, findDuplicate(n, "")
	}
	return n, nil
}

type parser struct {
	data      []byte
	whole     string // the same; texts and numbers are parts of it
	pos       int
	err       error
	duplicate bool
}

func (p *parser) fail(what string) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: p.pos, What: what}
	}
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) Node {
	if depth > MaxDepth {
		p.fail("nested too deeply")
	}
	if p.err != nil {
		return Node{}
	}
	if p.pos >= len(p.data) {
		p.fail("unexpected end")
		return Node{}
	}
	start := p.pos
	var n Node
	switch c := p.data[p.pos]; {
	case c == '{':
		n = p.object(depth)
	case c == '[':
		n = p.array(depth)
	case c == '"':
		n = Node{Kind: String, Text: p.text()}
	case c == '-' || c >= '0' && c <= '9':
		n = Node{Kind: Number, Text: p.number()}
	default:
		n = p.word()
	}
	n.Raw = p.data[start:p.pos]
	return n
}

func (p *parser) word() Node {
	for word, n := range words {
		if len(p.data)-p.pos >= len(word) && string(p.data[p.pos:p.pos+len(word)]) == word {
			p.pos += len(word)
			return n
		}
	}
	p.fail("unexpected character")
	return Node{}
}

var words = map[string]Node{
	"null":  {Kind: Null},
	"true":  {Kind: Bool, Text: "true"},
	"false": {Kind: Bool, Text: "false"},
}

func (p *parser) object(depth int) Node {
	n := Node{Kind: Object}
	var seen keys
	p.pos++
	p.space()
	for first := true; p.err == nil; first = false {
		if first && p.take('}') {
			return n
		}
		if p.pos >= len(p.data) || p.data[p.pos] != '"' {
			p.fail("expected a key in quotes")
			return n
		}
		key := p.text()
		p.space()
		if !p.take(':') {
			p.fail("expected ':' after a key")
			return n
		}
		p.space()
		v := p.value(depth + 1)
		p.duplicate = p.duplicate || seen.twice(n, key)
		if first {
			n.Members = make([]Member, 0, usualLength)
		}
		n.Members = append(n.Members, Member{key, v})
		p.space()
		if p.take('}') {
			return n
		}
		if !p.take(',') {
			p.fail("expected ',' or '}'")
		}
		p.space()
	}
	return n
}

// keys finds a repeated key without comparing every key with every other: small objects are searched, large ones
// indexed.
type keys map[string]bool

const indexedFrom = 16

func (k *keys) twice(n Node, key string) bool {
	if len(n.Members) < indexedFrom {
		_, twice := n.Get(key)
		return twice
	}
	if *k == nil {
		*k = make(keys, 2*indexedFrom)
		for _, m := range n.Members {
			(*k)[m.Key] = true
		}
	}
	twice := (*k)[key]
	(*k)[key] = true
	return twice
}

// usualLength is the room that a list has to begin with.
const usualLength = 4

func (p *parser) array(depth int) Node {
	n := Node{Kind: Array}
	p.pos++
	p.space()
	for first := true; p.err == nil; first = false {
		if first && p.take(']') {
			return n
		}
		if first {
			n.Items = make([]Node, 0, usualLength)
		}
		n.Items = append(n.Items, p.value(depth+1))
		p.space()
		if p.take(']') {
			return n
		}
		if !p.take(',') {
			p.fail("expected ',' or ']'")
		}
		p.space()
	}
	return n
}

func (p *parser) take(c byte) bool {
	if p.err == nil && p.pos < len(p.data) && p.data[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) number() string {
	start := p.pos
	p.take('-')
	if !p.take('0') && p.digits() == 0 {
		p.fail("malformed number")
	}
	if p.take('.') && p.digits() == 0 {
		p.fail("malformed number")
	}
	if p.take('e') || p.take('E') {
		if !p.take('+') {
			p.take('-')
		}
		if p.digits() == 0 {
			p.fail("malformed number")
		}
	}
	return p.whole[start:p.pos]
}

func (p *parser) digits() int {
	start := p.pos
	for p.pos < len(p.data) && p.data[p.pos] >= '0' && p.data[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - start
}

// text reads a string; the common one without escapes is taken in one piece.
func (p *parser) text() string {
	p.pos++
	start := p.pos
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; {
		case c == '"':
			s := p.whole[start:p.pos]
			if !utf8.ValidString(s) {
				p.fail("invalid UTF-8")
			}
			p.pos++
			return s
		case c == '\\':
			return p.escaped(start)
		case c < 0x20:
			p.fail("control character in a string")
			return ""
		}
		p.pos++
	}
	p.fail("unterminated string")
	return ""
}

func (p *parser) escaped(start int) string {
	buf := append([]byte(nil), p.data[start:p.pos]...)
	for p.pos < len(p.data) && p.err == nil {
		switch c := p.data[p.pos]; {
		case c == '"':
			if !utf8.Valid(buf) {
				p.fail("invalid UTF-8")
			}
			p.pos++
			return string(buf)
		case c == '\\':
			p.pos++
			buf = p.escape(buf)
		case c < 0x20:
			p.fail("control character in a string")
		default:
			buf = append(buf, c)
			p.pos++
		}
	}
	p.fail("unterminated string")
	return ""
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *parser) escape(buf []byte) []byte {
	if p.pos >= len(p.data) {
		return buf
	}
	c := p.data[p.pos]
	p.pos++
	if plain, ok := escapes[c]; ok {
		return append(buf, plain)
	}
	if c != 'u' {
		p.fail("unknown escape")
		return buf
	}
	r := p.hex4()
	if utf16.IsSurrogate(r) {
		if p.pos+1 >= len(p.data) || p.data[p.pos] != '\\' || p.data[p.pos+1] != 'u' {
			p.fail("lone surrogate")
			return buf
		}
		p.pos += 2
		if r = utf16.DecodeRune(r, p.hex4()); r == utf8.RuneError {
			p.fail("lone surrogate")
		}
	}
	return utf8.AppendRune(buf, r)
}

func (p *parser) hex4() rune {
	if p.pos+4 > len(p.data) {
		p.fail("malformed escape")
		return 0
	}
	v, err := strconv.ParseUint(string(p.data[p.pos:p.pos+4]), 16, 16)
	if err != nil {
		p.fail("malformed escape")
		return 0
	}
	p.pos += 4
	return rune(v)
}

func findDuplicate(n Node, path string) error {
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			return &DuplicateError{Path: path, Key: m.Key}
		}
		seen[m.Key] = true
		if err := findDuplicate(m.Value, Join(path, m.Key)); err != nil {
			return err
		}
	}
	for i, item := range n.Items {
		if err := findDuplicate(item, path+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return nil
}

// Join returns the path of a key below a path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
