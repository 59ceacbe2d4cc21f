package service

import (
	"context"
	"math"
	"math/big"
	"strconv"

	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/datasource"
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
	known  bool   // the page told the total
	counts int    // rows of the count
	totals []byte // an object that is not closed yet; nil without totals
}

// all runs the statements side by side, as far as places are free, and over the same rows where the database has a way to
// it. The count waits for the page only where the page is likely to imply it: groups are as dear to count as to read, and
// most often they all fit on the first page.
func (r *run) all(ctx context.Context) error {
	ctx, done, err := r.source.admitted(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := r.source.together(ctx, r.lanes()...); err != nil {
		r.drop()
		return err
	}
	return r.whole()
}

// lanes returns what is read, in lists that may run side by side.
func (r *run) lanes() (lanes [][]datasource.Read) {
	count := reading(r.compiled.Count, r.counted)
	switch {
	case r.compiled.Limit == 0:
		lanes = append(lanes, []datasource.Read{count})
	case r.compiled.Grouped && r.compiled.Start == 0:
		count.Needless = r.implied
		lanes = append(lanes, append(r.page(), count))
	default:
		lanes = append(lanes, r.page(), []datasource.Read{count})
	}
	if r.compiled.Totals != nil {
		lanes = append(lanes, []datasource.Read{reading(*r.compiled.Totals, r.summed)})
	}
	return lanes
}

func reading(st sqlgen.Statement, row func(cells []any) error) datasource.Read {
	return datasource.Read{Text: st.SQL, Args: st.Args, Row: row}
}

// drop gives back what a failed run has read so far.
func (r *run) drop() {
	if r.rows != nil {
		r.rows.Release()
		r.rows = nil
	}
}

// implied reports whether the first page was not full, which tells the total.
func (r *run) implied() bool {
	if r.read >= r.compiled.Limit {
		return false
	}
	r.total, r.known = r.read, true
	return true
}

// page is the rows, and those over several groups behind them.
func (r *run) page() (reads []datasource.Read) {
	r.rows = result.NewEncoder(r.compiled.Columns, r.options.Layout)
	r.rows.CapBytes(r.options.MaxBytes)
	r.rows.Zone(r.Calendar.Zone)
	r.rows.Within(r.budget, r.source.owner())
	r.rows.Expect(r.compiled.Limit)
	reads = append(reads, reading(r.compiled.Page, func(cells []any) error {
		r.read++
		err := r.rows.Row(cells)
		r.kept = int64(r.rows.Len())
		return err
	}))
	for _, st := range r.compiled.Extra {
		reads = append(reads, reading(st, r.rows.Row))
	}
	return reads
}

func (r *run) counted(cells []any) (err error) {
	if r.counts++; r.counts > 1 {
		return notOneRow()
	}
	r.total, err = integer(cells)
	return err
}

func (r *run) summed(cells []any) (err error) {
	if r.totals != nil {
		return notOneRow()
	}
	r.totals, err = result.AppendMembers([]byte{'{'}, r.compiled.TotalColumns, cells, r.Calendar.Zone)
	return err
}

// whole reports whether statements that give one row gave it.
func (r *run) whole() error {
	if (r.counts == 0 && !r.known) || (r.compiled.Totals != nil && r.totals == nil) {
		r.drop()
		return notOneRow()
	}
	return nil
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
