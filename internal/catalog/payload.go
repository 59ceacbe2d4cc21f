package catalog

import (
	"encoding/json"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// payload is a query of the contract, written as YAML and kept as JSON.
type payload struct {
	json string
	at   pos
}

func (p *payload) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "a payload is a mapping, got %s", n.kind)
		return
	}
	var b strings.Builder
	if appendJSON(r, &b, n) {
		p.json, p.at = b.String(), n.at
	}
}

// appendJSON writes a node as JSON, keys in the order of the file, and reports what JSON cannot say.
func appendJSON(r *report, b *strings.Builder, n *node) bool {
	switch n.kind {
	case nullNode:
		b.WriteString("null")
	case boolNode:
		b.WriteString(strings.ToLower(n.text))
	case numberNode:
		if !json.Valid([]byte(n.text)) {
			r.add(n.at, "the number %s cannot be written in JSON", n.text)
			return false
		}
		b.WriteString(n.text)
	case stringNode:
		appendJSONString(b, n.text)
	case listNode:
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			if !appendJSON(r, b, item) {
				return false
			}
		}
		b.WriteByte(']')
	case mapNode:
		return appendJSONObject(r, b, n)
	}
	return true
}

func appendJSONObject(r *report, b *strings.Builder, n *node) bool {
	b.WriteByte('{')
	seen := map[string]bool{}
	for i, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "key %q stands twice in one mapping", m.key)
			return false
		}
		seen[m.key] = true
		if i > 0 {
			b.WriteByte(',')
		}
		appendJSONString(b, m.key)
		b.WriteByte(':')
		if !appendJSON(r, b, m.value) {
			return false
		}
	}
	b.WriteByte('}')
	return true
}

func appendJSONString(b *strings.Builder, s string) {
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err == nil {
		b.WriteString(strings.TrimSuffix(line.String(), "\n"))
	}
}

// checkExamples reports a payload that no caller could send. Whether its fields exist is the resolver's to say.
func (b *builder) checkExamples() {
	for _, e := range b.raw.examples.list {
		if e.payload.json == "" {
			continue
		}
		tree, err := jsontree.Parse([]byte(e.payload.json))
		if err == nil {
			_, err = query.Decode(tree, query.DecodeOptions{})
		}
		if err != nil {
			b.r.add(e.payload.at, "the payload is refused: %s", fault.As(err).Text())
		}
	}
}
