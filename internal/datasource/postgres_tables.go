package datasource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A table that is emptied and filled again, or put in the place of another, looks empty to a transaction whose snapshot is
// older: PostgreSQL looks names up as they are now, and rows as they were. So what sees the same rows with several
// statements holds its tables first and takes its snapshot then: whoever replaces a table is through, or waits.

const (
	knownTables = 1000        // statements whose tables are remembered
	tablesHold  = time.Minute // after which they are asked for again: a view may be another
)

// tables remembers which tables statements read.
type tables struct {
	mu sync.Mutex
	of map[string]tablesRead
}

type tablesRead struct {
	names  []string // quoted; what cannot be held is not among them
	hold   string   // the statement that holds them
	free   bool     // holding them is refused: the statement runs by itself
	looked time.Time
}

func (t *tables) known(text string) (tablesRead, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.of[text]
	return r, ok && time.Since(r.looked) < tablesHold
}

func (t *tables) note(text string, r tablesRead) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil || len(t.of) >= knownTables {
		t.of = map[string]tablesRead{}
	}
	r.looked = time.Now()
	t.of[text] = r
}

// hold returns the statement that holds the tables of reads; "" where they read none.
func (p *postgres) hold(ctx context.Context, conn *pgconn.PgConn, reads []Read) (string, error) {
	hold, names, same := "", []string(nil), true // as the statements of an answer do, as a rule
	for i, r := range reads {
		if !reading(r.Text) {
			return "", errNotReading
		}
		read, err := p.tablesRead(ctx, conn, r.Text)
		if err != nil {
			return "", err
		}
		if read.free {
			return "", fmt.Errorf("%w: its tables cannot be held", errAlone)
		}
		if i == 0 {
			hold = read.hold
		}
		same = same && hold == read.hold
		names = append(names, read.names...)
	}
	if same {
		return hold, nil
	}
	return holding(names), nil
}

// tablesRead returns what is known of a statement, or asks.
func (p *postgres) tablesRead(ctx context.Context, conn *pgconn.PgConn, text string) (tablesRead, error) {
	read, ok := p.tables.known(text)
	if ok {
		return read, nil
	}
	read, err := tablesOf(ctx, conn, text)
	if err != nil {
		return read, err
	}
	p.tables.note(text, read)
	return read, nil
}

// holding is the statement that holds tables; "" for none.
func holding(names []string) string {
	if len(names) == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(names))
	return "LOCK TABLE " + strings.Join(slices.Compact(sorted), ", ") + " IN ACCESS SHARE MODE"
}

// unheld takes note that the tables of reads could not be held: they changed meanwhile, are wanted by somebody who waits
// for them, or are not the kind that one can hold. Then the reads can be run by themselves.
func (p *postgres) unheld(reads []Read, err error) error {
	const refused, otherKind, unsupported, stopped = "42501", "42809", "0A000", "57014"
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code == stopped || postgresFault(e.Code, err).Reason == "unreachable" {
		return err
	}
	for _, r := range reads {
		switch e.Code {
		case refused, otherKind, unsupported:
			p.tables.note(r.Text, tablesRead{free: true})
		default:
			p.tables.forget(r.Text)
		}
	}
	return fmt.Errorf("%w: %w", errAlone, err)
}

func (t *tables) forget(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.of, text)
}

// tablesHeld are the tables and views that a transaction has looked at, of what kind they are and whether one may hold them.
// Foreign tables and materialized views cannot be held; the latter are filled so that everybody sees all of it.
const tablesHeld = `SELECT DISTINCT pg_catalog.format('%I.%I', n.nspname, c.relname), c.relkind, pg_catalog.has_table_privilege(c.oid, 'SELECT')
FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_class c ON c.oid = l.relation JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE l.pid = pg_catalog.pg_backend_pid() AND c.relkind IN ('r', 'p', 'v') AND n.nspname NOT IN ('pg_catalog', 'information_schema')`

// tablesOf asks the server which tables a statement reads, without running it.
func tablesOf(ctx context.Context, conn *pgconn.PgConn, text string) (tablesRead, error) {
	var read tablesRead
	if err := conn.Exec(ctx, "BEGIN READ ONLY").Close(); err != nil {
		return read, err
	}
	if _, err := conn.Prepare(ctx, "", text, nil); err != nil {
		return read, errors.Join(err, conn.Exec(ctx, "ROLLBACK").Close())
	}
	results, err := conn.Exec(ctx, tablesHeld+"; ROLLBACK").ReadAll()
	if err != nil {
		return read, err
	}
	refused, views := false, false
	for _, row := range results[0].Rows {
		views = views || string(row[1]) == "v"
		if string(row[2]) == "t" {
			read.names = append(read.names, string(row[0]))
		} else {
			refused = true
		}
	}
	read.free = refused && !views // a view is held with all that it reads, whoever may
	read.hold = holding(read.names)
	return read, nil
}
