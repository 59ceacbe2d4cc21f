package catalog

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// bigNamespace has models of a hundred fields each: a dimension, attributes, measures and ratios.
func bigNamespace(models int) fstest.MapFS {
	files := fstest.MapFS{}
	for m := range models {
		var b strings.Builder
		fmt.Fprintf(&b, "model: Model%d\nsource: {table: fact_%d, key: [id]}\ndefault_order: [-day$id, a1]\ntime: day\n", m, m)
		b.WriteString("dimensions:\n  - {name: day, table: dim_date, join: {day_id: id}, id: id, label: day, type: date}\n")
		b.WriteString("  - name: customer\n    table: dim_customer\n    join: {customer_id: id}\n    id: id\n    label: name\n    attributes:\n")
		for i := range 28 {
			fmt.Fprintf(&b, "      - {name: c%d, column: c_%d, caption: Customer's %d, synonyms: [one, two]}\n", i, i, i)
		}
		b.WriteString("attributes:\n")
		for i := range 36 {
			fmt.Fprintf(&b, "  - name: a%d\n    column: a_%d\n    type: string\n    caption: Attribute %d\n", i, i, i)
		}
		b.WriteString("measures:\n")
		for i := range 27 {
			fmt.Fprintf(&b, "  - {name: m%d, column: m_%d, type: money, agg: sum, caption: Measure %d, filter: \"a1 = 'x' and c%d > 1\"}\n", i, i, i, i)
		}
		for i := range 5 {
			fmt.Fprintf(&b, "  - {name: r%d, expression: \"m%d / m%d * 100\", type: percent}\n", i, i, i+1)
		}
		files[fmt.Sprintf("model_%04d.yaml", m)] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(b.String(), "and c", "and customer$c"))}
	}
	return files
}

func BenchmarkLoad(b *testing.B) {
	files := bigNamespace(1000)
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Load(context.Background(), Options{FS: files}); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}

func BenchmarkReloadOneChanged(b *testing.B) {
	files := bigNamespace(1000)
	g, problems := Load(context.Background(), Options{FS: files})
	if len(problems) > 0 {
		b.Fatal(problems[0])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("model_%04d.yaml", i%1000)
		files[name] = &fstest.MapFile{Data: append(files[name].Data, '\n')}
		if g, problems = Load(context.Background(), Options{FS: files, Previous: g}); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}
