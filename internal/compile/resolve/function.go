package resolve

import (
	"strconv"

	"parlance/internal/value"
)

// kindSet is what an argument may be.
type kindSet uint8

const (
	anyKind kindSet = iota
	numberKind
	wholeKind // counts characters
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

// call is a function with its arguments bound.
type call struct {
	name string
	text string // the whole call, as written
	args []operand
	path string
	wall func(Expr) Expr // an instant as the model's wall time; anything else as it is
}

// takes checks the number of arguments; what says which they are, where that is not plain.
func (c *call) takes(low, high int, what string) error {
	if n := len(c.args); n >= low && (high < 0 || n <= high) {
		return nil
	}
	want := counted(low, high)
	if what != "" {
		want += " (" + what + ")"
	}
	return wrongArguments(c.text, c.name, want, len(c.args), c.path)
}

// is checks the kind of an argument; a null is of every kind.
func (c *call) is(arg operand, kind kindSet) error {
	t := arg.Type()
	if t.Kind == value.Null {
		return nil
	}
	switch kind {
	case numberKind:
		if !t.Numeric() {
			return wrongOperand(c.name, arg, "a number", c.path)
		}
	case wholeKind:
		if t.Kind != value.Integer {
			return wrongOperand(c.name, arg, "a whole number", c.path)
		}
	case textKind:
		if t.Kind != value.String {
			return wrongOperand(c.name, arg, "a text", c.path)
		}
	case dateKind:
		if !t.Temporal() {
			return wrongOperand(c.name, arg, "a date", c.path)
		}
	case anyKind:
	}
	return nil
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
	"substring": {fn: Substring, args: []kindSet{textKind, wholeKind}, more: 1, result: fixed(text)},
	"left":      {fn: Left, args: []kindSet{textKind, wholeKind}, result: fixed(text)},
	"right":     {fn: Right, args: []kindSet{textKind, wholeKind}, result: fixed(text)},
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
var shaped = map[string]func(*call) (Expr, error){
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

func (c *call) function() (Expr, error) {
	if build, ok := shaped[c.name]; ok {
		return build(c)
	}
	sig, ok := functions[c.name]
	if !ok {
		return nil, unknownFunction(c.name, c.path)
	}
	most := -1
	if sig.more >= 0 {
		most = len(sig.args) + sig.more
	}
	if err := c.takes(len(sig.args), most, ""); err != nil {
		return nil, err
	}
	args := make([]Expr, len(c.args))
	for i, arg := range c.args {
		kind := sig.args[min(i, len(sig.args)-1)]
		if err := c.is(arg, kind); err != nil {
			return nil, err
		}
		args[i] = asKind(c.wall(arg.x), kind)
	}
	if sig.fn == PadLeft || sig.fn == PadRight {
		if err := c.bounded(c.args[1]); err != nil {
			return nil, err
		}
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
	x := op(sig.fn, t, args...)
	if sig.fn == Replace && width(x) > maxWidth {
		return nil, tooLong(c.text, c.path)
	}
	return x, nil
}

// maxPadding bounds the length of a padded text: a longer one could hold a database for as long as it likes.
const maxPadding = 1000

func (c *call) bounded(length operand) error {
	l, ok := length.x.(Literal)
	n, err := strconv.Atoi(l.V.Text)
	if !ok || l.T.Kind != value.Integer || err != nil || n < 0 || n > maxPadding {
		return badLength(c.name, length, c.path)
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

func ifThenElse(c *call) (Expr, error) {
	if err := c.takes(2, 3, "a condition and one or two values"); err != nil {
		return nil, err
	}
	if c.args[0].Type().Kind != value.Boolean {
		return nil, wrongOperand(c.name, c.args[0], "a condition", c.path)
	}
	values := c.args[1:]
	if len(values) == 1 {
		values = append(values, operand{Literal{}, "null"})
	}
	return branches(c.args[:1], values, c.path)
}

func sameType(fn Fn) func(*call) (Expr, error) {
	return func(c *call) (Expr, error) {
		if err := c.takes(2, -1, ""); err != nil {
			return nil, err
		}
		return c.ofOneType(fn)
	}
}

func nullIf(c *call) (Expr, error) {
	if err := c.takes(2, 2, ""); err != nil {
		return nil, err
	}
	return c.ofOneType(NullIf)
}

// ofOneType is fn over the arguments, brought to the one type that they must have.
func (c *call) ofOneType(fn Fn) (Expr, error) {
	t, err := commonType("the arguments of "+c.name, c.args, c.path)
	if err != nil {
		return nil, err
	}
	args := make([]Expr, len(c.args))
	for i, arg := range c.args {
		args[i] = as(arg.x, t)
	}
	return op(fn, t, args...), nil
}

// round is half away from zero to a constant number of digits.
func round(c *call) (Expr, error) {
	if err := c.takes(1, 2, "a number and the digits to keep"); err != nil {
		return nil, err
	}
	if err := c.is(c.args[0], numberKind); err != nil {
		return nil, err
	}
	digits := 0
	if len(c.args) == 2 {
		l, ok := c.args[1].x.(Literal)
		n, small := smallInt(l.V.Text)
		if !ok || l.T.Kind != value.Integer || !small || n < 0 || n > maxScale {
			return nil, badDigits(c.args[1].text, c.path)
		}
		digits = n
	}
	x := c.args[0].x
	t := x.Type()
	lit, _ := number(itoa(digits))
	switch {
	case t.Kind == value.Float:
		return op(Round, float, x, lit), nil
	case int(t.Scale) <= digits:
		return x, nil
	}
	t.Scale = uint8(digits)
	if digits == 0 {
		t.Kind, t.Style = value.Integer, value.Plain
	}
	return op(Round, t, widened(x), lit), nil
}
