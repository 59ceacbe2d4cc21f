package resolve

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// expr binds and types an expression.
func (r *resolver) expr(e query.Expr, s scope) (Expr, error) {
	switch x := e.(type) {
	case *query.Ref:
		return r.ref(x.Name, s)
	case *query.Literal:
		return r.literal(x, s)
	case *query.Call:
		return r.call(x, s)
	case *query.Unary:
		return r.unary(x, s)
	case *query.Binary:
		return r.binary(x, s)
	case *query.In:
		return r.in(x, s)
	case *query.Between:
		return r.between(x, s)
	case *query.IsNull:
		arg, err := r.expr(x.X, s)
		if err != nil {
			return nil, err
		}
		return complementIf(x.Not, op(IsNull, boolean, arg)), nil
	case *query.Like:
		return r.like(x, s)
	case *query.Case:
		return r.cases(x, s)
	}
	return nil, unsupportedExpression(e.String(), s.path)
}

func (r *resolver) literal(l *query.Literal, s scope) (Expr, error) {
	switch l.Kind {
	case query.NullLiteral:
		return Literal{}, nil
	case query.BoolLiteral:
		return Literal{V: value.Of(value.Boolean, l.Text), T: boolean}, nil
	case query.StringLiteral:
		return Text(l.Text), nil
	case query.NumberLiteral:
	}
	n, ok := number(l.Text)
	if !ok {
		return nil, tooManyDigits(l.Text, s.path)
	}
	return n, nil
}

// Text returns a constant text.
func Text(s string) Literal { return Literal{V: value.Of(value.String, s), T: text} }

func (r *resolver) unary(u *query.Unary, s scope) (Expr, error) {
	x, err := r.expr(u.X, s)
	if err != nil {
		return nil, err
	}
	switch u.Op {
	case query.Not:
		if x.Type().Kind != value.Boolean {
			return nil, wrongOperand("not", x, "a condition", s.path)
		}
		return complement(x), nil
	case query.Neg:
	}
	if l, ok := x.(Literal); ok && l.T.Exact() {
		n, _ := number(negatedText(l.V.Text))
		return n, nil
	}
	if !x.Type().Numeric() {
		return nil, wrongOperand("-", x, "a number", s.path)
	}
	return op(Neg, x.Type(), widened(x)), nil
}

func negatedText(s string) string {
	if s[0] == '-' {
		return s[1:]
	}
	return "-" + s
}

var binaryFns = map[query.BinaryOp]Fn{
	query.Or: Or, query.And: And, query.Eq: Eq, query.Ne: Ne, query.Lt: Lt, query.Le: Le, query.Gt: Gt, query.Ge: Ge,
	query.Add: Add, query.Sub: Sub, query.Mul: Mul, query.Div: Div, query.Mod: Mod,
}

func (r *resolver) binary(b *query.Binary, s scope) (Expr, error) {
	x, err := r.expr(b.X, s)
	if err != nil {
		return nil, err
	}
	y, err := r.expr(b.Y, s)
	if err != nil {
		return nil, err
	}
	fn := binaryFns[b.Op]
	switch fn {
	case And, Or:
		for _, side := range []Expr{x, y} {
			if side.Type().Kind != value.Boolean {
				return nil, wrongOperand(fn.String(), side, "a condition", s.path)
			}
		}
		return op(fn, boolean, x, y), nil
	case Eq, Ne, Lt, Le, Gt, Ge:
		return r.comparison(fn, x, y, s.path)
	default:
		return r.arithmetic(fn, b.String(), x, y, s.path)
	}
}

func (r *resolver) arithmetic(fn Fn, as string, x, y Expr, path string) (Expr, error) {
	for _, side := range []Expr{x, y} {
		if !side.Type().Numeric() && side.Type().Kind != value.Null {
			return nil, wrongOperand(arithmeticSigns[fn], side, "a number", path)
		}
	}
	if x.Type().Kind == value.Null || y.Type().Kind == value.Null {
		return Literal{T: value.Type{Kind: value.Decimal, Scale: value.MinRatioScale}}, nil
	}
	e := arithmetic(fn, x, y)
	if e == nil {
		return nil, tooManyDigits(as, path)
	}
	return e, nil
}

var arithmeticSigns = map[Fn]string{Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%"}

// comparison types x fn y; a string literal beside a date is read as a date. Not equal keeps nulls (decision 41).
func (r *resolver) comparison(fn Fn, x, y Expr, path string) (Expr, error) {
	if l, ok := y.(Literal); ok {
		return r.compareLiteral(fn, x, l, path)
	}
	if l, ok := x.(Literal); ok {
		return r.compareLiteral(mirrored[fn], y, l, path)
	}
	if !comparable(x.Type(), y.Type()) {
		return nil, incomparable(x, y, path)
	}
	x, y = aligned(x, y)
	if fn == Ne {
		return complement(op(Eq, boolean, x, y)), nil
	}
	return op(fn, boolean, x, y), nil
}

var mirrored = map[Fn]Fn{Eq: Eq, Ne: Ne, Lt: Gt, Le: Ge, Gt: Lt, Ge: Le}

var fnOps = map[Fn]query.Op{
	Eq: query.Equal, Ne: query.NotEqual, Lt: query.Less, Le: query.LessEqual, Gt: query.Greater, Ge: query.GreaterEqual,
}

// compareLiteral compares with a constant as a slice would, so that dates, periods and nulls mean the same in both.
func (r *resolver) compareLiteral(fn Fn, x Expr, l Literal, path string) (Expr, error) {
	return r.compareScalar(x, fnOps[fn], scalarOf(l), path)
}

func scalarOf(l Literal) query.Scalar {
	switch l.T.Kind {
	case value.Null:
		return query.Scalar{Kind: query.NullLiteral}
	case value.Boolean:
		return query.Scalar{Kind: query.BoolLiteral, Text: l.V.Text}
	case value.Integer, value.Decimal, value.Float:
		return query.Scalar{Kind: query.NumberLiteral, Text: l.V.Text}
	case value.String, value.Date, value.Timestamp:
	}
	return query.Scalar{Kind: query.StringLiteral, Text: l.V.Text}
}

func comparable(a, b value.Type) bool {
	return a.Kind == b.Kind && a.Zoned == b.Zoned || a.Numeric() && b.Numeric() ||
		a.Kind == value.Date && b.Kind == value.Timestamp && !b.Zoned || b.Kind == value.Date && a.Kind == value.Timestamp && !a.Zoned
}

// aligned makes both sides of a numeric comparison exact in the same way, or both floats.
func aligned(x, y Expr) (Expr, Expr) {
	if x.Type().Kind == value.Float != (y.Type().Kind == value.Float) && x.Type().Numeric() {
		return op(Float, float, x), op(Float, float, y)
	}
	return x, y
}

// settled returns a condition as a value: false, not null, where it compares a null (decision 41).
func settled(e Expr) Expr {
	o, ok := e.(*Op)
	if !ok || o.T.Kind != value.Boolean {
		return e
	}
	switch o.Fn {
	case And, Or, Eq, Lt, Le, Gt, Ge, In, Contains, StartsWith, EndsWith, BitsSet:
		return complement(complement(e))
	}
	return e
}

func complement(e Expr) Expr { return op(Not, boolean, e) }

func complementIf(not bool, e Expr) Expr {
	if not {
		return complement(e)
	}
	return e
}

func (r *resolver) in(x *query.In, s scope) (Expr, error) {
	left, err := r.expr(x.X, s)
	if err != nil {
		return nil, err
	}
	var list query.List
	for _, item := range x.List {
		e, err := r.expr(item, s)
		if err != nil {
			return nil, err
		}
		l, ok := e.(Literal)
		if !ok {
			return nil, notConstant(item.String(), s.path)
		}
		list = append(list, scalarOf(l))
	}
	cond, err := r.membership(left, list, s.path)
	if err != nil {
		return nil, err
	}
	return complementIf(x.Not, cond), nil
}

func (r *resolver) between(x *query.Between, s scope) (Expr, error) {
	from, err := r.binary(&query.Binary{Op: query.Ge, X: x.X, Y: x.From}, s)
	if err != nil {
		return nil, err
	}
	to, err := r.binary(&query.Binary{Op: query.Le, X: x.X, Y: x.To}, s)
	if err != nil {
		return nil, err
	}
	return complementIf(x.Not, op(And, boolean, from, to)), nil
}

func (r *resolver) like(x *query.Like, s scope) (Expr, error) {
	left, err := r.expr(x.X, s)
	if err != nil {
		return nil, err
	}
	pattern, err := r.expr(x.Text, s)
	if err != nil {
		return nil, err
	}
	l, ok := pattern.(Literal)
	if !ok || l.T.Kind != value.String {
		return nil, notConstant(x.Text.String(), s.path)
	}
	if left.Type().Kind != value.String {
		return nil, wrongOperand("like", left, "a text", s.path)
	}
	return complementIf(x.Not, op(Contains, boolean, left, l)), nil
}

func (r *resolver) cases(x *query.Case, s scope) (Expr, error) {
	var args []Expr
	for _, w := range x.Whens {
		cond, err := r.expr(w.Cond, s)
		if err != nil {
			return nil, err
		}
		if cond.Type().Kind != value.Boolean {
			return nil, wrongOperand("when", cond, "a condition", s.path)
		}
		then, err := r.expr(w.Then, s)
		if err != nil {
			return nil, err
		}
		args = append(args, cond, settled(then))
	}
	last := Expr(Literal{})
	if x.Else != nil {
		var err error
		if last, err = r.expr(x.Else, s); err != nil {
			return nil, err
		}
		last = settled(last)
	}
	return branches(append(args, last), s.path)
}

// branches types a Case from its alternating conditions and values, the last argument being the else.
func branches(args []Expr, path string) (Expr, error) {
	var values []Expr
	for i := 1; i < len(args); i += 2 {
		values = append(values, args[i])
	}
	values = append(values, args[len(args)-1])
	t, err := commonType("the branches", values, path)
	if err != nil {
		return nil, err
	}
	for i := range args {
		if i%2 == 1 || i == len(args)-1 {
			args[i] = as(args[i], t)
		}
	}
	return op(Case, t, args...), nil
}

// commonType returns the one type of several values, or an error that names the two that differ.
func commonType(what string, values []Expr, path string) (value.Type, error) {
	var t value.Type
	var first Expr
	for _, v := range values {
		vt := v.Type()
		switch {
		case vt.Kind == value.Null:
		case t.Kind == value.Null:
			t, first = vt, v
		case t.Numeric() && vt.Numeric():
			t = widerNumber(t, vt)
		case t.Kind != vt.Kind || t.Zoned != vt.Zoned:
			return t, differentTypes(what, first, v, path)
		}
	}
	return t, nil
}

func widerNumber(a, b value.Type) value.Type {
	if a.Kind == value.Float || b.Kind == value.Float {
		return float
	}
	if a.Style != b.Style {
		a.Style = value.Plain
	}
	if b.Kind == value.Decimal {
		a.Kind = value.Decimal
	}
	a.Scale, a.Wide = max(a.Scale, b.Scale), a.Wide || b.Wide
	return a
}

// as returns a value in a common type: a bare null takes it, a number is widened to it.
func as(e Expr, t value.Type) Expr {
	switch {
	case e.Type().Kind == value.Null:
		return Literal{T: t}
	case t.Kind == value.Float && e.Type().Kind != value.Float:
		return op(Float, float, e)
	case t.Exact() && (e.Type().Scale != t.Scale || e.Type().Kind != t.Kind):
		return op(Widen, t, e)
	}
	return e
}

// call binds a function call: an aggregate, or a function of the list.
func (r *resolver) call(c *query.Call, s scope) (Expr, error) {
	if c.Over != nil {
		return r.windowCall(c, c.Over, s)
	}
	for _, agg := range semantic.Aggs {
		if c.Func == string(agg) {
			return r.aggregate(c, agg, s)
		}
	}
	args := make([]Expr, len(c.Args))
	for i, a := range c.Args {
		var err error
		if args[i], err = r.expr(a, s); err != nil {
			return nil, err
		}
		if c.Func != "if" || i > 0 {
			args[i] = settled(args[i])
		}
		args[i] = r.local(args[i])
	}
	return function(c.Func, args, s.path)
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
		return nil, wrongArguments(c.Func, "one argument", len(c.Args), s.path)
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
	inner := s
	inner.inAgg = true
	arg, err := r.expr(c.Args[0], inner)
	if err != nil {
		return nil, err
	}
	if arg.Level() > RowLevel {
		return nil, nestedAggregate(c.String(), s.path)
	}
	if fn == semantic.GroupConcat {
		arg = r.local(arg)
	}
	e, ok := aggregated(fn, settled(arg), nil, r.fact)
	if !ok {
		return nil, wrongOperand(c.Func, arg, "a number", s.path)
	}
	return e, nil
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
		return nil, wrongArguments(c.Func, "one argument", 0, s.path)
	}
	if r.model.Multi != nil {
		return nil, notInMultiFact(c.String(), r.model, s.path)
	}
	e, _ := aggregated(fn, nil, nil, r.fact)
	return e, nil
}

// bareMeasure returns the measure that a name stands for, or nil when it stands for something else.
func (r *resolver) bareMeasure(name string, s scope) (*semantic.Measure, error) {
	f := r.model.Field(name)
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
	e, err := r.measureValue(m, fn)
	return e, at(err, s.path)
}
