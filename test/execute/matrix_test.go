package execute

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/fault"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/dialects.md from what the databases did")

const (
	dialectsFile = "../../docs/dialects.md"
	matrixFrom   = "<!-- made by go test ./test/execute -run TestMatrix -update -->\n"
	matrixTo     = "<!-- end -->\n"
)

// foldedRow and spreadRow are features that are no single query: what foldedText holds, and facts over several servers,
// which every test on the cluster has.
const (
	foldedRow = "joins, groups and trees by code point where columns ignore case"
	spreadRow = "tables spread over servers"
)

// matrixColumns are the engines of the tables and what they are called there.
var matrixColumns = [][2]string{
	{"duckdb", "DuckDB"}, {"sqlite", "SQLite"}, {"postgres", "PostgreSQL"}, {"mysql", "MySQL, MariaDB"}, {"clickhouse", "ClickHouse"}, {"cluster", "its cluster"},
}

// matrix is what happened on each engine, by row and engine.
type matrix struct {
	mu    sync.Mutex
	cells map[[2]string]string
	notes []string // refusals, as they read
}

// TestMatrix asks every database for every feature of testdata/features.txtar and every type of nativeTypes, and holds
// the tables of docs/dialects.md to what they did. An engine that does not run leaves its column as it is.
func TestMatrix(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/features.txtar")
	if err != nil {
		t.Fatal(err)
	}
	f := unpack(t, archive)
	m := &matrix{cells: map[[2]string]string{}}
	t.Cleanup(func() { m.compare(t, f) })
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		m.features(t, e, f)
		foldedText(t, e)
		m.set(foldedRow, e, "yes")
		m.set(spreadRow, e, map[bool]string{true: "yes", false: "–"}[e.name == "cluster"])
		for _, n := range nativeTypes {
			cell := "–"
			if c, has := n.columns[e.name]; has {
				cell = "`" + strings.TrimSuffix(strings.TrimPrefix(c[0], "Nullable("), ")") + "`"
				if !strings.HasPrefix(c[0], "Nullable(") {
					cell = "`" + c[0] + "`"
				}
				if why := n.keeps(t, e); why != "" {
					t.Errorf("%s, %s: %s", n.name, c[0], why)
				}
			}
			m.set(n.name, e, cell)
		}
	})
}

func (m *matrix) set(row string, e *engine, cell string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cells[[2]string{row, e.name}] = cell
}

// features asks for each feature: the answer must be the expected one, or a refusal that says what is missing.
func (m *matrix) features(t *testing.T, e *engine, f fixture) {
	t.Helper()
	p, err := e.world(t.Context(), f.tables, f.models, "2024-03-31")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, q := range f.queries {
		payload, err := decode(q.payload)
		if err != nil {
			t.Fatal(err)
		}
		cell := "yes"
		answer, err := p.run(t.Context(), q.model, payload)
		if err == nil {
			answer.Release()
		}
		if message := fault.As(err); err != nil && (e.lack(message.Message) != "" || m.overflows(q, message)) {
			cell = "refused: " + message.Message
		} else if diff := cmp.Diff(indented(t, q.answer), indented(t, p.reply(t, q, f.callers[q.caller]))); diff != "" {
			t.Errorf("%s: %s\nanswer (-want +got):\n%s", title(q.name), q.payload, diff)
		}
		m.set(title(q.name), e, cell)
	}
}

// overflows reports whether a database has an error in place of an infinite double.
func (m *matrix) overflows(q fixtureQuery, f *fault.Error) bool {
	return strings.HasPrefix(q.name, "sums-and-products-of-doubles") && f.Reason == "numeric_overflow"
}

func title(name string) string { return strings.ReplaceAll(name, "-", " ") }

// compare holds the document to the tables.
func (m *matrix) compare(t *testing.T, f fixture) {
	t.Helper()
	text, err := os.ReadFile(dialectsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), matrixFrom)
	have, after, ok2 := strings.Cut(rest, matrixTo)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the tables", dialectsFile)
	}
	var features, types []string
	for _, q := range f.queries {
		features = append(features, title(q.name))
	}
	features = append(features, foldedRow, spreadRow)
	for _, n := range nativeTypes {
		types = append(types, n.name)
	}
	m.adopt(have)
	want := "\n" + m.table("feature", features) + m.footnotes() + "\nThe columns' own types that hold a kind of value, which arrives the same from each; – where a database has none.\n\n" + m.table("value", types) + "\n"
	if have == want || t.Failed() {
		return
	}
	if !*update {
		t.Errorf("%s is not what the databases did; -update rewrites it:\n%s", dialectsFile, cmp.Diff(strings.Split(have, "\n"), strings.Split(want, "\n")))
		return
	}
	if err := os.WriteFile(dialectsFile, []byte(before+matrixFrom+want+matrixTo+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// adopt takes the cells of engines that did not run from the tables that are there.
func (m *matrix) adopt(have string) {
	notes := map[string]string{}
	for line := range strings.Lines(have) {
		if mark, note, ok := strings.Cut(strings.TrimSuffix(line, ".\n"), ". "); ok && len(mark) < 3 {
			notes["no ("+mark+")"] = "refused: " + note
		}
	}
	for line := range strings.Lines(have) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != len(matrixColumns)+1 {
			continue
		}
		for i, c := range matrixColumns {
			key := [2]string{strings.TrimSpace(cells[0]), c[0]}
			cell := strings.TrimSpace(cells[i+1])
			if note, ok := notes[cell]; ok {
				cell = note
			}
			if _, ran := m.cells[key]; !ran {
				m.cells[key] = cell
			}
		}
	}
}

func (m *matrix) table(head string, rows []string) string {
	var b strings.Builder
	b.WriteString("| " + head)
	for _, c := range matrixColumns {
		b.WriteString(" | " + c[1])
	}
	b.WriteString(" |\n|" + strings.Repeat("---|", len(matrixColumns)+1) + "\n")
	for _, row := range rows {
		b.WriteString("| " + row)
		for _, c := range matrixColumns {
			b.WriteString(" | " + m.cell(m.cells[[2]string{row, c[0]}]))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// cell numbers the refusals.
func (m *matrix) cell(text string) string {
	note, refused := strings.CutPrefix(text, "refused: ")
	if !refused {
		return text
	}
	if !slices.Contains(m.notes, note) {
		m.notes = append(m.notes, note)
	}
	return fmt.Sprintf("no (%d)", slices.Index(m.notes, note)+1)
}

func (m *matrix) footnotes() string {
	var b strings.Builder
	b.WriteString("\nRefused, in these words:\n\n")
	for i, n := range m.notes {
		fmt.Fprintf(&b, "%d. %s.\n", i+1, n)
	}
	return b.String()
}
