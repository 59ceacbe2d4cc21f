package resolve

import (
	"strconv"
	"strings"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/value"
)

// typed reads a JSON scalar as a value of a type (decision 44); null and temporal types are read elsewhere.
func typed(s query.Scalar, t value.Type, path string) (Literal, error) {
	switch t.Kind {
	case value.String:
		if s.Kind == query.StringLiteral || s.Kind == query.NumberLiteral && isWhole(s.Text) {
			return Text(s.Text), nil
		}
	case value.Integer, value.Decimal:
		if isNumber(s) {
			n, ok := number(s.Text)
			if !ok {
				return n, tooManyDigits(s.Text, path)
			}
			return n, nil
		}
	case value.Float:
		if isNumber(s) {
			f, err := strconv.ParseFloat(s.Text, 64)
			if err != nil {
				return Literal{}, beyondFloat(s, path)
			}
			return Literal{V: value.Of(value.Float, strconv.FormatFloat(f, 'g', -1, 64)), T: float}, nil
		}
	case value.Boolean:
		if s.Kind == query.BoolLiteral || s.Kind == query.StringLiteral && (s.Text == "true" || s.Text == "false") {
			return Literal{V: value.Of(value.Boolean, s.Text), T: boolean}, nil
		}
	case value.Null:
		return Text(s.Text), nil
	case value.Date, value.Timestamp:
	}
	return Literal{}, badValue(s, t, path)
}

func isWhole(s string) bool { return !strings.ContainsAny(s, ".eE") }

// isNumber reports whether a scalar is a JSON number, or a string that is one.
func isNumber(s query.Scalar) bool {
	if s.Kind == query.NumberLiteral {
		return true
	}
	if s.Kind != query.StringLiteral || s.Text == "" {
		return false
	}
	digits := strings.TrimPrefix(s.Text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" ||
		strings.Count(digits, ".") == 1 && strings.Trim(digits, "0123456789.") == "" && digits[0] != '.' && digits[len(digits)-1] != '.'
}

// never and always are the constant conditions.
var (
	never  = Literal{V: value.Of(value.Boolean, "false"), T: boolean}
	always = Literal{V: value.Of(value.Boolean, "true"), T: boolean}
)

// compareScalar compares a value with a JSON scalar by Equal, NotEqual, StrictEqual, Greater… LessEqual.
func (r *resolver) compareScalar(x Expr, o query.Op, s query.Scalar, path string) (Expr, error) {
	switch o {
	case query.NotEqual:
		e, err := r.compareScalar(x, query.Equal, s, path)
		if err != nil {
			return nil, err
		}
		return complement(e), nil
	case query.StrictEqual:
		if s.Kind == query.NullLiteral {
			return never, nil
		}
		o = query.Equal
	}
	if s.Kind == query.NullLiteral {
		if o == query.Equal {
			return op(IsNull, boolean, x), nil
		}
		return never, nil
	}
	if x.Type().Temporal() {
		return r.comparePeriod(x, o, s, path)
	}
	l, err := typed(s, x.Type(), path)
	if err != nil {
		return nil, err
	}
	return op(opFns[o], boolean, x, l), nil
}

var opFns = map[query.Op]Fn{
	query.Equal: Eq, query.Greater: Gt, query.GreaterEqual: Ge, query.Less: Lt, query.LessEqual: Le,
	query.Contains: Contains, query.StartsWith: StartsWith, query.EndsWith: EndsWith,
}

// periodOf reads a scalar as a period of a temporal value.
func (r *resolver) periodOf(x Expr, s query.Scalar, path string) (period, error) {
	if s.Kind != query.StringLiteral && !(s.Kind == query.NumberLiteral && yearText.MatchString(s.Text)) {
		return period{}, badValue(s, x.Type(), path)
	}
	p, ok := r.today.parsePeriod(s.Text)
	if !ok {
		return p, badValue(s, x.Type(), path)
	}
	if x.Type().Kind == value.Date && p.point {
		if !midnight(p.from) {
			return p, timeOnDate(s, path)
		}
		p = span(p.from, 0, 0, 1)
	}
	if p.from.Nanosecond()%1000 != 0 {
		return p, tooFine(s, path)
	}
	return p, nil
}

func (r *resolver) comparePeriod(x Expr, o query.Op, s query.Scalar, path string) (Expr, error) {
	p, err := r.periodOf(x, s, path)
	if err != nil {
		return nil, err
	}
	if p.point {
		return op(opFns[o], boolean, x, r.today.pointOf(p, x.Type())), nil
	}
	from, to := r.today.literal(p.from, x.Type()), r.today.literal(p.to, x.Type())
	since := func(l Literal) (Expr, error) {
		r.resolved(x, l.V.Text, "")
		return op(Ge, boolean, x, l), nil
	}
	until := func(l Literal) (Expr, error) {
		r.resolved(x, "", l.V.Text)
		return op(Lt, boolean, x, l), nil
	}
	switch o {
	case query.Greater:
		return since(to)
	case query.GreaterEqual:
		return since(from)
	case query.Less:
		return until(from)
	case query.LessEqual:
		return until(to)
	}
	r.resolved(x, from.V.Text, to.V.Text)
	if x.Type().Kind == value.Date && p.to.Equal(p.from.AddDate(0, 0, 1)) {
		return op(Eq, boolean, x, from), nil
	}
	return op(And, boolean, op(Ge, boolean, x, from), op(Lt, boolean, x, to)), nil
}

// resolved notes a period for the reply's applied; of a field that the caller does not see, as a definition of the model
// may name it, there is nothing to tell.
func (r *resolver) resolved(x Expr, from, to string) {
	if f, ok := x.(Field); ok && r.grant.Field(f.Field) == access.Visible {
		r.ranges = append(r.ranges, Range{Field: f.Name, From: from, To: to})
	}
}

// membership is x in list; null in the list means is null, an empty list matches nothing (decision 41). The path of a
// value is what pathOf returns for its index.
func (r *resolver) membership(x Expr, list query.List, pathOf func(int) string) (Expr, error) {
	args := []Expr{x}
	var parts []Expr
	for i, s := range list {
		switch {
		case s.Kind == query.NullLiteral:
			parts = append(parts, op(IsNull, boolean, x))
		case x.Type().Temporal():
			e, err := r.comparePeriod(x, query.Equal, s, pathOf(i))
			if err != nil {
				return nil, err
			}
			parts = append(parts, e)
		default:
			l, err := typed(s, x.Type(), pathOf(i))
			if err != nil {
				return nil, err
			}
			args = append(args, l)
		}
	}
	if len(args) > 1 {
		parts = append([]Expr{op(In, boolean, args...)}, parts...)
	}
	switch len(parts) {
	case 0:
		return never, nil
	case 1:
		return parts[0], nil
	}
	return op(Or, boolean, parts...), nil
}

// interval is x between two bounds, each included or not; a null bound is open.
func (r *resolver) interval(x Expr, o query.Op, list query.List, path string) (Expr, error) {
	withFrom := o == query.ClosedInterval || o == query.RightOpenInterval
	withTo := o == query.ClosedInterval || o == query.LeftOpenInterval
	lower, upper := query.Greater, query.Less
	if withFrom {
		lower = query.GreaterEqual
	}
	if withTo {
		upper = query.LessEqual
	}
	var parts []Expr
	before := len(r.ranges)
	for i, bound := range []query.Op{lower, upper} {
		if list[i].Kind == query.NullLiteral {
			continue
		}
		e, err := r.compareScalar(x, bound, list[i], path+"["+itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
	r.ranges = r.ranges[:before]
	r.noteInterval(x, parts)
	switch len(parts) {
	case 0:
		return complement(op(IsNull, boolean, x)), nil
	case 1:
		return parts[0], nil
	}
	return op(And, boolean, parts...), nil
}

// noteInterval records the bounds of a date interval as they were resolved.
func (r *resolver) noteInterval(x Expr, parts []Expr) {
	if !x.Type().Temporal() {
		return
	}
	var from, to string
	for _, p := range parts {
		o := p.(*Op)
		bound := o.Args[1].(Literal).V.Text
		if o.Fn == Ge || o.Fn == Gt {
			from = bound
		} else {
			to = bound
		}
	}
	r.resolved(x, from, to)
}
