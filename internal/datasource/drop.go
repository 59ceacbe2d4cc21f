package datasource

import (
	"context"
	"errors"

	"parlance/internal/dialect"
)

// dropper is an engine that can take away a table that it loaded.
type dropper interface {
	drop(ctx context.Context, table string) error
}

var errNoDrop = errors.New("this database keeps the tables that it loaded")

// Drop takes away a table that Load made; one that is not there is none to take away. Statements that read it go on. Only
// DuckDB in memory and PostgreSQL do that, and not after Seal.
func (s *Source) Drop(ctx context.Context, table string) error {
	d, ok := s.current().(dropper)
	if !ok {
		return notLoaded(table, errNoDrop)
	}
	if s.sealed.Load() {
		return notLoaded(table, errSealed)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := d.drop(ctx, table); err != nil {
		return notLoaded(table, err)
	}
	return nil
}

func (d *duckDB) drop(ctx context.Context, table string) error {
	if d.folder != nil {
		return errNoDrop
	}
	conn, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer d.give(conn)
	w := dialect.NewWriter(d.dialect())
	w.Text("DROP TABLE IF EXISTS ")
	w.Name(table)
	text, _ := w.Statement()
	_, err = conn.ExecContext(ctx, text, nil)
	return err
}

func (p *postgres) drop(ctx context.Context, table string) error {
	conn, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer p.give(conn)
	w := dialect.NewWriter(p.dialect())
	w.Text("BEGIN READ WRITE; DROP TABLE IF EXISTS ")
	w.Name(table)
	w.Text("; COMMIT")
	text, _ := w.Statement()
	if err = conn.Exec(ctx, text).Close(); err != nil && !conn.IsClosed() {
		err = errors.Join(err, conn.Exec(context.WithoutCancel(ctx), "ROLLBACK").Close())
	}
	return err
}

// Droppable reports whether tables that Load makes can be taken away again.
func (s *Source) Droppable() bool {
	_, ok := s.current().(dropper)
	if a, awaits := s.current().(*awaited); awaits {
		ok = a.drops
	}
	return ok && !s.sealed.Load()
}

// Loaded returns the names of the tables that begin so and that the role of the source may take away. Only PostgreSQL
// tells.
func (s *Source) Loaded(ctx context.Context, begin string) ([]string, error) {
	if _, ok := s.current().(*postgres); !ok {
		return nil, nil
	}
	const own = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tableowner = current_user AND starts_with(tablename, $1)"
	var names []string
	err := s.Query(ctx, own, []any{begin}, func(cells []any) error {
		names = append(names, cellText(cells[0]))
		return nil
	})
	return names, err
}
