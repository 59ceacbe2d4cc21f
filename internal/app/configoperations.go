package app

import (
	"fmt"
	"net"
	"net/url"
	"strconv"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/telemetry"
)

// OperationsConfig is what people who run the server see of it. Metrics stand on Listen; without it on the server's own
// address, as long as that is loopback.
type OperationsConfig struct {
	Listen   string // host:port of metrics and profiles; "": none
	Profiles bool   // whether Listen serves pprof
	Traces   telemetry.Traces
}

func (f *configFile) operations(n ast.Node) {
	o := &f.config.Operations
	f.mapping(n, "operations", []key{
		{"listen", func(n ast.Node) {
			f.into("operations.listen", &o.Listen)(n)
			if wrong := checkListen(o.Listen); wrong != "" {
				f.at(n, "operations.listen: %s", wrong)
			}
		}},
		{"profiles", parsed(f, "operations.profiles", parseSwitch, &o.Profiles)},
		{"traces", f.traces},
	})
	if o.Profiles && o.Listen == "" {
		f.at(n, "operations.profiles needs operations.listen, an address that callers do not reach")
	}
}

func (f *configFile) traces(n ast.Node) {
	t := telemetry.Traces{Sample: 1}
	f.mapping(n, "operations.traces", []key{
		{"endpoint", parsed(f, "operations.traces.endpoint", parseCollector, &t.Endpoint)},
		{"sample", parsed(f, "operations.traces.sample", parseShare, &t.Sample)},
	})
	if t.Endpoint == "" {
		f.at(n, "operations.traces needs endpoint, the collector's address such as http://127.0.0.1:4318")
	}
	f.config.Operations.Traces = t
}

func parseCollector(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Path != "" && u.Path != "/" {
		return "", fmt.Errorf("%q is not an address such as http://127.0.0.1:4318", s)
	}
	return u.Scheme + "://" + u.Host, nil
}

func parseShare(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, fmt.Errorf("%q is not a share from 0 to 1", s)
	}
	return v, nil
}

// onLoopback reports whether an address to listen on is reached from this machine only.
func onLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}
