package catalog

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/test/many"
)

// manyOnDisk writes a thousand models into a folder.
func manyOnDisk(b *testing.B) string {
	b.Helper()
	dir := b.TempDir()
	if err := os.CopyFS(dir, many.Models(1000)); err != nil {
		b.Fatal(err)
	}
	return dir
}

// everyColumn is a live database in which every table has every column that the models name.
type everyColumn map[string]value.Type

func (c everyColumn) Columns(context.Context, string, semantic.Source) (map[string]value.Type, error) {
	return maps.Clone(c), nil // each table's answer is its own, as a database's is
}

func newEveryColumn() everyColumn {
	c := everyColumn{"id": integerType, "customer_id": integerType, "name": stringType}
	for i := range 40 {
		c[fmt.Sprintf("a_%d", i)], c[fmt.Sprintf("c_%d", i)] = stringType, stringType
		c[fmt.Sprintf("m_%d", i)] = value.Type{Kind: value.Decimal, Scale: 2}
	}
	return c
}

// BenchmarkLoad loads a thousand models of a hundred fields from nothing, and tells what they then hold in memory.
func BenchmarkLoad(b *testing.B) {
	dir := manyOnDisk(b)
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
	dir := manyOnDisk(b)
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
