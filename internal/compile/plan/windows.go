package plan

import (
	"strconv"

	"parlance/internal/compile/resolve"
)

const windowsAlias = "w"

// windowing is the stage that computes window functions over the rows or groups of an inner one.
type windowing struct {
	in    inputs
	tie   []resolve.Expr
	names map[string]string
	cols  []Output
}

// windowed plans results with windows: the inner stage, the windows beside its columns, then what is selected and
// filtered of both (decision 49).
func windowed(q *resolve.Query, in inputs) *results {
	w := &windowing{in: in, tie: q.Identity, names: map[string]string{}}
	outer := &Select{}
	if q.Results != nil {
		outer.Where = w.value(q.Results)
	}
	return &results{sel: outer, value: w.value, close: func() *Select {
		outer.From = Derived{Select: w.finish(), Alias: windowsAlias}
		return outer
	}}
}

// value replaces windows, and whatever the inner stage can compute, by columns of this stage.
func (w *windowing) value(e resolve.Expr) resolve.Expr {
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		if window, ok := x.(*resolve.Window); ok {
			return w.column(window), true
		}
		if level := x.Level(); level == resolve.RowLevel || level == resolve.GroupLevel {
			c := w.in.output(x)
			return resolve.Column{Rel: windowsAlias, Name: c.Name, T: c.T}, true
		}
		return nil, false
	})
}

// column returns the column of a window function, computing each once.
func (w *windowing) column(x *resolve.Window) resolve.Column {
	key := x.String()
	name, ok := w.names[key]
	if !ok {
		name = "w" + strconv.Itoa(len(w.names))
		w.names[key] = name
		w.cols = append(w.cols, Output{Name: name, Expr: w.bind(x)})
	}
	return resolve.Column{Rel: windowsAlias, Name: name, T: x.T}
}

// bind names the columns of the inner stage in a window function, and makes its order total where ties matter.
func (w *windowing) bind(x *resolve.Window) *resolve.Window {
	bound := *x
	bound.Args, bound.PartitionBy, bound.OrderBy = nil, nil, nil
	input := func(e resolve.Expr) resolve.Expr {
		if e.Level() == resolve.Constant {
			return e
		}
		return w.in.output(e)
	}
	for _, a := range x.Args {
		bound.Args = append(bound.Args, input(a))
	}
	for _, p := range x.PartitionBy {
		bound.PartitionBy = append(bound.PartitionBy, input(p))
	}
	for _, o := range x.OrderBy {
		o.Expr = input(o.Expr)
		bound.OrderBy = append(bound.OrderBy, o)
	}
	if x.Total {
		for _, e := range w.tie {
			bound.OrderBy = append(bound.OrderBy, resolve.Order{Expr: input(e)})
		}
	}
	return &bound
}

func (w *windowing) finish() *Select {
	outer := passed(w.in.finish())
	outer.Columns = append(outer.Columns, w.cols...)
	return outer
}
