package datasource

import (
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"parlance/internal/fault"
)

// fileWith makes a database file whose one table has a row for each of n, all holding n.
func fileWith(t *testing.T, driver, path, create string, n int64) {
	t.Helper()
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), create, n, n); err != nil {
		t.Fatal(err)
	}
}

// TestFileIsReplaced: every answer comes from one whole file, and once another stands at the path from that.
func TestFileIsReplaced(t *testing.T) {
	for kind, create := range map[string]string{
		"duckdb": "CREATE TABLE t AS SELECT ? AS n FROM range(?)",
		"sqlite": "CREATE TABLE t AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT ?) SELECT ? AS n FROM r",
	} {
		t.Run(kind, func(t *testing.T) {
			folder := t.TempDir()
			path, next := filepath.Join(folder, "shop.db"), filepath.Join(folder, "next.db")
			fileWith(t, kind, path, create, 1000)
			s, err := Open(t.Context(), "test", Config{Type: kind, Path: path, MaxConns: 4}, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			read := func() (rows, value int64, err error) {
				err = s.Query(t.Context(), "SELECT n FROM t", nil, func(cells []any) error {
					n, _ := cells[0].(int64)
					if rows++; value != 0 && n != value {
						t.Errorf("%d beside %d in one answer", n, value)
					}
					value = n
					return nil
				})
				return rows, value, err
			}
			stop := make(chan struct{})
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
						}
						rows, value, err := read()
						if err != nil {
							checkReason(t, err, "unreachable")
						} else if rows != value {
							t.Errorf("%d rows of a file with %d", rows, value)
						}
					}
				})
			}
			for n := range int64(5) {
				fileWith(t, kind, next, create, 2000+n)
				if err := os.Rename(next, path); err != nil {
					t.Fatal(err)
				}
				if rows, _, err := read(); err != nil && fault.As(err).Reason != "unreachable" || err == nil && rows != 2000+n {
					t.Errorf("the file that stands there has %d rows, and the answer %d, %v", 2000+n, rows, err)
				}
			}
			if err := os.Rename(path, next); err != nil {
				t.Fatal(err)
			}
			_, _, err = read()
			checkFault(t, err, fault.Unavailable, "unreachable")
			checkFault(t, s.Ping(t.Context()), fault.Unavailable, "unreachable")
			half := filepath.Join(folder, "half.db")
			if err := os.WriteFile(half, []byte("half of a file"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(half, path); err != nil {
				t.Fatal(err)
			}
			if _, _, err = read(); err == nil {
				t.Error("what is no database answers")
			}
			if err := os.Rename(next, path); err != nil {
				t.Fatal(err)
			}
			if rows, _, err := read(); err != nil || rows != 2004 {
				t.Errorf("the file is back: %d rows, %v", rows, err)
			}
			close(stop)
			wg.Wait()
			if got := s.Stats(); got != (Stats{}) {
				t.Errorf("places are held: %+v", got)
			}
		})
	}
}

// checkReason is checkFault for goroutines beside the test's.
func checkReason(t *testing.T, err error, reason string) {
	t.Helper()
	if f := fault.As(err); f.Reason != reason || !f.Retryable {
		t.Errorf("got %s (%v), want %s", f.Reason, err, reason)
	}
}
