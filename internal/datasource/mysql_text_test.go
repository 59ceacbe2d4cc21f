package datasource

import (
	"strings"
	"testing"

	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
)

// mysqlWritten returns a statement in the source's dialect.
func mysqlWritten(s *Source, write func(w *dialect.Writer, d dialect.Dialect)) (string, []any) {
	w := dialect.NewWriter(s.Dialect())
	write(w, s.Dialect())
	return w.Statement()
}

// mysqlForeignText reads columns as databases hold them that nobody made for us: other character sets, collations that
// fold case and accents and pad.
func mysqlForeignText(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s,
		"CREATE TABLE folded (s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci)", "CREATE TABLE narrow (s VARCHAR(20) CHARACTER SET latin1)",
		"INSERT INTO folded VALUES ('a'), ('A'), ('a '), ('ä'), ('b'), ('b'), (NULL)", "INSERT INTO narrow SELECT s FROM folded")
	for _, table := range []string{"folded", "narrow"} {
		sql, args := mysqlWritten(s, func(w *dialect.Writer, d dialect.Dialect) {
			text := value.Type{Kind: value.String}
			x := dialect.Arg{Type: text, Write: func() { d.Stored(w, func() { w.Text("s") }, text, false) }}
			w.Text("SELECT GROUP_CONCAT(k ORDER BY p SEPARATOR '|') FROM (SELECT k, ROW_NUMBER() OVER (ORDER BY ")
			d.Order(w, dialect.Arg{Type: text, Write: func() { w.Text("k") }}, false, false)
			w.Text(") AS p FROM (SELECT ")
			x.Write()
			w.Text(" AS k FROM ", table, ") AS r GROUP BY k) AS g")
		})
		var got any
		if err := s.Query(t.Context(), sql, args, func(cells []any) error { got = cells[0]; return nil }); err != nil || got != "A|a|a |b|ä" {
			t.Errorf("%s: %q, %v", table, got, err)
		}
	}
}

// mysqlMixedText joins columns that the server will not compare, which is told in words.
func mysqlMixedText(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s, "CREATE TABLE mixed_a (s VARCHAR(20) COLLATE utf8mb4_general_ci)", "CREATE TABLE mixed_b (s VARCHAR(20) COLLATE utf8mb4_unicode_ci)")
	err := s.Query(t.Context(), "SELECT 1 FROM mixed_a JOIN mixed_b ON mixed_a.s = mixed_b.s", nil, func([]any) error { return nil })
	if f := fault.As(err); err == nil || f.Kind != fault.Invalid || f.Reason != "mixed_collations" {
		t.Errorf("%v", err)
	}
}

// mysqlLongTexts sorts and groups texts that differ only behind the server's own default of what it looks at.
func mysqlLongTexts(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s, "CREATE TABLE lengthy (s LONGTEXT COLLATE utf8mb4_nopad_bin)",
		"INSERT INTO lengthy SELECT CONCAT(REPEAT('a', 4000), CHAR(97 + (seq * 7) % 26)) FROM seq_1_to_52")
	var got strings.Builder
	err := s.Query(t.Context(), "SELECT RIGHT(s, 1), COUNT(*) FROM lengthy GROUP BY s ORDER BY s", nil, func(cells []any) error {
		got.WriteString(cells[0].(string))
		if cells[1] != int64(2) {
			t.Errorf("%v of %v", cells[1], cells[0])
		}
		return nil
	})
	if err != nil || got.String() != "abcdefghijklmnopqrstuvwxyz" {
		t.Errorf("got %s, %v", got.String(), err)
	}
}

// mysqlUnknownZone asks for a zone that the server's tables lack, of which its own function makes null.
func mysqlUnknownZone(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	instant, text := value.Type{Kind: value.Timestamp, Zoned: true}, value.Type{Kind: value.String}
	local := func(at, zone string) error {
		sql, args := mysqlWritten(s, func(w *dialect.Writer, d dialect.Dialect) {
			moment, name := value.Of(value.Timestamp, at), value.Of(value.String, zone)
			if at == "" {
				moment = value.Value{}
			}
			w.Text("SELECT ")
			d.Call(w, compute.ToLocal, []dialect.Arg{
				{Type: instant, Write: func() { d.Value(w, moment, instant) }}, {Type: text, Const: &name, Write: func() { d.Value(w, name, text) }},
			}, value.Type{Kind: value.Timestamp})
		})
		return s.Query(t.Context(), sql, args, drop)
	}
	checkFault(t, local("2024-03-31T01:00:00Z", "Nowhere/Else"), fault.Invalid, "out_of_range")
	for _, at := range []string{"2024-03-31T01:00:00Z", ""} {
		if err := local(at, "Europe/Berlin"); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	if err := local("", "Nowhere/Else"); err != nil {
		t.Errorf("of null: %v", err)
	}
}
