package app

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

var update = flag.Bool("update", false, "rewrite the expectations")

func environment(name string) (string, bool) {
	v, ok := map[string]string{"CODE": "sesame", "SECRET": "s3cret"}[name]
	return v, ok
}

func TestConfigOfAnEmptyFileIsTheDefaults(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "limits:\n", "{}"} {
		got, err := readConfig("parlance.yaml", []byte(text), environment)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if diff := cmp.Diff(defaults(), got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if !got.Demo() {
			t.Errorf("%q does not serve the demo", text)
		}
	}
}

func TestConfigReadsEveryKey(t *testing.T) {
	const text = `
listen: 0.0.0.0:80
namespaces:
  shop:
    models: ./models/shop
    datasource: files
    timezone: Asia/Shanghai
    week_start: sunday
    fiscal_start: April
    today: latest
    auth: {mode: none}
    cache: {ttl: 90s}
  stock: {models: /srv/stock, datasource: files, today: 2024-12-31}
default_namespace: stock
datasources:
  files: {type: duckdb, path: ./shop.duckdb, memory: 1GB, threads: 2, max_conns: 4, timeout: 5s}
  warehouse: {type: postgres, dsn: "postgres://shop:${SECRET}@db/shop", max_conns: 16, timeout: 30s}
  other: {type: mysql, dsn: "shop:${SECRET}@tcp(db)/shop"}
  local: {type: sqlite, path: ./shop.db}
  cluster: {type: clickhouse, addresses: ["127.0.0.1:9000", "db2:9000"], database: shop, cluster: main, user: shop, password: "${SECRET}"}
runtime_code: {env: CODE, endpoints: [admin]}
cache: {max_bytes: 64MiB}
http: {status: mirror, origins: ["https://bi.example.com"], hosts: [bi.example.com], leave_out: [dataset.get_metadata], page: false}
limits:
  max_rows: 500
  max_body: 2MiB
  max_columns: 20
  max_conditions: 30
  max_depth: 4
  max_values: 40
  default_rows: 50
  max_result: 30KB
  timeout: 1m30s
  concurrency: 3
  identity_concurrency: 2
  queue: 0
  result_memory: 64MiB
  shutdown: 2s
`
	got, err := readConfig("/etc/parlance/parlance.yaml", []byte(text), environment)
	if err != nil {
		t.Fatal(err)
	}
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Listen:           "0.0.0.0:80",
		DefaultNamespace: "stock",
		Namespaces: []NamespaceConfig{
			{
				Name: "shop", Models: "/etc/parlance/models/shop", Datasource: "files", Cache: semantic.Caching{TTL: 90 * time.Second},
				Calendar: semantic.Calendar{
					Zone: shanghai, WeekStart: time.Sunday, FiscalStart: time.April, Today: semantic.Today{Latest: true},
				},
			},
			{
				Name: "stock", Models: "/srv/stock", Datasource: "files",
				Calendar: semantic.Calendar{
					Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January,
					Today: semantic.Today{Fixed: "2024-12-31"},
				},
			},
		},
		Datasources: []DatasourceConfig{
			{Name: "files", Type: "duckdb", Path: "/etc/parlance/shop.duckdb", Memory: 1e9, Threads: 2, MaxConns: 4, Timeout: 5 * time.Second},
			{Name: "warehouse", Type: "postgres", DSN: "postgres://shop:s3cret@db/shop", MaxConns: 16, Timeout: 30 * time.Second},
			{Name: "other", Type: "mysql", DSN: "shop:s3cret@tcp(db)/shop"},
			{Name: "local", Type: "sqlite", Path: "/etc/parlance/shop.db"},
			{
				Name: "cluster", Type: "clickhouse", Addresses: []string{"127.0.0.1:9000", "db2:9000"}, Database: "shop", Cluster: "main",
				User: "shop", Password: "s3cret",
			},
		},
		RuntimeCode: RuntimeCode{Code: "sesame", Endpoints: []string{"admin"}},
		HTTP: HTTPConfig{
			MirrorStatus: true, Origins: []string{"https://bi.example.com"}, Hosts: []string{"bi.example.com"}, NoPage: true,
			LeaveOut: []string{"dataset.get_metadata"},
		},
		Limits: LimitsConfig{
			MaxRows: 500, MaxBody: 2 << 20, MaxColumns: 20, MaxConditions: 30, MaxDepth: 4, MaxValues: 40,
			DefaultRows: 50, MaxResult: 30_000, Timeout: 90 * time.Second, Concurrency: 3, IdentityConcurrency: 2, Queue: 0, ResultMemory: 64 << 20,
			Shutdown: 2 * time.Second,
		},
		Cache:     CacheConfig{MaxBytes: 64 << 20},
		Questions: defaultQuestions(),
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConfigWithOneNamespaceMakesItTheDefault(t *testing.T) {
	const text = "namespaces: {shop: {models: m, datasource: d}}\ndatasources: {d: {type: duckdb, path: shop.db}}\n"
	got, err := readConfig("parlance.yaml", []byte(text), environment)
	if err != nil {
		t.Fatal(err)
	}
	if got.DefaultNamespace != "shop" {
		t.Errorf("default namespace is %q", got.DefaultNamespace)
	}
}

func TestConfigReadsADSNFromAFile(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "dsn"), []byte("postgres://shop:s3cret@db/shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readConfig(filepath.Join(folder, "parlance.yaml"), []byte("datasources: {w: {type: postgres, dsn_file: dsn}}"), environment)
	if err != nil {
		t.Fatal(err)
	}
	if dsn := got.Datasources[0].DSN; dsn != "postgres://shop:s3cret@db/shop" {
		t.Errorf("dsn is %q", dsn)
	}
}

// TestConfigRefusals holds every message of a bad file against testdata/config/refused.txt.
func TestConfigRefusals(t *testing.T) {
	path := filepath.Join("testdata", "config", "refused.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "\n-- ")
	rewritten := []string{cases[0]}
	for _, c := range cases[1:] {
		name, body, _ := strings.Cut(c, " --\n")
		file, want, _ := strings.Cut(body, "====\n")
		got := "(accepted)"
		if _, err := readConfig("parlance.yaml", []byte(file), environment); err != nil {
			got = err.Error()
		}
		rewritten = append(rewritten, name+" --\n"+file+"====\n"+got+"\n")
		if *update {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(strings.TrimSpace(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(rewritten, "\n-- ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExpandEnv(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     "plain",
		"host=x password=${SECRET}": "host=x password=s3cret",
		"${SECRET}${CODE}":          "s3cretsesame",
		"$SECRET {CODE}":            "$SECRET {CODE}",
	} {
		got, err := expandEnv(in, environment)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"${MISSING}", "${SECRET", "${}"} {
		if got, err := expandEnv(in, environment); err == nil {
			t.Errorf("%q: got %q, want an error", in, got)
		}
	}
}
