package resolve

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// call binds a function call: an aggregate, or a function of the list.
func (r *resolver) call(c *query.Call, s scope) (Expr, error) {
	if c.Over != nil {
		return r.windowCall(c, c.Over, s, "")
	}
	for _, agg := range semantic.Aggs {
		if c.Func == string(agg) {
			return r.aggregate(c, agg, s)
		}
	}
	bound := &call{name: c.Func, text: c.String(), args: make([]operand, len(c.Args)), path: s.path, wall: r.local}
	for i, a := range c.Args {
		arg, err := r.operand(a, s)
		if err != nil {
			return nil, err
		}
		if c.Func != "if" || i > 0 {
			arg.x = settled(arg.x)
		}
		bound.args[i] = arg
	}
	return bound.function()
}

func (r *resolver) aggregate(c *query.Call, fn semantic.Agg, s scope) (Expr, error) {
	if s.mode == rowMeasures {
		return r.aggregateOfRow(c, fn, s)
	}
	if s.inAgg {
		return nil, nestedAggregate(c.String(), s.path)
	}
	if c.Star || len(c.Args) == 0 {
		return r.countRows(c, fn, s)
	}
	if len(c.Args) != 1 {
		return nil, wrongArguments(c.String(), c.Func, counted(1, 1), len(c.Args), s.path)
	}
	if name, ok := isRef(c.Args[0]); ok {
		if m, err := r.bareMeasure(name, s); m != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return r.measureAs(m, fn, s)
		}
	}
	if r.model.Multi != nil {
		return nil, notInMultiFact(c.String(), r.model, s.path)
	}
	if err := r.plainOnly(c.Args[0], s); err != nil {
		return nil, err
	}
	inner := s
	inner.inAgg = true
	arg, err := r.expr(c.Args[0], inner)
	if err != nil {
		return nil, err
	}
	if arg.Level() > RowLevel {
		return nil, nestedAggregate(c.Args[0].String(), s.path)
	}
	if err := r.addedUp(fn, arg, s.path); err != nil {
		return nil, err
	}
	if err := r.unlisted(fn, c.Args[0].String(), s.path); err != nil {
		return nil, err
	}
	if fn == semantic.GroupConcat {
		arg = r.local(arg)
	}
	e, ok := aggregated(fn, settled(arg), nil, r.fact)
	if !ok {
		return nil, wrongOperand(c.Func, operand{arg, c.Args[0].String()}, wantedBy(fn), s.path)
	}
	return e, nil
}

// addedUp refuses a sum over an expression of a measure that must not be added up along a time: which rows count is
// known of the measure alone.
func (r *resolver) addedUp(fn semantic.Agg, arg Expr, path string) (err error) {
	if fn != semantic.Sum {
		return nil
	}
	Visit(arg, func(x Expr) bool {
		if f, ok := x.(Field); ok && f.Measure != nil && f.Measure.SemiAdd != nil && err == nil {
			err = r.notAddedUp(f.Measure, path)
		}
		return true
	})
	return err
}

// aggregateOfRow is an aggregate over a single row, which a model's ratio has in a detail row.
func (r *resolver) aggregateOfRow(c *query.Call, fn semantic.Agg, s scope) (Expr, error) {
	if c.Star || len(c.Args) == 0 {
		return one, nil
	}
	arg, err := r.expr(c.Args[0], s)
	if err != nil {
		return nil, err
	}
	switch fn {
	case semantic.Count, semantic.CountDistinct:
		return op(Case, integer, op(IsNull, boolean, arg), zero, one), nil
	case semantic.StddevPop, semantic.VarPop:
		return op(Mul, float, op(Float, float, arg), op(Float, float, zero)), nil
	case semantic.StddevSamp, semantic.VarSamp:
		return Literal{T: float}, nil
	case semantic.GroupConcat:
		return op(ToText, text, arg), nil
	case semantic.Sum, semantic.Avg, semantic.Min, semantic.Max, semantic.Median:
	}
	return arg, nil
}

func (r *resolver) countRows(c *query.Call, fn semantic.Agg, s scope) (Expr, error) {
	if fn != semantic.Count {
		return nil, wrongArguments(c.String(), c.Func, counted(1, 1), 0, s.path)
	}
	if r.model.Multi != nil {
		return nil, notInMultiFact(c.String(), r.model, s.path)
	}
	e, _ := aggregated(fn, nil, nil, r.fact)
	return e, nil
}

// bareMeasure returns the measure that a name stands for, or nil when it stands for something else.
func (r *resolver) bareMeasure(name string, s scope) (*semantic.Measure, error) {
	f := r.lookup(name)
	if s.trusted {
		f = r.model.Field(name)
	}
	if f == nil || f.Measure == nil {
		return nil, nil
	}
	if s.trusted {
		return f.Measure, nil
	}
	if _, err := r.field(name, s.path); err != nil {
		return nil, err
	}
	return f.Measure, nil
}

// measureAs returns fn over a measure's rows. Of a measure that only exists aggregated, only its own function makes
// sense, and means the measure itself.
func (r *resolver) measureAs(m *semantic.Measure, fn semantic.Agg, s scope) (Expr, error) {
	own := m
	if m.Of != nil {
		own = m.Of.Measure
	}
	if own.Agg == "" || own.AggregateOnly() && fn != own.Agg && !(own.Agg == semantic.Count && fn == semantic.Sum) {
		return nil, nestedAggregate(m.Name, s.path)
	}
	if own.AggregateOnly() {
		fn = own.Agg
	}
	value := r.measureValue
	if s.trusted {
		value = r.ownMeasure
	}
	e, err := value(m, fn)
	return e, at(err, s.path)
}
