package compile_test

import (
	"strings"
	"testing"
)

// clauseWords begin a line of their own where they belong to a statement and not to an operand.
var clauseWords = []string{
	"FROM ", "LEFT JOIN ", "INNER JOIN ", "CROSS JOIN ", "FULL JOIN ", "WHERE ", "GROUP BY ", "HAVING ", "ORDER BY ", "LIMIT ", "UNION ALL ", "SELECT ",
}

// laidOut breaks a statement into lines at its clauses, inner statements indented. It only changes blanks, so the
// lines joined by blanks are the statement.
func laidOut(sql string) string {
	var b strings.Builder
	var blocks []bool // of every open parenthesis: whether a statement stands in it
	depth := func() (n int) {
		for _, is := range blocks {
			if is {
				n++
			}
		}
		return n
	}
	inClause := func() bool { return len(blocks) == 0 || blocks[len(blocks)-1] }
	quote := byte(0)
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '(':
			blocks = append(blocks, strings.HasPrefix(sql[i+1:], "SELECT "))
			b.WriteByte(c)
			if inClause() {
				newLine(&b, depth())
			}
			continue
		case c == ')':
			blocks = blocks[:len(blocks)-1]
		case c == ' ' && inClause() && startsClause(sql[i+1:]) && !strings.HasSuffix(sql[:i], "DISTINCT"):
			newLine(&b, depth())
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func startsClause(rest string) bool {
	for _, w := range clauseWords {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	return false
}

func newLine(b *strings.Builder, depth int) {
	b.WriteByte('\n')
	b.WriteString(strings.Repeat("  ", depth))
}

func TestLaidOut(t *testing.T) {
	in := `SELECT SUM(r."r0") OVER ( ORDER BY r."a") AS c0 FROM (SELECT ' FROM ' AS r0 FROM "t" AS t0 WHERE (x IN (?))) AS r INNER JOIN s ON a IS NOT DISTINCT FROM b ORDER BY c0 LIMIT ?`
	want := `SELECT SUM(r."r0") OVER ( ORDER BY r."a") AS c0
FROM (
  SELECT ' FROM ' AS r0
  FROM "t" AS t0
  WHERE (x IN (?))) AS r
INNER JOIN s ON a IS NOT DISTINCT FROM b
ORDER BY c0
LIMIT ?`
	if got := laidOut(in); got != want {
		t.Errorf("got:\n%s", got)
	}
}
