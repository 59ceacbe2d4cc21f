package query

import (
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

func formatInt(i int64) string { return strconv.FormatInt(i, 10) }

// indexed returns the path of an array's element.
func indexed(path string, i int) string { return Entry(path, i) }

// below returns the path of a key, which is a caller's text and may be long.
func below(path, key string) string { return jsontree.Join(path, clip(key)) }

// member returns the value of a key that is there and not null.
func member(n jsontree.Node, key string) (jsontree.Node, bool) {
	v, ok := n.Get(key)
	return v, ok && v.Kind != jsontree.Null
}

// str reads a string without NUL.
func str(n jsontree.Node, path string) (string, error) {
	if n.Kind != jsontree.String {
		return "", wrongType(path, "a string", n)
	}
	if strings.IndexByte(n.Text, 0) >= 0 {
		return "", nulCharacter(path)
	}
	return n.Text, nil
}

// required reads a string that must be there.
func required(n jsontree.Node, path, key string) (string, error) {
	v, ok := member(n, key)
	if !ok {
		return "", missingKey(path, key)
	}
	return str(v, below(path, key))
}

// optional reads a string that may be absent.
func optional(n jsontree.Node, path, key string) (string, error) {
	v, ok := member(n, key)
	if !ok {
		return "", nil
	}
	return str(v, below(path, key))
}

func boolean(n jsontree.Node, path string) (bool, error) {
	if n.Kind != jsontree.Bool {
		return false, wrongType(path, "true or false", n)
	}
	return n.Text == "true", nil
}

func integer(n jsontree.Node, path string) (*int64, error) {
	if n.Kind != jsontree.Number {
		return nil, wrongType(path, "an integer", n)
	}
	i, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil {
		return nil, notAnInteger(path, n.Text)
	}
	return &i, nil
}

// scalar reads a constant of a condition.
func scalar(n jsontree.Node, path string) (Scalar, error) {
	switch n.Kind {
	case jsontree.Null:
		return Scalar{}, nil
	case jsontree.Bool:
		return Scalar{Kind: BoolLiteral, Text: n.Text}, nil
	case jsontree.Number:
		return Scalar{Kind: NumberLiteral, Text: n.Text}, nil
	case jsontree.String:
		text, err := str(n, path)
		return Scalar{Kind: StringLiteral, Text: text}, err
	case jsontree.Array, jsontree.Object:
	}
	return Scalar{}, wrongType(path, "a string, a number, true, false or null", n)
}
