package bench

import (
	"slices"
	"testing"

	"parlance/internal/jsontree"
)

func parse(b *testing.B, text string) jsontree.Node {
	b.Helper()
	tree, err := jsontree.Parse([]byte(text))
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

// without returns an object without one of its keys.
func without(n jsontree.Node, key string) jsontree.Node {
	n.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m jsontree.Member) bool { return m.Key == key })
	return n
}
