package bench

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"parlance/internal/datasource"
)

// statement is what a datasource was asked, and when.
type statement struct {
	text       string
	args       []any
	begun, end time.Time
}

// recorder is a datasource that can note what it is asked.
type recorder struct {
	*datasource.Source
	mu    sync.Mutex
	notes bool
	asked []statement
}

// Query runs a statement and notes it if it is told to.
func (r *recorder) Query(ctx context.Context, text string, args []any, row func(cells []any) error) error {
	r.mu.Lock()
	notes := r.notes
	r.mu.Unlock()
	if !notes {
		return r.Source.Query(ctx, text, args, row)
	}
	begun := time.Now()
	err := r.Source.Query(ctx, text, args, row)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, statement{text, args, begun, time.Now()})
	return err
}

// Together runs the statements of an answer, each by itself, so that each is noted.
func (r *recorder) Together(ctx context.Context, lanes ...[]datasource.Read) error {
	return datasource.SideBySide(ctx, r.Query, lanes...)
}

func (r *recorder) start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes, r.asked = true, nil
}

// stop returns what was noted: lists of statements that ran side by side, one list after the other.
func (r *recorder) stop() (stages [][]statement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = false
	slices.SortFunc(r.asked, func(a, b statement) int { return cmp.Compare(a.begun.UnixNano(), b.begun.UnixNano()) })
	var end time.Time
	for _, st := range r.asked {
		if len(stages) == 0 || st.begun.After(end) {
			stages = append(stages, nil)
		}
		last := len(stages) - 1
		stages[last] = append(stages[last], st)
		if st.end.After(end) {
			end = st.end
		}
	}
	return stages
}
