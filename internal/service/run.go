package service

import (
	"context"
	"math"
	"math/big"
	"strconv"

	"golang.org/x/sync/errgroup"

	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/result"
)

// run is one execution of a compiled query: its page, its count and its totals.
type run struct {
	target
	compiled *compile.Compiled
	options  QueryOptions
	budget   *result.Budget // of answers on their way

	rows   *result.Encoder // nil without a page
	read   int64           // rows that the page's statement gave, more than the encoder's when it was cut
	kept   int64           // rows of the page that were encoded; rows over several groups stand behind them
	total  int64
	totals []byte // an object that is not closed yet; nil without totals
}

// all runs the statements side by side, as far as places are free. The count waits for the page only where the page is
// likely to imply it: groups are as dear to count as to read, and most often they all fit on the first page.
func (r *run) all(ctx context.Context) error {
	ctx, done, err := r.admitted(ctx)
	if err != nil {
		return err
	}
	defer done()
	g, ctx := errgroup.WithContext(ctx)
	paged := r.compiled.Limit > 0
	pageFirst := paged && r.compiled.Grouped && r.compiled.Start == 0
	parts := make([]func(context.Context) error, 0, 3)
	switch {
	case pageFirst:
		parts = append(parts, r.pageThenCount)
	case paged:
		parts = append(parts, r.page, r.count)
	default:
		parts = append(parts, r.count)
	}
	if r.compiled.Totals != nil {
		parts = append(parts, r.sums)
	}
	for _, part := range parts[1:] {
		g.Go(func() error { return guarded(func() error { return part(ctx) }) })
	}
	if err := guarded(func() error { return parts[0](ctx) }); err != nil {
		g.Go(func() error { return err }) // which ends the others
	}
	if err := g.Wait(); err != nil {
		r.drop()
		return err
	}
	return nil
}

// drop gives back what a failed run has read so far.
func (r *run) drop() {
	if r.rows != nil {
		r.rows.Release()
		r.rows = nil
	}
}

func (r *run) pageThenCount(ctx context.Context) error {
	if err := r.page(ctx); err != nil || r.implied() {
		return err
	}
	return r.count(ctx)
}

// implied reports whether the first page was not full, which tells the total.
func (r *run) implied() bool {
	if r.read >= r.compiled.Limit {
		return false
	}
	r.total = r.read
	return true
}

func (r *run) page(ctx context.Context) error {
	r.rows = result.NewEncoder(r.compiled.Columns, r.options.Layout)
	r.rows.CapBytes(r.options.MaxBytes)
	r.rows.Zone(r.Calendar.Zone)
	r.rows.Within(r.budget)
	r.rows.Expect(r.compiled.Limit)
	page := r.compiled.Page
	err := r.source.Query(ctx, page.SQL, page.Args, func(cells []any) error {
		r.read++
		return r.rows.Row(cells)
	})
	r.kept = int64(r.rows.Len())
	for _, st := range r.compiled.Extra {
		if err == nil {
			err = r.source.Query(ctx, st.SQL, st.Args, r.rows.Row)
		}
	}
	return err
}

func (r *run) count(ctx context.Context) error {
	return oneRow(ctx, r.source, r.compiled.Count, func(cells []any) (err error) {
		r.total, err = integer(cells)
		return err
	})
}

func (r *run) sums(ctx context.Context) error {
	return oneRow(ctx, r.source, *r.compiled.Totals, func(cells []any) (err error) {
		r.totals, err = result.AppendMembers([]byte{'{'}, r.compiled.TotalColumns, cells, r.Calendar.Zone)
		return err
	})
}

// answer is what was read.
func (r *run) answer() *keptAnswer {
	a := &keptAnswer{items: []byte("[]"), total: r.total}
	if r.rows != nil {
		a.items, a.returned, a.truncated = r.rows.Bytes(), r.kept, r.rows.Truncated()
		a.release = r.rows.Release
	}
	if r.compiled.TotalColumns == nil {
		return a
	}
	a.totalData = strconv.AppendInt([]byte(`{"total":`), r.total, 10)
	if len(r.totals) > 1 {
		a.totalData = append(append(a.totalData, ','), r.totals[1:]...)
	}
	a.totalData = append(a.totalData, '}')
	return a
}

// oneRow runs a statement that gives exactly one row.
func oneRow(ctx context.Context, source Source, st sqlgen.Statement, use func(cells []any) error) error {
	found := false
	err := source.Query(ctx, st.SQL, st.Args, func(cells []any) error {
		if found {
			return notOneRow()
		}
		found = true
		return use(cells)
	})
	if err == nil && !found {
		return notOneRow()
	}
	return err
}

// integer reads the only cell of a count.
func integer(cells []any) (int64, error) {
	if len(cells) == 1 {
		switch n := cells[0].(type) {
		case int64:
			return n, nil
		case int32:
			return int64(n), nil
		case uint64:
			if n <= math.MaxInt64 {
				return int64(n), nil
			}
		case *big.Int:
			if n != nil && n.IsInt64() {
				return n.Int64(), nil
			}
		}
	}
	return 0, badCount(cells)
}
