package catalog

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"parlance/internal/semantic"
	"parlance/internal/value"
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

// onDisk writes a namespace into a folder.
func onDisk(b *testing.B, files fstest.MapFS) string {
	b.Helper()
	dir := b.TempDir()
	for name, file := range files {
		if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// everyColumn is a live database in which every table has every column that the models name.
type everyColumn map[string]value.Type

func (c everyColumn) Columns(context.Context, string, semantic.Source) (map[string]value.Type, error) {
	return maps.Clone(c), nil // each table's answer is its own, as a database's is
}

func newEveryColumn() everyColumn {
	c := everyColumn{"id": integerType, "day_id": integerType, "customer_id": integerType, "name": stringType, "day": dateType}
	for i := range 40 {
		c[fmt.Sprintf("a_%d", i)], c[fmt.Sprintf("c_%d", i)] = stringType, stringType
		c[fmt.Sprintf("m_%d", i)] = value.Type{Kind: value.Decimal, Scale: 2}
	}
	return c
}

// BenchmarkLoad loads a thousand models of a hundred fields from nothing, and tells what they then hold in memory.
func BenchmarkLoad(b *testing.B) {
	dir := onDisk(b, bigNamespace(1000))
	o := Options{Dir: dir, Schema: newEveryColumn()}
	b.ReportAllocs()
	var g *Generation
	for b.Loop() {
		var problems []Problem
		if g, problems = Load(context.Background(), o); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MB-held")
	b.ReportMetric(float64(m.Sys)/(1<<20), "MB-taken")
	runtime.KeepAlive(g)
}

// BenchmarkReloadOneChanged is what the watch does when one file of a thousand has changed.
func BenchmarkReloadOneChanged(b *testing.B) {
	dir := onDisk(b, bigNamespace(1000))
	c, err := New(Options{Namespace: "big", Dir: dir, Schema: newEveryColumn()})
	if err != nil {
		b.Fatal(err)
	}
	if problems := c.Reload(context.Background(), "big"); len(problems) > 0 {
		b.Fatal(problems[0])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		path := filepath.Join(dir, fmt.Sprintf("model_%04d.yaml", i%1000))
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, append(data, '\n'), 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if problems, changed := c.namespaces["big"].refresh(context.Background()); len(problems) > 0 || !changed {
			b.Fatal(problems, changed)
		}
	}
}
