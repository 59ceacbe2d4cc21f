package query

import (
	"strconv"
	"strings"
)

// String returns the name, in backquotes where it would read as a keyword.
func (r *Ref) String() string {
	if isReserved(r.Name) {
		return text(r)
	}
	return r.Name
}

// String returns the constant as the expression language writes it.
func (l *Literal) String() string { return text(l) }

// String returns the call with its window.
func (c *Call) String() string { return text(c) }

// String returns the operation.
func (u *Unary) String() string { return text(u) }

// String returns the operation, in parentheses no more than needed.
func (b *Binary) String() string { return text(b) }

// String returns the test.
func (i *In) String() string { return text(i) }

// String returns the test.
func (b *Between) String() string { return text(b) }

// String returns the test.
func (i *IsNull) String() string { return text(i) }

// String returns the test.
func (l *Like) String() string { return text(l) }

// String returns the expression with its branches.
func (c *Case) String() string { return text(c) }

func text(e Expr) string {
	var p printer
	p.expr(e, orLevel)
	return p.String()
}

// printer writes trees as text that parses back to them.
type printer struct{ strings.Builder }

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

// expr writes an operand of an operator that needs it to bind at least as tightly as min.
func (p *printer) expr(e Expr, min level) {
	if levelOf(e) < min {
		p.put("(")
		p.bare(e)
		p.put(")")
		return
	}
	p.bare(e)
}

func (p *printer) bare(e Expr) {
	switch e := e.(type) {
	case *Ref:
		p.ref(e.Name)
	case *Literal:
		p.put(e.Kind.quote(e.Text))
	case *Call:
		p.call(e)
	case *Unary:
		p.unary(e)
	case *Binary:
		at := e.Op.level()
		left := at
		if at == compareLevel {
			left = at + 1
		}
		p.expr(e.X, left)
		p.put(" ", e.Op.String(), " ")
		p.expr(e.Y, at+1)
	case *In:
		p.test(e.X, e.Not, "in (")
		p.list(e.List)
		p.put(")")
	case *Between:
		p.test(e.X, e.Not, "between ")
		p.expr(e.From, addLevel)
		p.put(" and ")
		p.expr(e.To, addLevel)
	case *IsNull:
		p.expr(e.X, addLevel)
		p.put(map[bool]string{false: " is null", true: " is not null"}[e.Not])
	case *Like:
		p.test(e.X, e.Not, "like ")
		p.expr(e.Text, addLevel)
	case *Case:
		p.cases(e)
	}
}

// test writes the left side and the word of a test.
func (p *printer) test(x Expr, not bool, word string) {
	p.expr(x, addLevel)
	p.put(" ")
	if not {
		p.put("not ")
	}
	p.put(word)
}

func (p *printer) ref(name string) {
	if isReserved(name) {
		p.put("`", name, "`")
		return
	}
	p.put(name)
}

func (p *printer) unary(u *Unary) {
	if u.Op == Not {
		p.put("not ")
		p.expr(u.X, notLevel)
		return
	}
	p.put("-")
	if inner, ok := u.X.(*Unary); ok && inner.Op == Neg {
		p.put(" ") // --x would read as a comment to people
	}
	p.expr(u.X, prefixLevel)
}

func (p *printer) call(c *Call) {
	p.put(c.Func, "(")
	if c.Star {
		p.put("*")
	}
	p.list(c.Args)
	p.put(")")
	if c.Over != nil {
		p.put(" over (")
		p.window(c.Over)
		p.put(")")
	}
}

func (p *printer) list(list []Expr) {
	for i, e := range list {
		if i > 0 {
			p.put(", ")
		}
		p.expr(e, orLevel)
	}
}

func (p *printer) cases(c *Case) {
	p.put("case")
	for _, w := range c.Whens {
		p.put(" when ")
		p.expr(w.Cond, orLevel)
		p.put(" then ")
		p.expr(w.Then, orLevel)
	}
	if c.Else != nil {
		p.put(" else ")
		p.expr(c.Else, orLevel)
	}
	p.put(" end")
}

func (p *printer) window(w *Window) {
	var clauses []string
	if len(w.PartitionBy) > 0 {
		var by printer
		by.list(w.PartitionBy)
		clauses = append(clauses, "partition by "+by.String())
	}
	if len(w.OrderBy) > 0 {
		orders := make([]string, len(w.OrderBy))
		for i, o := range w.OrderBy {
			orders[i] = o.String()
		}
		clauses = append(clauses, "order by "+strings.Join(orders, ", "))
	}
	if w.Frame != nil {
		clauses = append(clauses, w.Frame.String())
	}
	p.put(strings.Join(clauses, " "))
}

func levelOf(e Expr) level {
	switch e := e.(type) {
	case *Unary:
		if e.Op == Not {
			return notLevel
		}
		return prefixLevel
	case *Binary:
		return e.Op.level()
	case *In, *Between, *IsNull, *Like:
		return compareLevel
	case *Ref, *Literal, *Call, *Case:
	}
	return atomLevel
}

// String returns the operator's symbol or word.
func (op BinaryOp) String() string {
	return [...]string{"or", "and", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}[op]
}

// quote writes a constant of the kind.
func (k LiteralKind) quote(text string) string {
	switch k {
	case NullLiteral:
		return "null"
	case StringLiteral:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case BoolLiteral, NumberLiteral:
	}
	return text
}

// String returns the column as an entry of columns, which parses back to it.
func (c Column) String() string {
	text := c.Text
	if text == "" && c.Expr != nil {
		text = c.Expr.String()
	}
	if c.Alias == "" {
		return text
	}
	return text + " as " + c.Alias
}

// String returns the order in words, which parse back to it.
func (o Order) String() string {
	text := o.Expr.String()
	if strings.HasPrefix(text, "-") {
		text = "(" + text + ")"
	}
	if o.Desc {
		text += " desc"
	}
	switch o.Nulls {
	case NullsFirst:
		text += " nulls first"
	case NullsLast:
		text += " nulls last"
	case NullsDefault:
	}
	return text
}

// String returns the frame in words, which parse back to it.
func (f *Frame) String() string {
	unit := "rows"
	if f.Unit == Range {
		unit = "range"
	}
	return unit + " between " + f.From.String() + " and " + f.To.String()
}

// String returns the bound in words.
func (b Bound) String() string {
	switch b.Kind {
	case UnboundedPreceding:
		return "unbounded preceding"
	case Preceding:
		return strconv.FormatInt(b.Offset, 10) + " preceding"
	case Following:
		return strconv.FormatInt(b.Offset, 10) + " following"
	case UnboundedFollowing:
		return "unbounded following"
	case CurrentRow:
	}
	return "current row"
}
