package datasource

import (
	"context"
	"errors"
	"os"
	"sync"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/relation"
)

// replaceable is an engine that reads one file and keeps what it knows of it. Each statement runs on the file that stands
// at the path when it begins: once another takes the place, statements wait for those of the old file to end, and it is
// opened. Without a file the database cannot be reached.
type replaceable struct {
	path string
	open func(ctx context.Context) (engine, error)

	mu      sync.Mutex
	engine  engine
	file    os.FileInfo   // that the engine reads; nil: it is closed
	stale   bool          // the engine is closed, or cannot go on
	users   int           // statements that run
	drained chan struct{} // closed when none runs any more, if somebody waits for that
}

var errGone = errors.New("the database's file is gone or is being replaced")

func openReplaceable(ctx context.Context, path string, open func(context.Context) (engine, error)) (*replaceable, error) {
	file, gone := os.Stat(path)
	e, err := open(ctx) // which says best what is wrong
	if err != nil {
		return nil, err
	}
	if gone != nil {
		return nil, errors.Join(unreachable(gone), e.close())
	}
	return &replaceable{path: path, open: open, engine: e, file: file}, nil
}

// current reports whether the engine reads this file as it is now.
func (r *replaceable) current(file os.FileInfo) bool {
	return !r.stale && os.SameFile(r.file, file) && r.file.ModTime().Equal(file.ModTime()) && r.file.Size() == file.Size()
}

// take returns an engine that reads what stands at the path; give must follow.
func (r *replaceable) take(ctx context.Context) (engine, error) {
	for {
		file, err := os.Stat(r.path)
		if err != nil {
			return nil, errors.Join(errGone, err)
		}
		e, wait, err := r.try(ctx, file)
		if wait == nil {
			return e, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// try is take, or what to wait for.
func (r *replaceable) try(ctx context.Context, file os.FileInfo) (engine, <-chan struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.current(file) {
		if r.users > 0 {
			if r.drained == nil {
				r.drained = make(chan struct{})
			}
			return nil, r.drained, nil
		}
		if err := r.replace(ctx, file); err != nil {
			return nil, nil, errors.Join(errGone, err)
		}
	}
	r.users++
	return r.engine, nil, nil
}

// replace closes the old file first: the database would take the new one for the same.
func (r *replaceable) replace(ctx context.Context, file os.FileInfo) error {
	if r.file != nil {
		_ = r.engine.close() // an error of closing what nobody reads any more is no one's
	}
	r.stale, r.file = true, nil
	e, err := r.open(ctx)
	if err != nil {
		return err
	}
	r.engine, r.file, r.stale = e, file, false
	return nil
}

// give ends a statement. After one whose engine cannot go on, the file is opened anew.
func (r *replaceable) give(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil && r.engine.fault(err).Reason == "unreachable" {
		r.stale = true
	}
	if r.users--; r.users == 0 && r.drained != nil {
		close(r.drained)
		r.drained = nil
	}
}

// rows runs a statement on what stands at the path.
func (r *replaceable) rows(ctx context.Context, run func(engine) (cursor, error)) (cursor, error) {
	e, err := r.take(ctx)
	if err != nil {
		return nil, err
	}
	c, err := run(e)
	if err != nil {
		r.give(err)
		return nil, err
	}
	return &replaceableRows{cursor: c, db: r}, nil
}

// replaceableRows keeps its file open.
type replaceableRows struct {
	cursor
	db *replaceable
}

func (r *replaceableRows) close() {
	r.cursor.close()
	r.db.give(nil)
}

func (r *replaceable) query(ctx context.Context, text string, args []any) (cursor, error) {
	return r.rows(ctx, func(e engine) (cursor, error) { return e.query(ctx, text, args) })
}

func (r *replaceable) describe(ctx context.Context, schema, table, query string) (cursor, error) {
	return r.rows(ctx, func(e engine) (cursor, error) { return e.describe(ctx, schema, table, query) })
}

func (r *replaceable) with(ctx context.Context, call func(engine) error) error {
	e, err := r.take(ctx)
	if err != nil {
		return err
	}
	err = call(e)
	r.give(err)
	return err
}

// schema asks the source itself, which takes the file for each of its statements.
func (r *replaceable) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	return r.any().schema(ctx, l)
}

func (r *replaceable) load(ctx context.Context, t Table) error {
	return r.with(ctx, func(e engine) error { return e.load(ctx, t) })
}

func (r *replaceable) seal(ctx context.Context) error {
	return r.with(ctx, func(e engine) error { return e.seal(ctx) })
}
func (r *replaceable) ping(ctx context.Context) error {
	return r.with(ctx, func(e engine) error { return e.ping(ctx) })
}

// any returns an engine for what does not depend on the file.
func (r *replaceable) any() engine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.engine
}

func (r *replaceable) column(cells []any) (Column, error) { return r.any().column(cells) }
func (r *replaceable) dialect() dialect.Dialect           { return r.any().dialect() }

func (r *replaceable) fault(err error) *fault.Error {
	if errors.Is(err, errGone) {
		return unreachable(err)
	}
	return r.any().fault(err)
}

func (r *replaceable) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil
	}
	return r.engine.close()
}
