package datasource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/internal/fault"
)

func TestFolderIsAllThatItsQueriesReach(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "data")
	put(t, filepath.Join(dir, "a.csv"), "x\n1\n")
	put(t, filepath.Join(outside, "secret.csv"), "x\nsecret\n")
	put(t, filepath.Join(outside, "data2", "secret.csv"), "x\nsecret\n")
	s := open(t, Config{Folder: dir})
	if err := os.Symlink(filepath.Join(outside, "secret.csv"), filepath.Join(dir, "late.csv")); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM '/etc/passwd'",
		"SELECT * FROM glob('/etc/*')", "SELECT * FROM read_blob('/proc/self/environ')",
		"SELECT * FROM read_csv(" + duckText(filepath.Join(outside, "secret.csv")) + ")",
		"SELECT * FROM read_csv(" + duckText(dir+"/../secret.csv") + ")",
		"SELECT * FROM read_csv(" + duckText(filepath.Join(outside, "data2", "secret.csv")) + ")",
		"SELECT * FROM read_csv(" + duckText(filepath.Join(dir, "late.csv")) + ")",
		"COPY a TO " + duckText(filepath.Join(dir, "b.csv")), "COPY a TO " + duckText(filepath.Join(outside, "b.csv")),
		"COPY (SELECT 1) TO '/dev/stdout'", "EXPORT DATABASE " + duckText(dir), "CREATE TABLE b AS SELECT 1", "DROP TABLE a", "DELETE FROM a",
		"ATTACH " + duckText(filepath.Join(dir, "b.duckdb")), "SET allowed_directories = ['/']", "SET enable_external_access = true", "LOAD json", "INSTALL httpfs",
	} {
		err := s.Query(t.Context(), query, nil, drop)
		if err == nil {
			t.Errorf("%s ran", query)
			continue
		}
		if text := fault.As(err).Message; strings.Contains(text, outside) || strings.Contains(text, "passwd") {
			t.Errorf("%s: %s", query, text)
		}
		if _, err := s.Columns(t.Context(), "", "", query); err == nil {
			t.Errorf("%s is described", query)
		}
	}
	if got := ask(t, s, "SELECT x FROM a"); got != "[[1]]" {
		t.Errorf("got %s", got)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

func TestLinksAreFollowedWithinTheFolderOnly(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "data")
	put(t, filepath.Join(dir, "..2024", "a.csv"), "x\n1\n")
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("..2024", "..now")
	link(filepath.Join("..now", "a.csv"), "a.csv") // as mounted folders are changed in one step
	if err := os.Symlink(dir, filepath.Join(outside, "by another name")); err != nil {
		t.Fatal(err)
	}
	s := open(t, Config{Folder: filepath.Join(outside, "by another name")})
	if got := ask(t, s, "SELECT x FROM a"); got != "[[1]]" {
		t.Errorf("got %s", got)
	}
	put(t, filepath.Join(outside, "secret.csv"), "x\n1\n")
	for name, target := range map[string]string{"b.csv": filepath.Join(outside, "secret.csv"), "up": "..", "gone.csv": "nowhere"} {
		link(target, name)
		want := "leads out of the folder"
		if name == "gone.csv" {
			want = "cannot be read"
		}
		if got := refused(t, dir); !strings.Contains(got, want) || !strings.Contains(got, name) {
			t.Errorf("got %q", got)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFolderIsReadAgain(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": "x\n1\n", "b.parquet": "QUERY SELECT 1 AS x", "gone.csv": "x\n1\n", "went.parquet": "QUERY SELECT 1 AS x"})
	s := open(t, Config{Folder: dir})
	put(t, filepath.Join(dir, "a.csv"), "x\n1.25\n2\n")
	put(t, filepath.Join(dir, "new.csv"), "x\n3\n")
	writeParquet(t, filepath.Join(dir, "b.parquet"), "SELECT 2 AS x")
	for _, name := range []string{"gone.csv", "went.parquet"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	// A CSV file is as it was when it was read; a Parquet file of the same columns is as it is.
	if got := ask(t, s, "SELECT a.x, b.x AS y FROM a, b"); got != "[[1,2]]" {
		t.Errorf("got %s", got)
	}
	checkFault(t, s.Query(t.Context(), "SELECT * FROM went", nil, drop), fault.Unavailable, "unreadable_file")
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "SELECT a.x, new.x AS y, b.x AS z FROM a, new, b ORDER BY 1"); got != "[[1.25,3,2],[2.00,3,2]]" {
		t.Errorf("got %s", got)
	}
	for _, name := range []string{"gone", "went"} {
		_, err := s.Columns(t.Context(), "", name, "")
		checkFault(t, err, fault.NotFound, "unknown_table")
	}

	put(t, filepath.Join(dir, "a.csv"), "x,y\n1\n")
	put(t, filepath.Join(dir, "late.csv"), "x\n1\n")
	checkFault(t, s.Refresh(t.Context()), fault.Invalid, "bad_datasource")
	if got := ask(t, s, "SELECT count(*) AS n FROM a"); got != "[[2]]" {
		t.Errorf("after a failed reading: got %s", got)
	}
	put(t, filepath.Join(dir, "a.csv"), "x\n5\n")
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "SELECT a.x, late.x AS y FROM a, late"); got != "[[5,1]]" {
		t.Errorf("after the file was mended: got %s", got)
	}
}

// What the models were checked against must not change under them: a sum of other digits, a text in place of a number.
func TestParquetFilesThatChangeTheirTypesAreAnErrorUntilTheyAreReadAgain(t *testing.T) {
	dir := files(t, map[string]string{"a.parquet": "QUERY SELECT 1 AS id, 12.50::DECIMAL(18,2) AS amount"})
	path := filepath.Join(dir, "a.parquet")
	s := open(t, Config{Folder: dir})
	for name, query := range map[string]string{
		"more digits": "SELECT 1 AS id, 12.505::DECIMAL(18,3) AS amount",
		"text":        "SELECT 1 AS id, '12' AS amount",
		"no column":   "SELECT 1 AS id",
	} {
		t.Run(name, func(t *testing.T) {
			writeParquet(t, path, query)
			err := s.Query(t.Context(), "SELECT sum(amount) FROM a WHERE id > 0", nil, drop)
			checkFault(t, err, fault.Unavailable, "unreadable_file")
		})
	}
	t.Run("broken", func(t *testing.T) {
		writeParquet(t, path, "SELECT i AS id, (i % 977)::DECIMAL(18,2) AS amount FROM range(200000) r(i)")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := len(data) / 4; i < len(data)/2; i++ {
			data[i] ^= 0x5a
		}
		for _, broken := range [][]byte{data, data[:len(data)/2], {}} {
			if err := os.WriteFile(path, broken, 0o644); err != nil {
				t.Fatal(err)
			}
			err := s.Query(t.Context(), "SELECT sum(amount), sum(id) FROM a", nil, drop)
			checkFault(t, err, fault.Unavailable, "unreadable_file")
			if strings.Contains(fault.As(err).Message, dir) {
				t.Errorf("%v shows the folder", err)
			}
		}
	})
	writeParquet(t, path, "SELECT 1 AS id, 12.505::DECIMAL(18,3) AS amount")
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "SELECT sum(amount) AS a FROM a"); got != "[[12.505]]" {
		t.Errorf("got %s", got)
	}
}
