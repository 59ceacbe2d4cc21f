package compile_test

import (
	"strconv"
	"strings"
	"testing"

	"parlance/internal/compile/sqlgen"
)

// malformed says what is wrong with the text of a statement, or returns "": quotes and parentheses close, no comment
// or second statement begins, no select list is empty, every argument has its mark.
func malformed(s sqlgen.Statement) string {
	quote, depth, marks := byte(0), 0, 0
	for i := 0; i < len(s.SQL); i++ {
		c := s.SQL[i]
		if quote != 0 {
			if c == quote {
				quote = 0
			}
			continue
		}
		switch c {
		case '\'', '"', '`':
			quote = c
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return "a parenthesis closes that was not open"
			}
		case '?':
			marks++
		case '$': // numbered in their order
			marks++
			if number := "$" + strconv.Itoa(marks); !strings.HasPrefix(s.SQL[i:], number) || startsWithDigit(s.SQL[i+len(number):]) {
				return "a mark out of its order"
			}
		case ';', '#':
			return "a second statement or a comment"
		}
		for _, comment := range []string{"--", "/*", "*/"} {
			if strings.HasPrefix(s.SQL[i:], comment) {
				return "a comment"
			}
		}
	}
	switch {
	case quote != 0:
		return "a quote that does not close"
	case depth != 0:
		return "a parenthesis that does not close"
	case strings.Contains(s.SQL, "SELECT  ") || strings.Contains(s.SQL, "SELECT FROM"):
		return "an empty select list"
	case marks != len(s.Args):
		return strconv.Itoa(marks) + " marks for " + strconv.Itoa(len(s.Args)) + " arguments"
	}
	return ""
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func TestMalformed(t *testing.T) {
	for sql, want := range map[string]string{
		`SELECT "a;--" AS c0 FROM t WHERE (x = 'it''s')`: "",
		`SELECT ? AS c0`:               "1 marks for 0 arguments",
		`SELECT $1 AS c0, $3`:          "a mark out of its order",
		`SELECT 'a`:                    "a quote that does not close",
		`SELECT (1`:                    "a parenthesis that does not close",
		`SELECT 1) FROM (t`:            "a parenthesis closes that was not open",
		`SELECT 1; DROP TABLE t`:       "a second statement or a comment",
		`SELECT 1 -- x`:                "a comment",
		`SELECT  FROM (SELECT 1) AS g`: "an empty select list",
	} {
		if got := malformed(sqlgen.Statement{SQL: sql}); got != want {
			t.Errorf("%s: %q, want %q", sql, got, want)
		}
	}
}
