package query

import "strings"

// level is how tightly an operator binds, loosest first.
type level uint8

const (
	orLevel level = iota
	andLevel
	notLevel
	compareLevel // does not chain: a < b < c is refused
	addLevel
	mulLevel
	prefixLevel
	atomLevel
)

// binaries are the infix operators whose right side is one operand.
var binaries = map[string]BinaryOp{
	"or": Or, "||": Or, "and": And, "&&": And,
	"=": Eq, "==": Eq, "!=": Ne, "<>": Ne, "<": Lt, "<=": Le, ">": Gt, ">=": Ge,
	"+": Add, "-": Sub, "*": Mul, "/": Div, "%": Mod,
}

func (op BinaryOp) level() level {
	switch op {
	case Or:
		return orLevel
	case And:
		return andLevel
	case Eq, Ne, Lt, Le, Gt, Ge:
		return compareLevel
	case Add, Sub:
		return addLevel
	case Mul, Div, Mod:
	}
	return mulLevel
}

// infix returns the level of the operator that the next token begins.
func (p *parser) infix() (level, bool) {
	if op, ok := binaries[p.tok.word]; ok {
		return op.level(), true
	}
	switch p.tok.word {
	case "in", "not", "between", "is", "like":
		return compareLevel, true
	}
	return 0, false
}

// expr reads operands and operators that bind at least as tightly as min.
func (p *parser) expr(min level) Expr {
	left := p.operand(min)
	compared := false
	for p.err == nil {
		at, ok := p.infix()
		if !ok || at < min {
			break
		}
		if at == compareLevel && compared {
			p.fail(chained(p.lex.text, p.tok))
			break
		}
		compared = compared || at == compareLevel
		p.charge(size{operators: 1, nodes: 1})
		if op, ok := binaries[p.tok.word]; ok {
			p.advance()
			left = &Binary{Op: op, X: left, Y: p.expr(at + 1)}
			continue
		}
		left = p.comparison(left)
	}
	return left
}

// comparison reads in, between, is null and like, each perhaps with not, after its left side.
func (p *parser) comparison(x Expr) Expr {
	if p.take("is") {
		not := p.take("not")
		p.expect("null")
		return &IsNull{X: x, Not: not}
	}
	not := p.take("not")
	switch {
	case p.take("in"):
		p.expect("(")
		return &In{X: x, List: p.list(), Not: not}
	case p.take("between"):
		from := p.expr(addLevel)
		p.expect("and")
		return &Between{X: x, From: from, To: p.expr(addLevel), Not: not}
	case p.take("like"):
		return &Like{X: x, Text: p.expr(addLevel), Not: not}
	}
	p.fail(unexpectedToken(p.lex.text, p.tok, "in, between or like"))
	return nil
}

// operand reads a prefix operation or an atom.
func (p *parser) operand(min level) Expr {
	p.charge(size{nodes: 1})
	switch {
	case p.at("-"):
		p.charge(size{operators: 1})
		p.advance()
		return &Unary{Op: Neg, X: p.inner(prefixLevel)}
	case p.at("not"), p.at("!"):
		if min > notLevel {
			p.fail(looseNot(p.lex.text, p.tok))
			return nil
		}
		p.charge(size{operators: 1})
		p.advance()
		return &Unary{Op: Not, X: p.inner(notLevel)}
	case p.take("("):
		e := p.inner(orLevel)
		p.expect(")")
		return e
	}
	return p.atom()
}

func (p *parser) atom() Expr {
	t := p.tok
	switch {
	case t.kind == numberToken:
		p.advance()
		return &Literal{Kind: NumberLiteral, Text: t.text}
	case t.kind == stringToken:
		p.advance()
		return &Literal{Kind: StringLiteral, Text: t.text}
	case t.kind == quotedToken:
		p.advance()
		return &Ref{Name: t.text}
	case p.take("null"):
		return &Literal{Kind: NullLiteral}
	case p.take("true"), p.take("false"):
		return &Literal{Kind: BoolLiteral, Text: t.word}
	case p.take("case"):
		return p.caseOf()
	case t.kind == wordToken && !reserved[t.word]:
		p.advance()
		if p.at("(") {
			return p.call(t)
		}
		return &Ref{Name: t.text}
	}
	p.fail(unexpectedToken(p.lex.text, t, "an expression"))
	return nil
}

// call reads the arguments of a function, and its window.
func (p *parser) call(name token) Expr {
	if strings.ContainsAny(name.text, "$.") {
		p.fail(notAFunction(p.lex.text, name))
		return nil
	}
	p.advance()
	c := &Call{Func: CanonicalFunction(name.text)}
	switch {
	case c.Func == "count" && p.take("*"):
		p.expect(")")
		c.Star = true
	case c.Func == "count" && p.take("distinct"):
		c.Func = "count_distinct"
		c.Args = p.list()
		if c.Args == nil {
			p.fail(unexpectedToken(p.lex.text, p.tok, "an expression"))
		}
	default:
		c.Args = p.list()
	}
	if p.take("over") {
		p.expect("(")
		c.Over = p.window()
		p.expect(")")
	}
	return c
}

// caseOf reads what follows the word case. The form case x when v becomes case when x = v, its size counted as
// written out.
func (p *parser) caseOf() Expr {
	var subject Expr
	var repeat size
	if !p.at("when") {
		before := p.size
		subject = p.subject()
		repeat = size{p.size.operators - before.operators, p.size.nodes - before.nodes}
	}
	c := &Case{}
	for p.take("when") {
		var w When
		if subject == nil {
			w.Cond = p.inner(orLevel)
		} else {
			p.charge(size{operators: 1, nodes: 1})
			if len(c.Whens) > 0 {
				p.charge(repeat)
			}
			w.Cond = &Binary{Op: Eq, X: subject, Y: p.subject()}
		}
		p.expect("then")
		w.Then = p.inner(orLevel)
		c.Whens = append(c.Whens, w)
	}
	if len(c.Whens) == 0 {
		p.expect("when")
	}
	if p.take("else") {
		c.Else = p.inner(orLevel)
	}
	p.expect("end")
	return c
}

// subject reads one side of the equality that a case x when v stands for: it nests as if in parentheses.
func (p *parser) subject() Expr {
	p.nested++
	defer func() { p.nested-- }()
	return p.inner(orLevel)
}
