package datasource

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/internal/value"
)

// TestLines reads files of JSON lines in a folder whose name means something to a pattern and to SQL.
func TestLines(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's [a] *folder?")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.jsonl":        `{"k":"now","n":1,"t":"2026-11-05T12:00:00.123456Z","l":["x","y"],"more":7}` + "\n" + `{"k":"half`,
		"a.000002.jsonl": "\n" + `{"k":"two","n":2,"l":{"x":null}}` + "\n" + `{"n":9}` + "\nnonsense\n",
		"a.x.jsonl":      `{"k":"foreign"}` + "\n",
		"ab.jsonl":       `{"k":"foreign"}` + "\n",
		"secret.txt":     "secret\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := value.Type{Kind: value.String}
	lines := &Lines{Table: "lines", File: filepath.Join(folder, "a.jsonl"), Columns: []Column{
		{Name: "k", Type: text}, {Name: "n", Type: value.Type{Kind: value.Integer, Wide: true}},
		{Name: "t", Type: value.Type{Kind: value.Timestamp}}, {Name: "l", Type: text},
	}}
	s, err := Open(t.Context(), "lines", Config{Type: "duckdb", Lines: lines}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	read := func(sql string) string {
		var rows []string
		err := s.Query(t.Context(), sql, nil, func(cells []any) error {
			rows = append(rows, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
			return nil
		})
		if err != nil {
			return "refused"
		}
		return strings.Join(rows, "\n")
	}
	const all = `SELECT k, CAST(n AS VARCHAR), CAST(t AS VARCHAR), l FROM lines ORDER BY k`
	if got := read(all); got != "now 1 2026-11-05 12:00:00.123456 [\"x\",\"y\"]\ntwo 2 <nil> {\"x\":null}" {
		t.Errorf("got %s", got)
	}
	// What is written later is there at once, also when the file was put aside.
	if err := os.Rename(filepath.Join(folder, "a.jsonl"), filepath.Join(folder, "a.000003.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "a.jsonl"), []byte(`{"k":"later"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := read(`SELECT string_agg(k ORDER BY k) FROM lines`); got != "later,now,two" {
		t.Errorf("got %s", got)
	}
	columns, err := s.Columns(t.Context(), "", "lines", "")
	if err != nil || len(columns) != 4 || columns[1].Type.Kind != value.Integer || columns[2].Type.Kind != value.Timestamp {
		t.Errorf("%v, %v", columns, err)
	}
	for _, sql := range []string{`SELECT * FROM read_text('/etc/hostname')`, `COPY (SELECT 1) TO '/tmp/x'`, `SET enable_external_access = true`} {
		if got := read(sql); got != "refused" {
			t.Errorf("%s gives %s", sql, got)
		}
	}
}
