package evaluate

import (
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"parlance/internal/query"
	"parlance/internal/value"
)

// function binds a function of a row or of a group.
func (b *binder) function(c *query.Call, m mode) (*node, error) {
	args, err := b.exprs(m, c.Args...)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, refuse("bad_arguments", "%s", c)
	}
	switch {
	case c.Func == "if" && (len(args) == 2 || len(args) == 3):
		if len(args) == 2 {
			args = append(args, literal(value.Type{}, Value{}))
		}
		return choose([]*node{args[0]}, []*node{args[1]}, args[2])
	case c.Func == "coalesce" && len(args) > 0:
		return first(args)
	case c.Func == "nullif" && len(args) == 2:
		equal, err := b.comparison(query.Equal, args[0], args[1])
		if err != nil {
			return nil, err
		}
		return choose([]*node{equal}, []*node{literal(value.Type{}, Value{})}, args[0])
	case c.Func == "concat" && len(args) > 0:
		return concat(args), nil
	case c.Func == "abs" && len(args) == 1 && args[0].typ.Exact():
		return mapped(args[0].typ, args[0], func(v Value) Value { return number(v.Kind, new(big.Rat).Abs(v.Num)) }), nil
	case c.Func == "round" && args[0].typ.Exact():
		return rounded(args)
	case c.Func == "trunc" && len(args) == 1 && args[0].typ.Exact():
		return mapped(integer, args[0], func(v Value) Value {
			return number(value.Integer, new(big.Rat).SetInt(new(big.Int).Quo(v.Num.Num(), v.Num.Denom())))
		}), nil
	case c.Func == "sign" && len(args) == 1 && args[0].typ.Exact():
		return mapped(integer, args[0], func(v Value) Value { return Int(int64(v.Num.Sign())) }), nil
	case c.Func == "mod" && len(args) == 2 && args[0].typ.Exact() && args[1].typ.Exact():
		return computed(query.Mod, args[0], args[1]), nil
	case c.Func == "floor" && len(args) == 1 && args[0].typ.Exact():
		return mapped(integer, args[0], func(v Value) Value { return number(value.Integer, floor(v.Num)) }), nil
	case c.Func == "ceil" && len(args) == 1 && args[0].typ.Exact():
		return mapped(integer, args[0], func(v Value) Value {
			r := floor(new(big.Rat).Neg(v.Num))
			return number(value.Integer, r.Neg(r))
		}), nil
	case len(args) == 1 && args[0].typ.Kind == value.String:
		return textFunction(c.Func, args[0])
	}
	return nil, unclear("%s", c)
}

func textFunction(name string, x *node) (*node, error) {
	switch name {
	case "upper":
		return mapped(text, x, func(v Value) Value { return Str(strings.ToUpper(v.Text)) }), nil
	case "lower":
		return mapped(text, x, func(v Value) Value { return Str(strings.ToLower(v.Text)) }), nil
	case "trim":
		return mapped(text, x, func(v Value) Value { return Str(strings.Trim(v.Text, " ")) }), nil
	case "reverse":
		return mapped(text, x, func(v Value) Value {
			runes := []rune(v.Text)
			slices.Reverse(runes)
			return Str(string(runes))
		}), nil
	case "length":
		return mapped(integer, x, func(v Value) Value { return Int(int64(utf8.RuneCountInString(v.Text))) }), nil
	}
	return nil, unclear("%s of a text", name)
}

// rounded rounds to a constant number of digits, none when it is not given, halves away from zero.
func rounded(args []*node) (*node, error) {
	digits := 0
	if len(args) == 2 && args[1].level == constant {
		v, _ := args[1].eval(nil)
		digits = int(v.Num.Num().Int64())
	}
	if len(args) > 2 || digits < 0 || len(args) == 2 && args[1].level != constant {
		return nil, unclear("round to a computed number of digits")
	}
	t := args[0].typ
	t.Scale = min(t.Scale, uint8(digits))
	return mapped(t, args[0], func(v Value) Value { return number(t.Kind, round(v.Num, digits)) }), nil
}

// mapped returns a function of one value that is null for null.
func mapped(t value.Type, x *node, f func(Value) Value) *node {
	return join(t, func(s *scope) (Value, error) {
		v, err := x.eval(s)
		if err != nil || v.IsNull() {
			return Value{}, err
		}
		return f(v), nil
	}, x)
}

func floor(r *big.Rat) *big.Rat {
	q, rest := new(big.Int).QuoRem(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return new(big.Rat).SetInt(q)
}

func (b *binder) caseOf(e *query.Case, m mode) (*node, error) {
	var conds, thens []*node
	for _, w := range e.Whens {
		pair, err := b.exprs(m, w.Cond, w.Then)
		if err != nil {
			return nil, err
		}
		conds, thens = append(conds, pair[0]), append(thens, pair[1])
	}
	otherwise := literal(value.Type{}, Value{})
	if e.Else != nil {
		var err error
		if otherwise, err = b.expr(e.Else, m); err != nil {
			return nil, err
		}
	}
	return choose(conds, thens, otherwise)
}

// choose returns the value beside the first condition that is true; an unknown one is not.
func choose(conds, thens []*node, otherwise *node) (*node, error) {
	all := append(append([]*node{}, conds...), append(thens, otherwise)...)
	for _, c := range conds {
		if c.typ.Kind != value.Boolean {
			return nil, refuse("bad_type", "a condition of type %s", c.typ.Name())
		}
	}
	typ, err := common(append(append([]*node{}, thens...), otherwise))
	if err != nil {
		return nil, err
	}
	return join(typ, func(s *scope) (Value, error) {
		for i, c := range conds {
			ok, err := c.holds(s)
			if err != nil {
				return Value{}, err
			}
			if ok {
				return thens[i].eval(s)
			}
		}
		return otherwise.eval(s)
	}, all...), nil
}

// first returns the first value that is not null.
func first(args []*node) (*node, error) {
	typ, err := common(args)
	if err != nil {
		return nil, err
	}
	return join(typ, func(s *scope) (Value, error) {
		for _, a := range args {
			if v, err := a.eval(s); err != nil || !v.IsNull() {
				return v, err
			}
		}
		return Value{}, nil
	}, args...), nil
}

// concat joins texts; nulls are skipped (decision 56).
func concat(args []*node) *node {
	return join(text, func(s *scope) (Value, error) {
		var b strings.Builder
		for _, a := range args {
			v, err := a.eval(s)
			if err != nil {
				return Value{}, err
			}
			if !v.IsNull() {
				b.WriteString(plainText(v))
			}
		}
		return Str(b.String()), nil
	}, args...)
}

// common returns the type that holds the values of all nodes.
func common(nodes []*node) (value.Type, error) {
	var t value.Type
	for _, n := range nodes {
		switch {
		case n.typ.Kind == value.Null:
		case t.Kind == value.Null:
			t = n.typ
		case t.Numeric() && n.typ.Numeric():
			scale := max(t.Scale, n.typ.Scale)
			t.Kind, t.Scale = max(t.Kind, n.typ.Kind), scale
		case t.Kind != n.typ.Kind:
			return t, refuse("bad_type", "%s beside %s", t.Name(), n.typ.Name())
		}
	}
	return t, nil
}
