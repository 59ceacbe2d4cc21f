package resolve

import (
	"slices"
	"strconv"

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
// value; otherwise it looks at rows. The window stands in the keys of the calculated field at the path keys or, where
// that is "", in the expression itself.
func (r *resolver) windowCall(c *query.Call, w *query.Window, s scope, keys string) (Expr, error) {
	if s.inAgg || s.inWindow || s.trusted {
		return nil, misplacedWindow(c.String(), s.path)
	}
	s.inWindow = true
	if r.grouped {
		s.mode = groupMeasures
	}
	b := &windowBinding{resolver: r, call: c, spec: w, s: s, keys: keys, out: &Window{Fn: WindowFn(c.Func), Frame: w.Frame}}
	shape, ranks := windowShapes[b.out.Fn]
	if !ranks && !slices.Contains(windowAggs, semantic.Agg(c.Func)) {
		return nil, unknownWindowFunction(c.Func, s.path)
	}
	if err := b.parts(); err != nil {
		return nil, err
	}
	if err := b.frame(); err != nil {
		return nil, err
	}
	if ranks {
		return b.ranked(shape)
	}
	return b.aggregate()
}

// windowBinding is the state of binding one window function.
type windowBinding struct {
	*resolver
	call *query.Call
	spec *query.Window
	s    scope
	keys string
	out  *Window
}

// at returns the path of a part of the window: a key of its own, or the expression.
func (b *windowBinding) at(key string) string {
	if b.keys == "" {
		return b.s.path
	}
	return b.keys + "." + key
}

func (b *windowBinding) each(key string, i int) string {
	if b.keys == "" {
		return b.s.path
	}
	return b.at(key) + "[" + itoa(i) + "]"
}

func (b *windowBinding) parts() (err error) {
	b.out.Args = make([]Expr, len(b.call.Args))
	for i, a := range b.call.Args {
		if b.out.Args[i], err = b.part(a, b.s.path); err != nil {
			return err
		}
	}
	b.out.PartitionBy = make([]Expr, len(b.spec.PartitionBy))
	for i, p := range b.spec.PartitionBy {
		if b.out.PartitionBy[i], err = b.part(p, b.each("partitionBy", i)); err != nil {
			return err
		}
	}
	for i, o := range b.spec.OrderBy {
		e, err := b.part(o.Expr, b.each("windowOrderBy", i))
		if err != nil {
			return err
		}
		b.out.OrderBy = append(b.out.OrderBy, Order{Expr: e, Desc: o.Desc, NullsFirst: o.Nulls == query.NullsFirst})
	}
	return nil
}

func (b *windowBinding) part(e query.Expr, path string) (Expr, error) {
	s := b.s
	s.path = path
	x, err := b.expr(e, s)
	if err == nil && x.Level() == WindowLevel {
		return nil, misplacedWindow(e.String(), path)
	}
	return x, err
}

// frame refuses a frame that has no one meaning. A frame of rows needs an order, which is made total; one of a range
// with an offset counts along one number.
func (b *windowBinding) frame() error {
	w := b.out
	if w.Frame == nil {
		return nil
	}
	if w.Frame.Unit == query.Rows {
		if len(w.OrderBy) == 0 && !wholePartition(w.Frame) {
			return b.orderRequired()
		}
		w.Total = len(w.OrderBy) > 0
		return nil
	}
	if !hasOffset(w.Frame) {
		return nil
	}
	if len(w.OrderBy) != 1 || !w.OrderBy[0].Expr.Type().Numeric() {
		return b.badFrame()
	}
	w.counted = true
	return nil
}

func (b *windowBinding) badFrame() error {
	return badFrame(b.call.Func, b.out.Frame.String(), b.at("windowFrame"))
}

func (b *windowBinding) orderRequired() error {
	return windowOrderRequired(b.call.Func, b.keys == "", b.s.path)
}

func wholePartition(f *query.Frame) bool {
	return f.From.Kind == query.UnboundedPreceding && f.To.Kind == query.UnboundedFollowing
}

func hasOffset(f *query.Frame) bool {
	offset := func(b query.Bound) bool { return b.Kind == query.Preceding || b.Kind == query.Following }
	return offset(f.From) || offset(f.To)
}

// ranked finishes a function that is no aggregate.
func (b *windowBinding) ranked(shape windowShape) (Expr, error) {
	w := b.out
	if n := len(w.Args); n < shape.min || n > shape.max {
		return nil, wrongArguments(b.call.String(), b.call.Func, counted(shape.min, shape.max), n, b.s.path)
	}
	if shape.ordered && len(w.OrderBy) == 0 {
		return nil, b.orderRequired()
	}
	if err := b.offset(); err != nil {
		return nil, err
	}
	if shape.ties {
		if w.counted {
			return nil, b.badFrame()
		}
		w.Total = true
	}
	if len(w.Args) == 3 {
		t, err := commonType("the arguments of "+b.call.Func, []operand{b.arg(0), b.arg(2)}, b.s.path)
		if err != nil {
			return nil, err
		}
		w.Args[0], w.Args[2] = as(w.Args[0], t), as(w.Args[2], t)
	}
	w.T = shape.result(w.Args)
	return w, nil
}

func (b *windowBinding) arg(i int) operand { return operand{b.out.Args[i], b.call.Args[i].String()} }

// maxOffset is how far lag and lead look, and how many buckets ntile makes, at most.
const maxOffset = 1_000_000

// offset refuses an offset of lag and lead, or a count of ntile, that is no small constant.
func (b *windowBinding) offset() error {
	at, of := 1, "rows"
	switch b.out.Fn {
	case Ntile:
		at, of = 0, "buckets"
	case Lag, Lead:
	default:
		return nil
	}
	if len(b.out.Args) <= at {
		return nil
	}
	l, ok := b.out.Args[at].(Literal)
	n, err := strconv.Atoi(l.V.Text)
	if !ok || l.T.Kind != value.Integer || err != nil || n < 1 || n > maxOffset {
		return badOffset(b.call.Func, of, b.call.Args[at].String(), b.s.path)
	}
	return nil
}

// aggregate finishes an aggregate over a window, formed from exact parts.
func (b *windowBinding) aggregate() (Expr, error) {
	w, fn := b.out, semantic.Agg(b.call.Func)
	if (b.call.Star || len(w.Args) == 0) && fn == semantic.Count {
		w.T = integer
		return w, nil
	}
	if len(w.Args) != 1 {
		return nil, wrongArguments(b.call.String(), b.call.Func, counted(1, 1), len(w.Args), b.s.path)
	}
	part := func(fn semantic.Agg, t value.Type) *Window {
		p := *w
		p.Fn, p.T = WindowFn(fn), t
		return &p
	}
	t := w.Args[0].Type()
	extreme := fn == semantic.Min || fn == semantic.Max
	switch {
	case fn == semantic.Count:
		return part(fn, integer), nil
	case extreme && t.Kind != value.Boolean && t.Kind != value.Null:
		return part(fn, t), nil
	case extreme || !t.Numeric():
		return nil, wrongOperand(b.call.Func, b.arg(0), wantedBy(fn), b.s.path)
	}
	t.Wide = true
	if fn == semantic.Sum || t.Kind == value.Float {
		return part(fn, t), nil
	}
	return Ratio(part(semantic.Sum, t), part(semantic.Count, integer), semantic.RatioType(t)), nil
}
