package app

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// cache reads what answers that may be used again may take in all.
func (f *configFile) cache(n ast.Node) {
	f.mapping(n, "cache", []key{{"max_bytes", parsed(f, "cache.max_bytes", parseBound, &f.config.Cache.MaxBytes)}})
}

// parseBound reads a size, or 0 for nothing at all.
func parseBound(s string) (int64, error) {
	if s == "0" {
		return 0, nil
	}
	return parseSize(s)
}

// parseSpan reads a duration, or 0s for none.
func parseSpan(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a duration such as 60s, 5m or 0s", s)
	}
	return d, nil
}
