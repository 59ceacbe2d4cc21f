package resolve

import (
	"parlance/internal/fault"
	"parlance/internal/value"
)

// kindSet is what an argument may be.
type kindSet uint8

const (
	anyKind kindSet = iota
	numberKind
	textKind
	dateKind
)

// signature is one scalar function of the expression language.
type signature struct {
	fn   Fn
	args []kindSet // of the required arguments
	more int       // how many further arguments of the last kind may follow; -1: any number
	// result types the call; nil means the type of the first argument.
	result func(args []Expr) value.Type
}

func fixed(t value.Type) func([]Expr) value.Type { return func([]Expr) value.Type { return t } }

func wholeNumber(args []Expr) value.Type {
	if args[0].Type().Kind == value.Float {
		return float
	}
	return integer
}

var small = value.Type{Kind: value.Integer}

var functions = map[string]signature{
	"abs":   {fn: Abs, args: []kindSet{numberKind}},
	"floor": {fn: Floor, args: []kindSet{numberKind}, result: wholeNumber},
	"ceil":  {fn: Ceil, args: []kindSet{numberKind}, result: wholeNumber},
	"power": {fn: Power, args: []kindSet{numberKind, numberKind}, result: fixed(float)},
	"sqrt":  {fn: Sqrt, args: []kindSet{numberKind}, result: fixed(float)},
	"exp":   {fn: Exp, args: []kindSet{numberKind}, result: fixed(float)},
	"log10": {fn: Log10, args: []kindSet{numberKind}, result: fixed(float)},
	"sign":  {fn: Sign, args: []kindSet{numberKind}, result: fixed(small)},
	"trunc": {fn: Trunc, args: []kindSet{numberKind}, result: wholeNumber},
	"ln":    {fn: Ln, args: []kindSet{numberKind}, result: fixed(float)},

	"lower":     {fn: Lower, args: []kindSet{textKind}, result: fixed(text)},
	"upper":     {fn: Upper, args: []kindSet{textKind}, result: fixed(text)},
	"trim":      {fn: Trim, args: []kindSet{textKind}, result: fixed(text)},
	"ltrim":     {fn: LTrim, args: []kindSet{textKind}, result: fixed(text)},
	"rtrim":     {fn: RTrim, args: []kindSet{textKind}, result: fixed(text)},
	"length":    {fn: Length, args: []kindSet{textKind}, result: fixed(small)},
	"concat":    {fn: Concat, args: []kindSet{anyKind}, more: -1, result: fixed(text)},
	"substring": {fn: Substring, args: []kindSet{textKind, numberKind}, more: 1, result: fixed(text)},
	"left":      {fn: Left, args: []kindSet{textKind, numberKind}, result: fixed(text)},
	"right":     {fn: Right, args: []kindSet{textKind, numberKind}, result: fixed(text)},
	"replace":   {fn: Replace, args: []kindSet{textKind, textKind, textKind}, result: fixed(text)},

	"position": {fn: Position, args: []kindSet{textKind, textKind}, result: fixed(small)},
	"reverse":  {fn: Reverse, args: []kindSet{textKind}, result: fixed(text)},
	"lpad":     {fn: PadLeft, args: []kindSet{textKind, numberKind, textKind}, result: fixed(text)},
	"rpad":     {fn: PadRight, args: []kindSet{textKind, numberKind, textKind}, result: fixed(text)},

	"year":        {fn: YearOf, args: []kindSet{dateKind}, result: fixed(small)},
	"quarter":     {fn: QuarterOf, args: []kindSet{dateKind}, result: fixed(small)},
	"month":       {fn: MonthOf, args: []kindSet{dateKind}, result: fixed(small)},
	"week":        {fn: WeekOf, args: []kindSet{dateKind}, result: fixed(small)},
	"day":         {fn: DayOf, args: []kindSet{dateKind}, result: fixed(small)},
	"hour":        {fn: HourOf, args: []kindSet{dateKind}, result: fixed(small)},
	"day_of_week": {fn: DayOfWeekOf, args: []kindSet{dateKind}, result: fixed(small)},
	"date":        {fn: ToDate, args: []kindSet{dateKind}, result: fixed(value.Type{Kind: value.Date})},
}

// shaped are the functions whose arguments share a type or have a meaning of their own.
var shaped = map[string]func(name string, args []Expr, path string) (Expr, error){
	"if": ifThenElse, "coalesce": sameType(Coalesce), "greatest": sameType(Greatest), "least": sameType(Least),
	"nullif": nullIf, "round": round, "mod": modulo, "date_add": shift, "date_sub": shift, "date_trunc": truncate,
	"date_diff": distance, "datediff": distance,
}

// functionNames are the scalar functions, for error messages.
func functionNames() []string {
	var names []string
	for n := range functions {
		names = append(names, n)
	}
	for n := range shaped {
		names = append(names, n)
	}
	return names
}

func function(name string, args []Expr, path string) (Expr, error) {
	if build, ok := shaped[name]; ok {
		return build(name, args, path)
	}
	sig, ok := functions[name]
	if !ok {
		return nil, unknownFunction(name, path)
	}
	if len(args) < len(sig.args) || sig.more >= 0 && len(args) > len(sig.args)+sig.more {
		return nil, wrongArguments(name, argumentsOf(sig), len(args), path)
	}
	for i := range args {
		kind := sig.args[min(i, len(sig.args)-1)]
		if err := checkKind(name, args[i], kind, path); err != nil {
			return nil, err
		}
		args[i] = asKind(args[i], kind)
	}
	t := args[0].Type()
	if sig.result != nil {
		t = sig.result(args)
	}
	if t.Kind == value.Float {
		for i := range args {
			args[i] = op(Float, float, args[i])
		}
	}
	return op(sig.fn, t, args...), nil
}

func checkKind(name string, arg Expr, kind kindSet, path string) error {
	t := arg.Type()
	if t.Kind == value.Null {
		return nil
	}
	switch kind {
	case numberKind:
		if !t.Numeric() {
			return wrongOperand(name, arg, "a number", path)
		}
	case textKind:
		if t.Kind != value.String {
			return wrongOperand(name, arg, "a text", path)
		}
	case dateKind:
		if !t.Temporal() {
			return wrongOperand(name, arg, "a date", path)
		}
	case anyKind:
	}
	return nil
}

func asKind(arg Expr, kind kindSet) Expr {
	switch {
	case arg.Type().Kind != value.Null:
		if kind == anyKind && arg.Type().Kind != value.String {
			return op(ToText, text, arg)
		}
		return arg
	case kind == numberKind:
		return Literal{T: integer}
	case kind == dateKind:
		return Literal{T: value.Type{Kind: value.Date}}
	}
	return Literal{T: text}
}

func ifThenElse(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 3 && len(args) != 2 {
		return nil, wrongArguments(name, "a condition and two values", len(args), path)
	}
	if args[0].Type().Kind != value.Boolean {
		return nil, wrongOperand(name, args[0], "a condition", path)
	}
	if len(args) == 2 {
		args = append(args, Literal{})
	}
	return branches(args, path)
}

func sameType(fn Fn) func(string, []Expr, string) (Expr, error) {
	return func(name string, args []Expr, path string) (Expr, error) {
		if len(args) < 2 {
			return nil, wrongArguments(name, "at least two values", len(args), path)
		}
		t, err := commonType("the arguments of "+name, args, path)
		if err != nil {
			return nil, err
		}
		for i := range args {
			args[i] = as(args[i], t)
		}
		return op(fn, t, args...), nil
	}
}

func nullIf(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongArguments(name, "two values", len(args), path)
	}
	t, err := commonType("the arguments of "+name, args, path)
	if err != nil {
		return nil, err
	}
	return op(NullIf, t, as(args[0], t), as(args[1], t)), nil
}

// round is half away from zero to a constant number of digits.
func round(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 1 && len(args) != 2 {
		return nil, wrongArguments(name, "a number and the digits to keep", len(args), path)
	}
	if err := checkKind(name, args[0], numberKind, path); err != nil {
		return nil, err
	}
	digits := 0
	if len(args) == 2 {
		l, ok := args[1].(Literal)
		n, small := smallInt(l.V.Text)
		if !ok || l.T.Kind != value.Integer || !small || n < 0 || n > maxScale {
			return nil, fault.Invalidf("bad_argument", path, "round needs a constant number of digits from 0 to %d", maxScale)
		}
		digits = n
	}
	t := args[0].Type()
	lit, _ := number(itoa(digits))
	switch {
	case t.Kind == value.Float:
		return op(Round, float, args[0], lit), nil
	case int(t.Scale) <= digits:
		return args[0], nil
	}
	t.Scale = uint8(digits)
	if digits == 0 {
		t.Kind, t.Style = value.Integer, value.Plain
	}
	return op(Round, t, widened(args[0]), lit), nil
}
