// Package parlance_test holds the repository to its own rules: which package may import which, and what no file may say.
// It has no code of its own; the program starts in cmd/parlance.
package parlance_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyone may import these.
const everyone = "fault value jsontree stage"

// layers is the import table: a package of internal/ (or a folder of the root) and what it may import beside
// everyone's. A package may import only what stands below it; siblings never import each other.
var layers = []struct{ pkg, may string }{
	{"test/shop", "service catalog compile datasource demo models semantic query"}, // the demo on a database, behind a service
	{"test/many", ""},                   // namespaces of many large models
	{"test/binary", ""},                 // the program, built for tests that run it
	{"test/issuer", ""},                 // an OpenID issuer that tests start for themselves
	{"test/bench", ""},                  // what the service adds to each database's own time
	{"test/servers", ""},                // databases that tests start for themselves
	{"test/evaluate", "semantic query"}, // the independent evaluator: it shares the payload's tree and nothing that computes

	{"cmd/parlance", "app"},
	{"app", "telemetry transport/operations transport/httpserver transport/mcp transport/queryapi transport/page service rollup catalog access identity audit compile datasource dialect inspect introspect relation question demo models schema semantic query result chart translate"},

	{"transport/httpserver", "transport/mcp transport/queryapi transport/jsonrpc service access audit telemetry"},
	{"transport/mcp", "transport/jsonrpc service repair access audit compile query result"},
	{"transport/operations", ""}, // metrics and profiles, on an address of their own
	{"transport/queryapi", "service access query result"},
	{"transport/jsonrpc", ""},
	{"transport/page", ""}, // the page for browsers; what it shows, it asks of the interfaces

	{"rollup", "compile compile/resolve compile/reuse datasource dialect inspect semantic result"}, // pre-aggregations and their age
	{"service", "chart translate repair audit catalog access compile compile/sqlgen datasource dialect inspect question semantic query result"},
	{"repair", "semantic query"}, // what a refused call was meant to be
	{"question", "access semantic query"},
	{"chart", ""},     // an answer as a picture
	{"translate", ""}, // the client of a language model
	{"catalog", "semantic query"},
	{"inspect", "compile/plan compile/resolve compile/sqlgen semantic dialect relation result"},
	{"introspect", "query relation"},

	{"compile", "compile/reuse compile/sqlgen compile/plan compile/resolve access semantic query dialect result"},
	{"compile/sqlgen", "compile/plan compile/resolve semantic query dialect compute"},
	{"compile/reuse", "compile/resolve semantic"}, // a resolved query over a rollup of its model
	{"compile/plan", "compile/resolve access semantic query compute"},
	{"compile/resolve", "access semantic query compute"},

	{"identity", "access"},
	{"access", "semantic query"},
	{"telemetry", ""}, // metrics and traces
	{"audit", ""},     // the record of queries and refusals
	{"semantic", "query compute"},
	{"query", ""},

	{"datasource", "datasource/sqlitefn dialect relation result exact"},
	{"datasource/sqlitefn", "exact"},
	{"dialect", "compute"},
	{"relation", ""},
	{"result", ""},
	{"exact", ""},
	{"demo", ""},
	{"models", ""},
	{"schema", ""},

	{"fault", ""},
	{"value", ""},
	{"jsontree", ""},
	{"stage", ""}, // what a request spends its time on
	{"compute", ""},
}

// leaves import nothing of this module, or only what stands here.
var leaves = map[string]string{
	"fault": "", "value": "", "jsontree": "", "models": "", "schema": "",
	"result": "value fault", "relation": "value", "compute": "", "dialect": "value fault compute", "demo": "value fault", "transport/jsonrpc": "jsontree fault",
}

// outside is which package may import which module that is neither the standard library nor ours.
var outside = map[string]string{
	"github.com/alecthomas/kong":            "app cmd/parlance",
	"github.com/cockroachdb/apd":            "value result datasource compile/plan compile/resolve compile/sqlgen",
	"github.com/duckdb/duckdb-go":           "cmd/parlance datasource demo app",
	"github.com/ClickHouse/clickhouse-go":   "datasource",
	"github.com/ClickHouse/ch-go":           "datasource",
	"github.com/go-sql-driver/mysql":        "datasource",
	"github.com/jackc/pgx":                  "datasource",
	"github.com/fsnotify/fsnotify":          "app catalog",
	"github.com/go-jose/go-jose":            "identity test/issuer",
	"github.com/goccy/go-yaml":              "app catalog",
	"github.com/prometheus/client_golang":   "telemetry",
	"go.opentelemetry.io/otel":              "telemetry",
	"go.opentelemetry.io/otel/attribute":    "telemetry",
	"go.opentelemetry.io/otel/codes":        "telemetry",
	"go.opentelemetry.io/otel/exporters":    "telemetry",
	"go.opentelemetry.io/otel/propagation":  "telemetry",
	"go.opentelemetry.io/otel/sdk":          "telemetry",
	"go.opentelemetry.io/otel/trace":        "telemetry",
	"modernc.org/libc":                      "datasource",
	"modernc.org/sqlite":                    "datasource datasource/sqlitefn",
	"modernc.org/sqlite/lib":                "datasource",
	"github.com/santhosh-tekuri/jsonschema": "catalog",
	"golang.org/x/sync":                     "app service datasource",
	"github.com/maypok86/otter":             "service",
	"golang.org/x/text":                     "query compile/resolve dialect question",
}

func TestEveryImportIsInTheTable(t *testing.T) {
	allowed := map[string][]string{}
	for _, row := range layers {
		allowed[row.pkg] = append(strings.Fields(row.may), strings.Fields(everyone)...)
	}
	found := importsOfPackages(t)
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		may, listed := allowed[pkg]
		if !listed {
			t.Errorf("package %s is not in the table of layers", pkg)
			continue
		}
		for imported, file := range found[pkg] {
			if ours, ok := ours(imported); ok && !slices.Contains(may, ours) {
				t.Errorf("%s: %s may not import %s", file, pkg, ours)
			}
		}
	}
	for _, row := range layers {
		if _, exists := found[row.pkg]; !exists {
			t.Errorf("the table of layers has a row for %s, which is no package", row.pkg)
		}
	}
}

func TestTheTableOnlyPointsDown(t *testing.T) {
	below := map[string]bool{}
	for _, pkg := range strings.Fields(everyone) {
		below[pkg] = true
	}
	for _, row := range slices.Backward(layers) {
		for _, imported := range strings.Fields(row.may) {
			if !below[imported] {
				t.Errorf("%s may import %s, which does not stand below it", row.pkg, imported)
			}
		}
		below[row.pkg] = true
	}
}

func TestLeavesStayLeaves(t *testing.T) {
	found := importsOfPackages(t)
	for leaf, may := range leaves {
		for imported, file := range found[leaf] {
			if ours, ok := ours(imported); ok && !slices.Contains(strings.Fields(may), ours) {
				t.Errorf("%s: the leaf %s imports %s", file, leaf, ours)
			}
		}
	}
}

func TestModulesOfOthersStayWhereTheyBelong(t *testing.T) {
	for pkg, imports := range importsOfPackages(t) {
		for imported, file := range imports {
			if _, isOurs := ours(imported); isOurs || !strings.Contains(firstSegment(imported), ".") {
				continue
			}
			if !slices.Contains(strings.Fields(outside[moduleOf(imported)]), pkg) {
				t.Errorf("%s: %s may not import %s; the table of outside modules says who may", file, pkg, imported)
			}
		}
	}
}

// ours returns the name that a package of this module has in the table.
func ours(imported string) (string, bool) {
	name, ok := strings.CutPrefix(imported, "parlance/")
	return strings.TrimPrefix(name, "internal/"), ok
}

func firstSegment(importPath string) string { return strings.Split(importPath, "/")[0] }

// moduleOf returns the key of outside that an import path falls under: its first three segments.
func moduleOf(importPath string) string {
	segments := strings.Split(importPath, "/")
	return strings.Join(segments[:min(3, len(segments))], "/")
}

// importsOfPackages parses every Go file that is no test and returns, for each package, what it imports and one file
// that does so.
func importsOfPackages(t *testing.T) map[string]map[string]string {
	t.Helper()
	found := map[string]map[string]string{}
	for _, file := range repositoryFiles(t) {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		pkg := strings.TrimPrefix(path.Dir(file), "internal/")
		if found[pkg] == nil {
			found[pkg] = map[string]string{}
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range tree.Imports {
			found[pkg][strings.Trim(spec.Path.Value, `"`)] = file
		}
	}
	return found
}

// repositoryFiles returns every file of the repository, slash-separated and relative to its root, without what git
// and the build keep for themselves.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name == ".git" || name == "bin" || entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		files = append(files, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
