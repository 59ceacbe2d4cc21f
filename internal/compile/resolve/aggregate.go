package resolve

import (
	"slices"

	"parlance/internal/compute"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// The two middle values of a group, whose mean is its median.
const (
	MedianLow  = compute.MedianLow
	MedianHigh = compute.MedianHigh
)

// aggregated returns fn over arg, formed from exact parts (decision 55). A nil arg counts rows.
func aggregated(fn semantic.Agg, arg Expr, semi *Semi, of *semantic.Model) (Expr, bool) {
	agg := func(fn semantic.Agg, arg Expr, t value.Type) *Agg {
		if semi != nil && semi.Use == semantic.UseAvg {
			t = semantic.RatioType(t)
		}
		return &Agg{Fn: fn, Arg: arg, Semi: semi, Of: of, T: t}
	}
	if arg == nil {
		return agg(semantic.Count, nil, integer), fn == semantic.Count
	}
	t := arg.Type()
	switch fn {
	case semantic.Count, semantic.CountDistinct:
		return agg(fn, arg, integer), true
	case semantic.Min, semantic.Max:
		return agg(fn, arg, t), t.Kind != value.Boolean && t.Kind != value.Null
	case semantic.GroupConcat:
		return agg(fn, op(ToText, text, arg), text), true
	case semantic.Sum:
		t.Wide = true
		return agg(fn, arg, t), t.Numeric()
	case semantic.Avg:
		if t.Kind == value.Float {
			return agg(fn, arg, float), true
		}
		t.Wide = true
		return Ratio(agg(semantic.Sum, arg, t), agg(semantic.Count, arg, integer), semantic.RatioType(t)), t.Numeric()
	case semantic.Median:
		if t.Kind == value.Float {
			return agg(fn, arg, float), true
		}
		if !t.Numeric() {
			return nil, false
		}
		sum := arithmetic(Add, agg(MedianLow, arg, t), agg(MedianHigh, arg, t))
		two := Literal{V: value.Of(value.Integer, "2"), T: integer}
		return Ratio(sum, two, semantic.RatioType(t)), true
	case semantic.StddevPop, semantic.StddevSamp, semantic.VarPop, semantic.VarSamp:
		return agg(fn, op(Float, float, arg), float), t.Numeric()
	}
	return nil, false
}

// Ratio is x / y, exact to the digits of t.
func Ratio(x, y Expr, t value.Type) Expr {
	q := op(Div, t, widened(x), widened(y))
	q.fraction = &fraction{num: x, den: []Expr{y}}
	return q
}

// rowValue returns what the caller is shown of a measure in one row.
func (r *resolver) rowValue(m *semantic.Measure) (Expr, error) {
	e, err := r.ownRowValue(m)
	if err == nil && r.masks(m) {
		e = nothingOf(e)
	}
	return e, err
}

// ownRowValue returns what a measure is worth in one row: its column where its filter holds, 1 or 0 for a count, the
// row's own ratio for an expression.
func (r *resolver) ownRowValue(m *semantic.Measure) (Expr, error) {
	switch {
	case m.Agg == "":
		e, err := r.definition(m.Expression, rowMeasures)
		if err != nil {
			return nil, err
		}
		return styled(e, m.Type.Style), nil
	case m.Column == "":
		return r.onlyWhere(m, one, zero)
	}
	stored := Field{r.model.Field(m.Name)}
	if m.Agg == semantic.Count || m.Agg == semantic.CountDistinct {
		counted := op(Case, integer, op(IsNull, boolean, stored), zero, one)
		return r.onlyWhere(m, counted, zero)
	}
	return r.onlyWhere(m, stored, Literal{T: m.Type})
}

var (
	one  = Literal{V: value.Of(value.Integer, "1"), T: integer}
	zero = Literal{V: value.Of(value.Integer, "0"), T: integer}
)

// onlyWhere returns x where the measure's filter holds and otherwise elsewhere.
func (r *resolver) onlyWhere(m *semantic.Measure, x, otherwise Expr) (Expr, error) {
	if m.Filter == nil {
		return x, nil
	}
	cond, err := r.definition(m.Filter, rowMeasures)
	if err != nil {
		return nil, err
	}
	return op(Case, x.Type(), cond, x, otherwise), nil
}

// measureValue returns what the caller is shown of a measure, aggregated as the model says, or by fn where the caller
// overrides it.
func (r *resolver) measureValue(m *semantic.Measure, fn semantic.Agg) (Expr, error) {
	e, err := r.ownMeasure(m, fn)
	if err == nil && r.masks(m) {
		e = &Agg{Fn: semantic.Max, Arg: Literal{T: e.Type()}, Of: ofFact(m), T: e.Type()}
	}
	return e, err
}

// ownMeasure returns a measure aggregated as the model says, or by fn.
func (r *resolver) ownMeasure(m *semantic.Measure, fn semantic.Agg) (Expr, error) {
	if m.Of != nil {
		return r.of(m.Of.Fact).ownMeasure(m.Of.Measure, fn)
	}
	if m.Agg == "" {
		if err := r.unconditional(m); err != nil {
			return nil, err
		}
		e, err := r.definition(m.Expression, groupMeasures)
		if err != nil {
			return nil, err
		}
		return styled(e, m.Type.Style), nil
	}
	if fn == "" {
		fn = m.Agg
	}
	var arg Expr
	var err error
	switch {
	case m.Column != "":
		arg, err = r.onlyWhere(m, Field{r.model.Field(m.Name)}, Literal{T: m.Type})
	case m.Filter != nil:
		arg, err = r.onlyWhere(m, one, Literal{T: integer})
	}
	if err != nil {
		return nil, err
	}
	semi, err := r.semi(m, fn)
	if err != nil {
		return nil, err
	}
	if err := r.unlisted(fn, m.Name, ""); err != nil {
		return nil, err
	}
	e, ok := aggregated(fn, arg, semi, r.fact)
	if !ok {
		return nil, wrongAggregate(string(fn), m.Name, m.Type)
	}
	return r.largeEnough(m, semi, e)
}

// semi returns which rows a semi-additive measure counts. A caller's own choice of another function counts all rows.
func (r *resolver) semi(m *semantic.Measure, fn semantic.Agg) (*Semi, error) {
	if m.SemiAdd == nil || fn != m.Agg {
		return nil, nil
	}
	s := &Semi{Over: r.plain(m.SemiAdd.Over), Use: m.SemiAdd.Use}
	if !s.AtEnd() && (r.fact != nil || !slices.Contains(seriesAggs, fn)) {
		return nil, r.unsupportedAdditivity(m)
	}
	for _, name := range m.SemiAdd.Per {
		s.Per = append(s.Per, r.plain(name))
	}
	return s, nil
}

// seriesAggs are the aggregates that can be taken of each point in time and then along it.
var seriesAggs = []semantic.Agg{semantic.Sum, semantic.Count, semantic.CountDistinct, semantic.Min, semantic.Max}

// plain returns the row value of an attribute, or of a dimension's id, that the model's own definitions name.
func (r *resolver) plain(name string) Expr {
	if f := r.model.Field(name); f != nil {
		return Field{f}
	}
	return Field{r.model.Field(name + "$id")}
}

// styled returns a number that people read in a style.
func styled(e Expr, s value.Style) Expr {
	if s == value.Plain {
		return e
	}
	switch x := e.(type) {
	case *Op:
		changed := *x
		changed.T.Style = s
		return &changed
	case *Agg:
		changed := *x
		changed.T.Style = s
		return &changed
	}
	return e
}
