package bench

import (
	"bufio"
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/service"
	"parlance/internal/value"
	"parlance/test/binary"
	"parlance/test/many"
	"parlance/test/shop"
)

const manyModels = 1000

// BenchmarkModels: what a thousand models cost to load, to hold and to ask one of.
func BenchmarkModels(b *testing.B) {
	folder := b.TempDir()
	tablesOfModels(b, filepath.Join(folder, "many.db"))
	took, held := startMany(b, folder)
	pages = append(pages, fmt.Sprintf("| %d models of 100 fields on as many tables: from the start of the process until it is ready | %.1f s | 5 s |", manyModels, took.Seconds()),
		fmt.Sprintf("| what the process then holds | %d MB | 300 MB |", held>>20))
	alone, among := askOneOf(b, 1), askOneOf(b, manyModels)
	var ratios []float64
	var first, other []time.Duration
	for range 41 {
		f, o := alone(), among()
		first, other, ratios = append(first, f), append(other, o), append(ratios, float64(o)/float64(f))
	}
	pages = append(pages, fmt.Sprintf("| a query of one model to its statements, alone and among %d: %.1f µs and %.1f µs | %.2f × | 1 × |", manyModels, micros(quantile(first, 0.5)), micros(quantile(other, 0.5)), median(ratios)))
}

// tablesOfModels makes a database with an empty table for each model.
func tablesOfModels(b *testing.B, path string) {
	b.Helper()
	source, err := datasource.Open(b.Context(), "many", datasource.Config{Type: "sqlite", Path: path, Create: true}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	number, text := value.Type{Kind: value.Integer}, value.Type{Kind: value.String}
	columns := func(list []datasource.Column, prefix string, n int, typ value.Type) []datasource.Column {
		for i := range n {
			list = append(list, datasource.Column{Name: prefix + strconv.Itoa(i), Type: typ, Nullable: true})
		}
		return list
	}
	table := func(name string, list []datasource.Column) {
		var none iter.Seq[[]any] = func(func([]any) bool) {}
		if err := source.Load(b.Context(), datasource.Table{Name: name, Columns: list, Key: []string{"id"}, Rows: none}); err != nil {
			b.Fatal(err)
		}
	}
	table("dim_customer", columns([]datasource.Column{{Name: "id", Type: number}, {Name: "name", Type: text}}, "c_", 30, text))
	for m := range manyModels {
		list := columns([]datasource.Column{{Name: "id", Type: number}, {Name: "customer_id", Type: number}}, "a_", 36, text)
		table("fact_"+strconv.Itoa(m), columns(list, "m_", 27, value.Type{Kind: value.Decimal, Scale: 2}))
	}
}

// startMany starts the program over all models and returns how long it took to be ready, and the memory that it then has.
func startMany(b *testing.B, folder string) (took time.Duration, held int64) {
	b.Helper()
	models := filepath.Join(folder, "models")
	if err := os.CopyFS(models, many.Models(manyModels)); err != nil {
		b.Fatal(err)
	}
	config := filepath.Join(folder, "parlance.yaml")
	text := fmt.Sprintf("listen: 127.0.0.1:0\nnamespaces: {default: {models: %q, datasource: many}}\ndatasources: {many: {type: sqlite, path: %q}}\n", models, filepath.Join(folder, "many.db"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	program, err := binary.Build(b.Context(), folder)
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	cmd := exec.CommandContext(b.Context(), program, "serve", "--config", config)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n') // where it listens
	if err != nil {
		b.Fatal(err)
	}
	_, addr, _ := strings.Cut(strings.TrimSpace(line), "http://")
	for ready := false; !ready; time.Sleep(5 * time.Millisecond) {
		if r, err := http.Get("http://" + addr + "/readyz"); err == nil {
			ready = r.StatusCode == http.StatusOK
			r.Body.Close()
		}
	}
	return time.Since(begun), resident(b, cmd.Process.Pid)
}

// resident is the memory of a process, its program's own pages included.
func resident(b *testing.B, pid int) int64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// askOneOf returns how long a query of one of n models takes to its statements.
func askOneOf(b *testing.B, n int) func() time.Duration {
	b.Helper()
	generations, err := catalog.New(catalog.Options{Namespace: "default", FS: many.Models(n), Datasource: "none"})
	if err != nil {
		b.Fatal(err)
	}
	if problems := generations.Reload(context.Background(), "default"); len(problems) > 0 {
		b.Fatal(problems[0])
	}
	source, err := datasource.Open(b.Context(), "none", datasource.Config{Type: "duckdb"}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { source.Close() })
	s := service.New(service.Deps{
		Catalog: generations, Sources: map[string]service.Source{"none": source}, DefaultNamespace: "default", Namespaces: []string{"default"},
		Limits: compile.Limits{DefaultRows: 100, MaxRows: 1000},
	})
	q, err := shop.Decode(`{"columns":["customer$c1","a2","m3","r4"],"groupBy":["customer$c1","a2"],"slice":[{"field":"a5","op":"=","value":"x"}],"orderBy":["-m3"]}`)
	if err != nil {
		b.Fatal(err)
	}
	model := fmt.Sprintf("Model%d", n-1)
	return func() time.Duration {
		const times = 200
		begun := time.Now()
		for range times {
			if _, err := s.Query(b.Context(), service.Caller{}, model, q, service.QueryOptions{Validate: true}); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(begun) / times
	}
}
