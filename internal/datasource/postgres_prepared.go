package datasource

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	quickStatement = 20 * time.Millisecond // that took no longer is worth preparing: to plan it may take as long as to run it
	knownPaces     = 1000                  // statements whose pace is remembered
	preparedEach   = 100                   // statements that one connection has prepared
	longestPrepare = 32 << 10              // bytes of one
)

// paces remembers how statements ran. One that is run again and again and takes little time is prepared, and is then
// neither read nor, as a rule, planned again; it carries no comment. One that takes long is planned for its values each
// time, and carries the comment of its request.
type paces struct {
	off atomic.Bool // a proxy between does not keep prepared statements

	mu    sync.Mutex
	quick map[string]bool
}

// prepares reports whether a statement is to be prepared.
func (p *paces) prepares(text string) bool {
	if p.off.Load() || len(text) > longestPrepare {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.quick[text]
}

// note remembers what a statement took.
func (p *paces) note(text string, took time.Duration) {
	if len(text) > longestPrepare {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quick == nil || len(p.quick) >= knownPaces {
		p.quick = map[string]bool{}
	}
	p.quick[text] = took < quickStatement
}

// uncommented returns a statement without the comment of its request.
func uncommented(text string) string {
	if rest, ok := strings.CutPrefix(text, "/* "); ok {
		if _, plain, ok := strings.Cut(rest, " */ "); ok {
			return plain
		}
	}
	return text
}

// preparedStatements are those of one connection, by text.
type preparedStatements struct {
	names map[string]string
	count int
}

func preparedOn(conn *pgconn.PgConn) *preparedStatements {
	const key = "prepared"
	data := conn.CustomData()
	s, ok := data[key].(*preparedStatements)
	if !ok {
		s = &preparedStatements{names: map[string]string{}}
		data[key] = s
	}
	return s
}

// name returns the name of a statement on a connection, preparing it where it is not yet. Another may make room for it,
// but none of those that are needed beside it.
func (s *preparedStatements) name(ctx context.Context, conn *pgconn.PgConn, text string, beside map[string]string) (string, error) {
	if name, ok := s.names[text]; ok {
		return name, nil
	}
	for old, name := range s.names {
		if len(s.names) < preparedEach {
			break
		}
		if _, needed := beside[old]; needed {
			continue
		}
		delete(s.names, old)
		if err := conn.Deallocate(ctx, name); err != nil {
			return "", err
		}
	}
	s.count++
	name := "parlance" + strconv.Itoa(s.count)
	if _, err := conn.Prepare(ctx, name, text, nil); err != nil {
		return "", err
	}
	s.names[text] = name
	return name, nil
}

// start sends a statement, prepared where that is worth it, and waits for its first row or its end.
func (r *postgresRows) start(ctx context.Context, text string, args [][]byte) error {
	r.plain, r.begun = uncommented(text), time.Now()
	if !r.db.paces.prepares(r.plain) {
		return r.once(ctx, text, args)
	}
	prepared := preparedOn(r.conn)
	name, err := prepared.name(ctx, r.conn, r.plain, nil)
	if err == nil {
		err = r.open(ctx, func(ctx context.Context) *pgconn.ResultReader { return r.conn.ExecPrepared(ctx, name, args, nil, nil) })
	}
	if err == nil || !r.db.outdated(err) {
		return err
	}
	delete(prepared.names, r.plain)
	if r.stop != nil {
		r.stop()
	}
	return r.once(ctx, text, args)
}

// once sends a statement that is not prepared.
func (r *postgresRows) once(ctx context.Context, text string, args [][]byte) error {
	return r.open(ctx, func(ctx context.Context) *pgconn.ResultReader {
		return r.conn.ExecParams(ctx, text, args, nil, nil, nil)
	})
}

// outdated reports whether an error means that a prepared statement is not what it was: the table has other columns, or
// the connection leads to another session, through a proxy. Then none is prepared any more.
func (p *postgres) outdated(err error) bool {
	const unknownStatement, knownStatement, changedResult = "26000", "42P05", "0A000"
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	if e.Code == unknownStatement || e.Code == knownStatement {
		p.paces.off.Store(true)
		return true
	}
	return e.Code == changedResult
}
