package datasource

import (
	"path/filepath"
	"slices"
	"testing"

	"parlance/internal/value"
	"parlance/test/servers"
)

func numbers(name string, replace bool, n ...int64) Table {
	rows := make([][]any, len(n))
	for i := range n {
		rows[i] = []any{n[i]}
	}
	return Table{
		Name: name, Columns: []Column{{Name: "n", Type: value.Type{Kind: value.Integer}}}, Key: []string{"n"},
		Sharded: true, Replace: replace, Rows: slices.Values(rows),
	}
}

// checkReplace: a table that is there stays unless it is to be replaced. Where tables are made in transactions, it also
// stays when its replacement fails.
func checkReplace(t *testing.T, s *Source, transactions bool) {
	t.Helper()
	sum := func(want string) {
		t.Helper()
		if got := ask(t, s, "SELECT sum(n) AS s FROM numbers"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	load := func(table Table, want bool) {
		t.Helper()
		if err := s.Load(t.Context(), table); (err == nil) != want {
			t.Errorf("the load of %s ends with %v", table.Name, err)
		}
	}
	load(numbers("numbers", false, 1, 2), true)
	load(numbers("numbers", false, 5), false)
	sum("[[3]]")
	load(numbers("numbers", true, 10, 20, 30), true)
	sum("[[60]]")
	load(numbers("numbers", true, 7, 7), false)
	if transactions {
		sum("[[60]]")
	}
	load(numbers("numbers", true, 4), true)
	sum("[[4]]")
	load(numbers("fresh", true, 1), true)
}

func TestTablesAreReplacedOnlyWhenAsked(t *testing.T) {
	t.Run("duckdb", func(t *testing.T) { checkReplace(t, open(t, Config{}), true) })
	t.Run("duckdb folder", func(t *testing.T) {
		dir := t.TempDir()
		checkReplace(t, open(t, Config{Folder: dir, Create: true}), true)
		if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
		if got := ask(t, open(t, Config{Folder: dir}), "SELECT n FROM fresh"); got != "[[1]]" {
			t.Errorf("who opens the folder reads %s", got)
		}
	})
	t.Run("sqlite", func(t *testing.T) { checkReplace(t, openLite(t, Config{}), true) })
	t.Run("postgres", func(t *testing.T) {
		checkReplace(t, openAs(t, Config{Type: "postgres", DSN: servers.StartPostgres(t)}), true)
	})
	t.Run("mysql", func(t *testing.T) { checkReplace(t, openMySQLAt(t, servers.StartMySQL(t), Config{}), false) })
	t.Run("clickhouse cluster", func(t *testing.T) {
		server := servers.RunClickHouse(t, 3, "UTC")
		c := clickHouseDatabase(t, server)
		c.Cluster = servers.ClickHouseClusterName
		checkReplace(t, openAs(t, c), false)
		// What only another server of the cluster has is someone's too.
		other := c
		other.Addresses = server.Addresses[2:]
		clickHouseExec(t, other, "CREATE TABLE lone_local (mine Int32) ENGINE = MergeTree ORDER BY mine", "INSERT INTO lone_local SELECT 42")
		if err := openAs(t, c).Load(t.Context(), numbers("lone", false, 1)); err == nil {
			t.Error("a part of another table was overwritten")
		}
		other.Cluster = ""
		if got := ask(t, openAs(t, other), "SELECT mine FROM lone_local"); got != "[[42]]" {
			t.Errorf("got %s", got)
		}
	})
}

func TestFolderIsWrittenOnlyWhereItsTablesAreFiles(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "n\n1\n", "parts/1.parquet": "QUERY SELECT 1 AS n"})
	s := open(t, Config{Folder: dir})
	for _, name := range []string{"a", "A", "parts", "../b", ".b", "_b", "b/c"} {
		if err := s.Load(t.Context(), numbers(name, true, 1)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if got := ask(t, s, "SELECT a.n, parts.n AS m FROM a, parts"); got != "[[1,1]]" {
		t.Errorf("got %s", got)
	}
}
