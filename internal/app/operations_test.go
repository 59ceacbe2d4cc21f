package app

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestMetricsTellOfRequests(t *testing.T) {
	r := run(t, demoConfig())
	defer r.end(t)
	if status, body := r.post(t, "/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["salesAmount"]}}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	r.post(t, "/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["nonsense"]}}`)
	status, text := r.read(t, "/metrics")
	if status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	for _, line := range []string{
		`parlance_requests_total{interface="http",namespace="default",outcome="ok",tool="query"} 1`,
		`parlance_requests_total{interface="http",namespace="default",outcome="refused",tool="query"} 1`,
		`parlance_refusals_total{reason="unknown_field"} 1`,
		`parlance_stage_seconds_count{stage="decode"} 2`,
		`parlance_stage_seconds_count{stage="plan"} 2`,
		`parlance_models{namespace="default"} 11`,
		`parlance_reloads_total{namespace="default",outcome="ok"} 1`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	for _, word := range []string{"nonsense", "SELECT"} {
		if strings.Contains(text, word) {
			t.Errorf("metrics hold %s", word)
		}
	}
}

// What the dashboard, the alerts and the documents name is there to be read.
func TestMetricsThatOthersReadExist(t *testing.T) {
	r := run(t, auditedShop(t))
	r.post(t, shopRows, `{"param":{"columns":["nonsense"]}}`)
	_, text := r.read(t, "/metrics")
	name := regexp.MustCompile(`parlance_[a-z_]*[a-z]`)
	for _, file := range []string{"deploy/dashboard.json", "deploy/alerts.yaml", "docs/operations.md"} {
		content, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		found := name.FindAllString(string(content), -1)
		if len(found) < 5 {
			t.Errorf("%s names %d metrics", file, len(found))
		}
		for _, metric := range found {
			if metric = strings.TrimSuffix(metric, "_bucket"); !strings.Contains(text, "\n# TYPE "+metric+" ") {
				t.Errorf("%s names %s, which is not there", file, metric)
			}
		}
	}
}

func TestMetricsHaveNoPublicAddress(t *testing.T) {
	for name, c := range map[string]func(*Config){
		"beyond loopback":       func(c *Config) { c.Listen = "0.0.0.0:0" },
		"an address of its own": func(c *Config) { c.Operations = OperationsConfig{Listen: "127.0.0.1:0", Profiles: true} },
	} {
		t.Run(name, func(t *testing.T) {
			config, _ := shop(t)
			c(&config)
			r := run(t, config)
			defer r.end(t)
			for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap"} {
				if status, _ := r.read(t, path); status != http.StatusNotFound {
					t.Errorf("%s: status %d", path, status)
				}
			}
		})
	}
}

func TestConfigOfOperations(t *testing.T) {
	c, err := readConfig("parlance.yaml", []byte("operations: {listen: 127.0.0.1:7109, profiles: true, traces: {endpoint: 'http://127.0.0.1:4318/', sample: 0.1}}"), environment)
	if err != nil {
		t.Fatal(err)
	}
	if o := c.Operations; o.Listen != "127.0.0.1:7109" || !o.Profiles || o.Traces.Endpoint != "http://127.0.0.1:4318" || o.Traces.Sample != 0.1 {
		t.Errorf("%+v", o)
	}
	for text, want := range map[string]string{
		"operations: {profiles: true}":                              "operations.profiles needs operations.listen",
		"operations: {listen: here}":                                `"here" is not HOST:PORT`,
		"operations: {traces: {sample: 1}}":                         "operations.traces needs endpoint",
		"operations: {traces: {endpoint: 'ftp://x'}}":               `"ftp://x" is not an address`,
		"operations: {traces: {endpoint: 'http://u:p@x'}}":          "is not an address",
		"operations: {traces: {endpoint: 'http://x', sample: 2}}":   `"2" is not a share from 0 to 1`,
		"operations: {traces: {endpoint: 'http://x', sample: NaN}}": "is not a share",
		"operations: {metrics: true}":                               "metrics",
	} {
		if _, err := readConfig("parlance.yaml", []byte(text), environment); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
