// Package many writes namespaces of many large models, for measuring what their number costs. It loads none of them.
package many

import (
	"fmt"
	"strings"
	"testing/fstest"
)

// Models returns the files of n models of a hundred fields each.
func Models(n int) fstest.MapFS {
	files := fstest.MapFS{}
	for m := range n {
		files[fmt.Sprintf("model_%04d.yaml", m)] = &fstest.MapFile{Data: []byte(model(m))}
	}
	return files
}

// model has a dimension with attributes, attributes, measures and ratios.
func model(m int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: Model%d\nsource: {table: fact_%d, key: [id]}\ndimensions:\n", m, m)
	b.WriteString("  - name: customer\n    table: dim_customer\n    join: {customer_id: id}\n    id: id\n    label: name\n    attributes:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "      - {name: c%d, column: c_%d, caption: Customer's %d, synonyms: [one, two]}\n", i, i, i)
	}
	b.WriteString("attributes:\n")
	for i := range 36 {
		fmt.Fprintf(&b, "  - {name: a%d, column: a_%d, type: string, caption: Attribute %d}\n", i, i, i)
	}
	b.WriteString("measures:\n")
	for i := range 27 {
		fmt.Fprintf(&b, "  - {name: m%d, column: m_%d, type: money, agg: sum, caption: Measure %d, filter: \"a1 = 'x' and customer$c%d = 'y'\"}\n", i, i, i, i)
	}
	for i := range 5 {
		fmt.Fprintf(&b, "  - {name: r%d, expression: \"m%d / m%d * 100\", type: percent}\n", i, i, i+1)
	}
	return b.String()
}
