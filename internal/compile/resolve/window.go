package resolve

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// windowShape is what a window function takes and gives.
type windowShape struct {
	min, max int
	ordered  bool // needs an order to mean anything
	ties     bool // depends on which of two equal rows comes first, so the order is made total
	result   func(args []Expr) value.Type
}

func firstType(args []Expr) value.Type { return args[0].Type() }

var windowShapes = map[WindowFn]windowShape{
	RowNumber:   {ordered: true, ties: true, result: fixed(integer)},
	Rank:        {ordered: true, result: fixed(integer)},
	DenseRank:   {ordered: true, result: fixed(integer)},
	PercentRank: {ordered: true, result: fixed(float)},
	CumeDist:    {ordered: true, result: fixed(float)},
	Ntile:       {min: 1, max: 1, ordered: true, ties: true, result: fixed(integer)},
	Lag:         {min: 1, max: 3, ordered: true, ties: true, result: firstType},
	Lead:        {min: 1, max: 3, ordered: true, ties: true, result: firstType},
	FirstValue:  {min: 1, max: 1, ordered: true, ties: true, result: firstType},
	LastValue:   {min: 1, max: 1, ordered: true, ties: true, result: firstType},
}

// windowAggs are the aggregates that a window can have.
var windowAggs = []semantic.Agg{semantic.Sum, semantic.Avg, semantic.Count, semantic.Min, semantic.Max}

var windowNames = []string{
	"sum", "avg", "count", "min", "max", "rank", "row_number", "dense_rank", "lag", "lead", "first_value", "last_value", "ntile", "percent_rank", "cume_dist",
}

// windowCall binds a window function. In a grouped query it looks at groups, so a bare measure in it is the group's
// value; otherwise it looks at rows.
func (r *resolver) windowCall(c *query.Call, w *query.Window, s scope) (Expr, error) {
	if s.inAgg || s.inWindow || s.trusted {
		return nil, misplacedWindow(c.String(), s.path)
	}
	s.inWindow = true
	if r.grouped {
		s.mode = groupMeasures
	}
	bound := &Window{Fn: WindowFn(c.Func), Frame: w.Frame}
	if err := r.windowParts(bound, c, w, s); err != nil {
		return nil, err
	}
	if shape, ok := windowShapes[bound.Fn]; ok {
		return r.ranked(bound, c, shape, s)
	}
	if !slices.Contains(windowAggs, semantic.Agg(c.Func)) {
		return nil, unknownWindowFunction(c.Func, s.path)
	}
	return r.windowAggregate(bound, c, s)
}

func (r *resolver) windowParts(bound *Window, c *query.Call, w *query.Window, s scope) error {
	for _, list := range []struct {
		in  []query.Expr
		out *[]Expr
	}{{c.Args, &bound.Args}, {w.PartitionBy, &bound.PartitionBy}} {
		for _, a := range list.in {
			e, err := r.expr(a, s)
			if err != nil {
				return err
			}
			if e.Level() == WindowLevel {
				return misplacedWindow(a.String(), s.path)
			}
			*list.out = append(*list.out, e)
		}
	}
	for _, o := range w.OrderBy {
		e, err := r.expr(o.Expr, s)
		if err != nil {
			return err
		}
		if e.Level() == WindowLevel {
			return misplacedWindow(o.Expr.String(), s.path)
		}
		bound.OrderBy = append(bound.OrderBy, Order{Expr: e, Desc: o.Desc, NullsFirst: o.Nulls == query.NullsFirst})
	}
	return checkFrame(bound, string(bound.Fn), s.path)
}

// checkFrame refuses a frame that has no one meaning. A frame of rows needs an order, which is made total; one of a
// range with an offset counts along one number.
func checkFrame(w *Window, fn, path string) error {
	if w.Frame == nil {
		return nil
	}
	if w.Frame.Unit == query.Rows {
		if len(w.OrderBy) == 0 && !wholePartition(w.Frame) {
			return orderlessWindow(fn, path)
		}
		w.Total = len(w.OrderBy) > 0
		return nil
	}
	if !hasOffset(w.Frame) {
		return nil
	}
	if len(w.OrderBy) != 1 || !w.OrderBy[0].Expr.Type().Numeric() {
		return badFrame(fn, path)
	}
	w.counted = true
	return nil
}

func wholePartition(f *query.Frame) bool {
	return f.From.Kind == query.UnboundedPreceding && f.To.Kind == query.UnboundedFollowing
}

func hasOffset(f *query.Frame) bool {
	offset := func(b query.Bound) bool { return b.Kind == query.Preceding || b.Kind == query.Following }
	return offset(f.From) || offset(f.To)
}

// ranked finishes a function that is no aggregate.
func (r *resolver) ranked(w *Window, c *query.Call, shape windowShape, s scope) (Expr, error) {
	if len(w.Args) < shape.min || len(w.Args) > shape.max {
		return nil, wrongArguments(c.Func, argumentsOf(signature{args: make([]kindSet, shape.min), more: shape.max - shape.min}), len(w.Args), s.path)
	}
	if shape.ordered && len(w.OrderBy) == 0 {
		return nil, orderlessWindow(c.Func, s.path)
	}
	if err := checkOffset(w, s.path); err != nil {
		return nil, err
	}
	if shape.ties {
		if w.counted {
			return nil, badFrame(c.Func, s.path)
		}
		w.Total = true
	}
	if len(w.Args) == 3 {
		t, err := commonType("the arguments of "+c.Func, []Expr{w.Args[0], w.Args[2]}, s.path)
		if err != nil {
			return nil, err
		}
		w.Args[0], w.Args[2] = as(w.Args[0], t), as(w.Args[2], t)
	}
	w.T = shape.result(w.Args)
	return w, nil
}

// checkOffset refuses an offset of lag and lead, or a count of ntile, that is no small constant.
func checkOffset(w *Window, path string) error {
	at := 1
	if w.Fn == Ntile {
		at = 0
	} else if w.Fn != Lag && w.Fn != Lead {
		return nil
	}
	if len(w.Args) <= at {
		return nil
	}
	l, ok := w.Args[at].(Literal)
	n, whole := smallInt(l.V.Text)
	if !ok || l.T.Kind != value.Integer || !whole || n < at || n > 1_000_000 {
		return notConstant("the number of rows of "+string(w.Fn), path)
	}
	return nil
}

// windowAggregate finishes an aggregate over a window, formed from exact parts.
func (r *resolver) windowAggregate(w *Window, c *query.Call, s scope) (Expr, error) {
	fn := semantic.Agg(c.Func)
	if c.Star || len(w.Args) == 0 {
		if fn != semantic.Count {
			return nil, wrongArguments(c.Func, "one argument", 0, s.path)
		}
		w.T = integer
		return w, nil
	}
	if len(w.Args) != 1 {
		return nil, wrongArguments(c.Func, "one argument", len(w.Args), s.path)
	}
	arg := w.Args[0]
	part := func(fn semantic.Agg, t value.Type) *Window {
		p := *w
		p.Fn, p.T = WindowFn(fn), t
		return &p
	}
	t := arg.Type()
	switch fn {
	case semantic.Count:
		return part(fn, integer), nil
	case semantic.Min, semantic.Max:
		if t.Kind == value.Boolean || t.Kind == value.Null {
			return nil, wrongOperand(c.Func, arg, "a number, a text or a date", s.path)
		}
		return part(fn, t), nil
	}
	if !t.Numeric() {
		return nil, wrongOperand(c.Func, arg, "a number", s.path)
	}
	t.Wide = true
	if fn == semantic.Sum || t.Kind == value.Float {
		return part(fn, t), nil
	}
	return Ratio(part(semantic.Sum, t), part(semantic.Count, integer), semantic.RatioType(t)), nil
}
