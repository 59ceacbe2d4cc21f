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

// Drop takes away a table that Load made; one that is not there is none to take away. Statements that read it go on. It
// is for databases in memory, and not after Seal.
func (s *Source) Drop(ctx context.Context, table string) error {
	d, ok := s.engine.(dropper)
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
