package catalog

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// fakeSchema is a live database of the tests: tables of the datasource db, and their columns.
type fakeSchema map[string]map[string]value.Type

func (s fakeSchema) Columns(_ context.Context, datasource string, src semantic.Source) (map[string]value.Type, error) {
	name := src.Table
	if src.Schema != "" {
		name = src.Schema + "." + name
	}
	if src.SQL != "" {
		name = "(" + strings.Join(strings.Fields(src.SQL), "_") + ")"
	}
	if datasource != "db" {
		return nil, fault.Invalidf("unknown_datasource", "", "there is no datasource %q", datasource)
	}
	columns, ok := s[name]
	if !ok {
		return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_table", Message: "no such table"}
	}
	return columns, nil
}

var fakeTypes = map[string]value.Type{
	"string": {Kind: value.String}, "integer": {Kind: value.Integer}, "bigint": {Kind: value.Integer, Wide: true},
	"decimal0": {Kind: value.Decimal}, "decimal2": {Kind: value.Decimal, Scale: 2}, "decimal4": {Kind: value.Decimal, Scale: 4},
	"float": {Kind: value.Float}, "boolean": {Kind: value.Boolean}, "date": {Kind: value.Date},
	"timestamp": {Kind: value.Timestamp}, "zoned": {Kind: value.Timestamp, Zoned: true}, "blob": {},
}

func parseSchema(t *testing.T, text string) fakeSchema {
	t.Helper()
	s := fakeSchema{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		s[words[0]] = map[string]value.Type{}
		for _, w := range words[1:] {
			column, typ, _ := strings.Cut(w, ":")
			known, ok := fakeTypes[typ]
			if !ok {
				t.Fatalf("unknown type in %q", line)
			}
			s[words[0]][column] = known
		}
	}
	return s
}

func mapFS(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}
