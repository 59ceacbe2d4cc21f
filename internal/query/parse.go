package query

import "strings"

// ParseExpr reads one expression. Keywords and functions are in any case, names are case-sensitive.
func ParseExpr(text string) (Expr, error) {
	p, err := newParser("The expression", text)
	if err != nil {
		return nil, err
	}
	e := p.expr(orLevel)
	if err := p.finish(); err != nil {
		return nil, err
	}
	return e, nil
}

// ParseField reads what a filter or an order is over: a name, also one that is a keyword, or an expression that is
// more than a constant.
func ParseField(text string) (Expr, error) {
	if name := strings.TrimSpace(text); isName(name) && len(name) <= maxText {
		return &Ref{Name: name}, nil
	}
	e, err := ParseExpr(text)
	if _, constant := e.(*Literal); constant {
		return nil, notAField(text)
	}
	return e, err
}

// ParseColumn reads one entry of columns: an expression, and after the word as its alias.
func ParseColumn(text string) (Column, error) {
	text = strings.TrimSpace(text)
	if isName(text) && len(text) <= maxText && !isReserved(text) { // as most are
		return Column{Expr: &Ref{Name: text}, Text: text}, nil
	}
	p, err := newParser("The column", text)
	if err != nil {
		return Column{}, err
	}
	c := Column{Expr: p.expr(orLevel), Text: text}
	if p.at("as") {
		c.Text = strings.TrimSpace(text[:p.tok.pos])
		c.Alias = strings.TrimSpace(text[p.tok.end:])
		if err := CheckAlias(c.Alias); err != nil {
			return Column{}, err
		}
		return c, nil
	}
	if p.tok.kind == wordToken {
		p.fail(missingAs(text, p.tok))
	}
	if err := p.finish(); err != nil {
		return Column{}, err
	}
	return c, nil
}

// NewColumn makes a column as if its expression had been written canonically.
func NewColumn(e Expr, alias string) Column { return Column{Expr: e, Alias: alias, Text: e.String()} }

// ParseOrder reads one entry of orderBy in words: f, f desc, -f, f asc nulls first.
func ParseOrder(text string) (Order, error) {
	p, err := newParser("The order", text)
	if err != nil {
		return Order{}, err
	}
	o := p.order()
	if err := p.finish(); err != nil {
		return Order{}, err
	}
	if _, constant := o.Expr.(*Literal); constant {
		return Order{}, notAField(text)
	}
	return o, nil
}

// ParseFrame reads a window frame: rows between 6 preceding and current row.
func ParseFrame(text string) (*Frame, error) {
	p, err := newParser("The window frame", text)
	if err != nil {
		return nil, err
	}
	f := p.frame()
	if err := p.finish(); err != nil {
		return nil, err
	}
	return f, nil
}

// The bounds of one expression. Nesting is decision 67's; the others keep what the databases are handed within what
// every one of them can parse, also where case x when … repeats x.
const (
	maxNesting   = 32
	maxOperators = 256
	maxNodes     = 4096
)

// parser reads tokens one ahead. After the first error it sees nothing but the end, so every loop stops.
type parser struct {
	lex    lexer
	tok    token
	err    error
	nested int
	size   size
}

// size counts what a tree is made of.
type size struct{ operators, nodes int }

func newParser(what, text string) (*parser, error) {
	if err := checkText(what, text); err != nil {
		return nil, err
	}
	p := &parser{lex: lexer{text: text}, nested: 1}
	p.advance()
	return p, p.err
}

func (p *parser) advance() {
	if p.err != nil {
		return
	}
	t, err := p.lex.next()
	if err != nil {
		p.fail(err)
		return
	}
	p.tok = t
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = token{pos: len(p.lex.text), end: len(p.lex.text)}
}

// finish returns the first error; what is left over is one.
func (p *parser) finish() error {
	if p.err == nil && p.tok.kind != endToken {
		p.fail(unexpectedToken(p.lex.text, p.tok, ""))
	}
	return p.err
}

// at reports whether the next token is a keyword or a symbol.
func (p *parser) at(word string) bool { return p.tok.word == word }

func (p *parser) take(word string) bool {
	if !p.at(word) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) expect(word string) {
	if !p.take(word) {
		p.fail(unexpectedToken(p.lex.text, p.tok, word))
	}
}

// inner reads an expression one level further in.
func (p *parser) inner(min level) Expr {
	p.nested++
	defer func() { p.nested-- }()
	if p.nested > maxNesting {
		p.fail(tooDeep(p.lex.text, p.tok.pos))
		return nil
	}
	return p.expr(min)
}

// charge adds to the tree's size and refuses what becomes too large.
func (p *parser) charge(s size) {
	p.size.operators += s.operators
	p.size.nodes += s.nodes
	if p.err == nil && (p.size.operators > maxOperators || p.size.nodes > maxNodes) {
		p.fail(tooComplex(p.lex.text, p.tok.pos))
	}
}

// list reads expressions up to the closing parenthesis and takes it.
func (p *parser) list() []Expr {
	var list []Expr
	if p.take(")") {
		return nil
	}
	for {
		list = append(list, p.inner(orLevel))
		if !p.take(",") {
			break
		}
	}
	p.expect(")")
	return list
}
