package datasource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// quick reports whether all statements are prepared where they run.
func (p *postgres) quick(reads []Read) bool {
	for _, r := range reads {
		if !p.paces.prepares(r.Text) {
			return false
		}
	}
	return true
}

// postgresBatch is several statements on one connection, sent without waiting for each other's rows. They are one
// transaction, which ends with the batch, and so see the same rows.
type postgresBatch struct {
	db    *postgres
	conn  *pgconn.PgConn
	ctx   context.Context
	stop  context.CancelFunc
	names map[string]string // of statements that are prepared, by text
	pipe  *pgconn.Pipeline
	texts []string      // whose rows are still to come
	rows  *postgresRows // that are read now
	begun time.Time
	ended bool // the transaction is over
}

// batch sends statements, and the end of their transaction unless others may follow.
func (p *postgres) batch(ctx context.Context, reads, later []Read) (batch, error) {
	conn, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	b := &postgresBatch{db: p, conn: conn, names: map[string]string{}}
	b.ctx, b.stop = context.WithCancel(ctx)
	if err = b.begin(reads, later); err == nil {
		return b, nil
	}
	if outOfTime(ctx) {
		p.forget()
	}
	b.close()
	return nil, err
}

func (b *postgresBatch) begin(reads, later []Read) error {
	all := slices.Concat(reads, later)
	hold, err := b.db.hold(b.ctx, b.conn, all)
	if err != nil {
		return b.alone(err)
	}
	if err := b.prepareAll(all, hold); err != nil {
		return b.alone(err)
	}
	b.pipe, b.begun = b.conn.StartPipeline(b.ctx), time.Now()
	b.command(beginShared)
	b.command(hold)
	for _, r := range reads {
		if err := b.add(r); err != nil {
			return err
		}
	}
	if err := b.flush(len(later) > 0); err != nil {
		return b.alone(err)
	}
	if err := b.held(hold); err != nil {
		return b.alone(b.db.unheld(all, err))
	}
	return b.turn()
}

// command sends what has no rows; "" is nothing to send.
func (b *postgresBatch) command(text string) {
	if name, ok := b.names[text]; ok {
		b.pipe.SendQueryPrepared(name, nil, nil, nil)
	} else if text != "" {
		b.pipe.SendQueryParams(text, nil, nil, nil, nil)
	}
}

// held waits until the transaction has begun and holds its tables.
func (b *postgresBatch) held(hold string) error {
	for _, text := range []string{beginShared, hold} {
		if text == "" {
			continue
		}
		results, err := b.pipe.GetResults()
		if err != nil {
			return err
		}
		if reader, ok := results.(*pgconn.ResultReader); ok {
			_, err = reader.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// prepareAll makes the connection know the statements for which it is worth it and, where there are such, what stands
// around them.
func (b *postgresBatch) prepareAll(reads []Read, hold string) error {
	for _, r := range reads {
		if b.db.paces.prepares(r.Text) {
			if err := b.prepare(r.Text); err != nil {
				return err
			}
		}
	}
	if len(b.names) == 0 {
		return nil
	}
	for _, text := range []string{beginShared, hold, commit} {
		if err := b.prepare(text); err != nil {
			return err
		}
	}
	return nil
}

func (b *postgresBatch) prepare(text string) error {
	if text == "" {
		return nil
	}
	name, err := preparedOn(b.conn).name(b.ctx, b.conn, text, b.names)
	b.names[text] = name
	return err
}

func (b *postgresBatch) add(r Read) error {
	if !reading(r.Text) {
		return errNotReading
	}
	args, err := postgresArguments(r.Args)
	if err != nil {
		return err
	}
	if name, ok := b.names[r.Text]; ok {
		b.pipe.SendQueryPrepared(name, args, nil, nil)
	} else {
		b.pipe.SendQueryParams(commented(b.ctx, r.Text), args, nil, nil, nil)
	}
	b.texts = append(b.texts, r.Text)
	return nil
}

func (b *postgresBatch) flush(more bool) error {
	if more {
		b.pipe.SendFlushRequest()
		return b.pipe.Flush()
	}
	b.command(commit)
	b.ended = true
	return b.pipe.Sync()
}

func (b *postgresBatch) next() ([]any, error) { return b.rows.next() }

// turn waits for the first row of the next statement.
func (b *postgresBatch) turn() error {
	b.rows = &postgresRows{db: b.db, conn: b.conn, lent: true, plain: b.texts[0], begun: b.begun}
	b.texts = b.texts[1:]
	results, err := b.pipe.GetResults()
	if err != nil {
		return b.alone(err)
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return fmt.Errorf("%T instead of rows", results)
	}
	err = b.rows.first(reader)
	b.begun = time.Now()
	return b.alone(err)
}

func (b *postgresBatch) send(r Read) error {
	b.begun = time.Now()
	if err := b.add(r); err != nil {
		return err
	}
	if err := b.flush(true); err != nil {
		return b.alone(err)
	}
	return b.turn()
}

func (b *postgresBatch) finish() error {
	if !b.ended {
		if err := b.flush(false); err != nil {
			return err
		}
	}
	return b.pipe.Close()
}

// alone adds errAlone to an error that comes of an old connection or of what it had prepared.
func (b *postgresBatch) alone(err error) error {
	switch {
	case err == nil || errors.Is(err, errAlone):
		return err
	case b.db.outdated(err):
		for text := range b.names {
			delete(preparedOn(b.conn).names, text)
		}
	case b.ctx.Err() != nil || !postgresLost(b.conn, err):
		return err
	default:
		b.db.forget()
	}
	return fmt.Errorf("%w: %w", errAlone, err)
}

// close gives the connection back. Rows that nobody read are not waited for.
func (b *postgresBatch) close() {
	if b.pipe != nil {
		if b.rows == nil || !b.rows.ended || len(b.texts) > 0 || !b.ended {
			b.stop()
		}
		_ = b.pipe.Close()
	}
	b.stop()
	b.db.give(b.conn)
}

// postgresLane is a connection in a transaction that sees what the others of its kind see.
type postgresLane struct {
	db   *postgres
	conn *pgconn.PgConn
}

const (
	beginShared = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
	commit      = "COMMIT"
)

// share begins a transaction on each of n connections, all with what the first one sees and holding the tables of reads.
func (p *postgres) share(ctx context.Context, n int, reads []Read) ([]lane, error) {
	all := make(lanes, 0, n)
	sees, hold := "", ""
	for i := range n {
		conn, err := p.take(ctx)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, &postgresLane{p, conn})
		if i == 0 {
			hold, err = p.hold(ctx, conn, reads)
		}
		if err == nil {
			sees, err = joinShared(ctx, conn, sees, hold)
		}
		if err != nil {
			if postgresLost(conn, err) {
				p.forget()
			}
			all.close()
			return nil, fmt.Errorf("%w: %w", errAlone, p.unheld(reads, err))
		}
	}
	return all, nil
}

// joinShared begins a transaction that sees what another does, or what there is now, and returns what that is called. It
// does not wait for the tables that the other holds: who wants to replace one may stand between them.
func joinShared(ctx context.Context, conn *pgconn.PgConn, sees, hold string) (string, error) {
	if sees != "" {
		text := beginShared + "; SET TRANSACTION SNAPSHOT '" + sees + "'"
		if hold != "" {
			text += "; " + hold + " NOWAIT"
		}
		return sees, conn.Exec(ctx, text).Close()
	}
	if hold != "" {
		hold = "; " + hold
	}
	results, err := conn.Exec(ctx, beginShared+hold+"; SELECT pg_catalog.pg_export_snapshot()").ReadAll()
	if err != nil {
		return "", err
	}
	last := results[len(results)-1]
	if len(last.Rows) != 1 || len(last.Rows[0]) != 1 {
		return "", errors.New("no snapshot")
	}
	sees = string(last.Rows[0][0])
	if strings.Trim(sees, "0123456789ABCDEF-") != "" {
		return "", errors.New("an unknown kind of snapshot")
	}
	return sees, nil
}

func (l *postgresLane) query(ctx context.Context, text string, args []any) (cursor, error) {
	if !reading(text) {
		return nil, errNotReading
	}
	bound, err := postgresArguments(args)
	if err != nil {
		return nil, err
	}
	r := &postgresRows{db: l.db, conn: l.conn, lent: true, plain: uncommented(text), begun: time.Now()}
	if err := r.once(ctx, text, bound); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// close ends the transaction and gives the connection back.
func (l *postgresLane) close() {
	if !l.conn.IsClosed() && !l.conn.IsBusy() {
		ctx, cancel := context.WithTimeout(context.Background(), late)
		defer cancel()
		_ = l.conn.Exec(ctx, "ROLLBACK").Close()
	}
	l.db.give(l.conn)
}
