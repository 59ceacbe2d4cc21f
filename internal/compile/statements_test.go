package compile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/fault"
	"parlance/internal/result"
)

// TestStatements compares what payloads become: the answer's columns and what was applied once, then the statements
// of every database side by side; databases that get the same share a section. Payloads of the files kpi*.txtar are
// compiled as KPI summaries.
func TestStatements(t *testing.T) {
	eachCase(t, "testdata/statements/*.txtar", func(t *testing.T, c goldenCase) []txtar.File {
		t.Helper()
		q, err := decode(c.json())
		if err != nil {
			t.Fatal(err)
		}
		var files []txtar.File
		for i, d := range dialects {
			answer, sql := c.statements(t, request(c.model, q, d.dialect))
			if i == 0 {
				files = append(files, txtar.File{Name: c.name + "/answer", Data: []byte(answer)})
			}
			at := slices.IndexFunc(files, func(f txtar.File) bool { return string(f.Data) == sql })
			if at < 0 {
				files = append(files, txtar.File{Name: c.name + "/" + d.name, Data: []byte(sql)})
			} else {
				files[at].Name += "," + d.name
			}
		}
		for i := range files[1:] {
			files[i+1].Name += ".sql"
		}
		return files
	})
}

// statements compiles a case for one database. What the database has not is in the place of its statements.
func (c goldenCase) statements(t *testing.T, req compile.Request) (answer, sql string) {
	t.Helper()
	var err error
	if strings.Contains(t.Name(), "/kpi/") {
		answer, sql, err = summary(t, req)
	} else {
		answer, sql, err = statements(t, req)
	}
	switch f := fault.As(err); {
	case err == nil:
	case f.Reason == "unsupported_by_datasource", f.Reason == "no_float_remainder":
		sql = "refused: " + f.Message + "\n"
	default:
		t.Fatalf("refused: %v", err)
	}
	return answer, sql
}

func statements(t *testing.T, req compile.Request) (answer, sql string, err error) {
	t.Helper()
	c, err := compile.Query(req)
	if err != nil {
		return "", "", err
	}
	var a, s strings.Builder
	writeColumns(&a, "column", c.Columns)
	writeColumns(&a, "total", c.TotalColumns)
	fmt.Fprintf(&a, "rows %d from %d (%s)\napplied %s\n", c.Limit, c.Start, c.LimitSource, oneLine(t, c.Applied))
	for _, w := range c.Warnings {
		fmt.Fprintf(&a, "warning %s\n", w)
	}
	writeStatement(t, &s, "page", c.Page)
	writeStatement(t, &s, "count", c.Count)
	for _, x := range c.Extra {
		writeStatement(t, &s, "behind the page", x)
	}
	if c.Totals != nil {
		writeStatement(t, &s, "totals", *c.Totals)
	}
	return a.String(), s.String(), nil
}

func summary(t *testing.T, req compile.Request) (answer, sql string, err error) {
	t.Helper()
	statement, columns, err := compile.Summary(req)
	if err != nil {
		return "", "", err
	}
	var a, s strings.Builder
	writeColumns(&a, "value", columns)
	writeStatement(t, &s, "values", *statement)
	return a.String(), s.String(), nil
}

func writeColumns(b *strings.Builder, what string, columns []result.Column) {
	for i, c := range columns {
		fmt.Fprintf(b, "%s c%d %s: %s", what, i, c.Key, c.Type.Name())
		if c.Type.Scale > 0 {
			fmt.Fprintf(b, "(%d)", c.Type.Scale)
		}
		if c.Measure {
			b.WriteString(" measure")
		}
		fmt.Fprintf(b, " %q\n", c.Caption)
	}
}

func writeStatement(t *testing.T, b *strings.Builder, name string, s sqlgen.Statement) {
	t.Helper()
	if why := malformed(s); why != "" {
		t.Errorf("%s: %s in %s", name, why, s.SQL)
	}
	fmt.Fprintf(b, "%s\n%s\n", name, indented(laidOut(s.SQL)))
	for i, a := range s.Args {
		if i == 0 {
			b.WriteString("  with")
		}
		if text, ok := a.(string); ok {
			fmt.Fprintf(b, " %q", text)
		} else {
			fmt.Fprintf(b, " %v", a)
		}
	}
	if len(s.Args) > 0 {
		b.WriteByte('\n')
	}
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }
