package evaluate

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// measure binds the aggregate of a measure: its own aggregation, or the query's override.
func (b *binder) measure(m *semantic.Measure) (*node, error) {
	agg, overridden := b.overrides[m]
	if b.blank(m) {
		n, err := b.trusting().measure(m)
		if err != nil {
			return nil, err
		}
		return null(n.typ, perGroup), nil
	}
	if err := b.refusesMeasure(m); err != nil {
		return nil, err
	}
	if m.Of != nil {
		own := &binder{model: m.Of.Fact, today: b.today, data: b.data, overrides: map[*semantic.Measure]semantic.Agg{}, sight: b.sight, trusted: true}
		if overridden {
			own.overrides[m.Of.Measure] = agg
		}
		return own.measure(m.Of.Measure)
	}
	if m.Expression != nil {
		if overridden {
			return nil, refuse("aggregate_of_aggregate", "%s", m.Name)
		}
		return b.trusting().expr(m.Expression, mode{aggregated: true})
	}
	if !overridden {
		agg = m.Agg
	}
	return b.aggregateMeasure(m, agg)
}

// aggregateMeasure binds a function over a measure's rows. Only its own aggregation is semi-additive: another one does
// not add up.
func (b *binder) aggregateMeasure(m *semantic.Measure, agg semantic.Agg) (*node, error) {
	arg, err := b.rawMeasure(m)
	if err != nil {
		return nil, err
	}
	var semi *semantic.SemiAdditive
	if agg == m.Agg {
		semi = m.SemiAdd
	}
	if semi != nil && m.Filter != nil {
		return nil, unclear("%s is filtered and semi-additive", m.Name)
	}
	n, err := b.aggregate(b.model, agg, arg, semi)
	if err != nil {
		return nil, err
	}
	return b.withheld(m, semi, n)
}

// rawMeasure binds the value that a measure has in a row: its column where its filter holds. A count's is 1.
func (b *binder) rawMeasure(m *semantic.Measure) (*node, error) {
	if m.Of != nil {
		own := &binder{model: m.Of.Fact, today: b.today, data: b.data, sight: b.sight, trusted: true}
		return own.rawMeasure(m.Of.Measure)
	}
	filter := literal(boolean, Flag(true))
	if m.Filter != nil {
		var err error
		if filter, err = b.trusting().expr(m.Filter, mode{within: true}); err != nil {
			return nil, err
		}
	}
	typ := m.Type
	if m.Column == "" {
		typ = integer
	}
	return &node{typ: typ, level: perRow, eval: func(s *scope) (Value, error) {
		ok, err := filter.holds(s)
		switch {
		case err != nil || !ok:
			return Value{}, err
		case m.Column == "":
			return Int(1), nil
		}
		return s.row.own[m.Column], nil
	}}, nil
}

// aggregateCall binds an aggregate function of the query.
func (b *binder) aggregateCall(c *query.Call, m mode) (*node, error) {
	switch {
	case m.within:
		return nil, refuse("aggregate_of_aggregate", "%s", c)
	case c.Star && b.model.Multi != nil:
		return nil, refuse("not_shared", "count(*) of several facts")
	case c.Star:
		return b.aggregate(b.model, semantic.Count, literal(integer, Int(1)), nil)
	case len(c.Args) != 1:
		return nil, refuse("bad_arguments", "%s", c)
	}
	agg := semantic.Agg(c.Func)
	if measure := b.measureOf(c.Args[0]); measure != nil {
		if err := b.sees(b.model.Field(c.Args[0].(*query.Ref).Name)); err != nil {
			return nil, err
		}
		if b.blank(measure) {
			n, err := b.trusting().aggregateCall(c, m)
			if err != nil {
				return nil, err
			}
			return null(n.typ, perGroup), nil
		}
		own := b
		if measure.Of != nil {
			own = &binder{model: measure.Of.Fact, today: b.today, data: b.data, sight: b.sight, trusted: true}
			measure = measure.Of.Measure
		}
		if !measure.AggregateOnly() {
			return own.aggregateMeasure(measure, agg)
		}
		if agg == semantic.Sum && measure.Agg == semantic.Count || agg == measure.Agg && measure.Column != "" && measure.Agg == semantic.CountDistinct {
			return own.aggregateMeasure(measure, measure.Agg)
		}
		return nil, refuse("aggregate_of_aggregate", "%s", c)
	}
	if b.model.Multi != nil {
		return nil, unclear("%s of several facts", c)
	}
	m.within = true
	arg, err := b.expr(c.Args[0], m)
	if err == nil {
		err = b.plainly(c.Args[0])
	}
	if err != nil {
		return nil, err
	}
	return b.aggregate(b.model, agg, arg, nil)
}

// measureOf returns the measure that an expression names, or nil.
func (b *binder) measureOf(e query.Expr) *semantic.Measure {
	if ref, ok := e.(*query.Ref); ok {
		if f := b.model.Field(ref.Name); f != nil {
			return f.Measure
		}
	}
	return nil
}

// aggregateType returns the type of an aggregate over values of a type, or says that it has none.
func aggregateType(agg semantic.Agg, t value.Type) (value.Type, error) {
	switch agg {
	case semantic.Count, semantic.CountDistinct:
		return integer, nil
	case semantic.GroupConcat:
		return text, nil
	case semantic.Min, semantic.Max:
		if t.Kind == value.Boolean {
			return t, refuse("bad_type", "%s of a boolean", agg)
		}
		return t, nil
	default:
	}
	if !t.Numeric() && t.Kind != value.Null {
		return t, refuse("bad_type", "%s of %s", agg, t.Name())
	}
	switch agg {
	case semantic.Sum:
		return t, nil
	case semantic.Avg, semantic.Median:
		return value.Type{Kind: value.Decimal, Scale: max(t.Scale, value.MinRatioScale)}, nil
	case semantic.StddevPop, semantic.StddevSamp, semantic.VarPop, semantic.VarSamp:
		return value.Type{Kind: value.Float}, nil
	default:
		return t, refuse("unknown_function", "%s", agg)
	}
}
