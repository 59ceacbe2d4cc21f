package sqlgen

import (
	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// MaxText bounds the text of a statement: an expression that grows past it is refused, not sent.
const MaxText = 512 << 10

// Generate prints a plan's statement for a database.
func Generate(s *plan.Select, d dialect.Dialect) (Statement, error) {
	p := printer{w: dialect.NewWriter(d), d: d}
	p.sel(s)
	if p.w.Len() > MaxText {
		return Statement{}, tooComplex()
	}
	sql, args := p.w.Statement()
	return Statement{SQL: sql, Args: args}, nil
}

func tooComplex() error {
	e := fault.Invalidf("too_complex", "", "the query needs more than %d KB of SQL", MaxText>>10)
	e.Hint = "divide less often within one expression, or use fewer calculated fields"
	return e
}

type printer struct {
	w *dialect.Writer
	d dialect.Dialect
}

func (p *printer) sel(s *plan.Select) {
	p.w.Text("SELECT ")
	if s.Distinct {
		p.w.Text("DISTINCT ")
	}
	for i, c := range s.Columns {
		p.comma(i)
		p.expr(c.Expr)
		p.w.Text(" AS ", c.Name)
	}
	p.w.Text(" FROM ")
	p.source(s.From)
	for _, j := range s.Joins {
		p.join(j)
	}
	if s.Where != nil {
		p.w.Text(" WHERE ")
		p.expr(s.Where)
	}
	for i, g := range s.GroupBy {
		if i == 0 {
			p.w.Text(" GROUP BY ")
		}
		p.comma(i)
		p.expr(g)
	}
	for i, o := range s.OrderBy {
		if i == 0 {
			p.w.Text(" ORDER BY ")
		}
		p.comma(i)
		p.d.Order(p.w, p.arg(o.Expr), o.Desc, o.NullsFirst)
	}
	if s.Limit != nil {
		p.d.Page(p.w, s.Limit.Start, s.Limit.Rows)
	}
}

func (p *printer) comma(i int) {
	if i > 0 {
		p.w.Text(", ")
	}
}

func (p *printer) source(s plan.Source) {
	switch x := s.(type) {
	case plan.Table:
		p.table(x)
	case plan.Tree:
		p.closure(x.Dimension)
		p.w.Text(" AS ", x.Alias)
	case plan.Values:
		p.d.Rows(p.w, x.Alias, x.Columns, len(x.Rows), func(row, column int) { p.expr(x.Rows[row][column]) })
	case plan.Derived:
		p.w.Text("(")
		p.sel(x.Select)
		p.w.Text(") AS ", x.Alias)
	case plan.Union:
		p.w.Text("(")
		for i, sel := range x.Selects {
			if i > 0 {
				p.w.Text(" UNION ALL ")
			}
			p.sel(sel)
		}
		p.w.Text(") AS ", x.Alias)
	}
}

func (p *printer) table(t plan.Table) {
	p.relation(t.Source)
	p.w.Text(" AS ", t.Alias)
}

func (p *printer) relation(s semantic.Source) {
	if s.SQL != "" {
		p.authored(s.SQL)
		return
	}
	schema := s.Schema
	if schema == "" {
		schema = p.d.Features().Schema
	}
	if schema != "" {
		p.w.Name(schema)
		p.w.Text(".")
	}
	p.w.Name(s.Table)
}

// authored writes a query of the model's author as a source; a dialect may have its own way to read one.
func (p *printer) authored(sql string) {
	if d, ok := p.d.(interface {
		Authored(w *dialect.Writer, sql string)
	}); ok {
		d.Authored(p.w, sql)
		return
	}
	p.w.Text("(", sql, ")")
}

func (p *printer) join(j plan.Join) {
	if j.Required && len(j.On)+len(j.If) == 0 {
		p.w.Text(" CROSS JOIN ")
		p.source(j.To)
		return
	}
	if j.Required {
		p.w.Text(" INNER JOIN ")
	} else {
		p.w.Text(" LEFT JOIN ")
	}
	p.source(j.To)
	p.w.Text(" ON ")
	for i, e := range j.If {
		if i > 0 {
			p.w.Text(" AND ")
		}
		p.expr(e)
	}
	for i, pair := range j.On {
		if i+len(j.If) > 0 {
			p.w.Text(" AND ")
		}
		switch {
		case pair.NullSafe:
			p.d.Same(p.w, p.operand(pair.Left), p.operand(pair.Right))
			continue
		case pair.Computed:
			p.expr(pair.Left)
			p.w.Text(" = ")
			p.expr(pair.Right)
			continue
		}
		p.d.Key(p.w, func() { p.place(pair.Left) }, func() { p.place(pair.Right) }, pair.Type())
	}
}

func (p *printer) operand(e resolve.Expr) dialect.Operand { return func() { p.expr(e) } }

func (p *printer) expr(e resolve.Expr) {
	if p.w.Len() > MaxText {
		return
	}
	switch x := e.(type) {
	case resolve.Column:
		p.column(x)
	case resolve.Literal:
		p.d.Value(p.w, x.V, x.T)
	case *resolve.Op:
		p.op(x)
	case *resolve.Agg:
		p.agg(x)
	case *resolve.Window:
		p.window(x)
	case *resolve.Within:
		p.within(x)
	case resolve.Field, resolve.Stored, resolve.PeriodName:
		panic("sqlgen: a plan holds an unplaced field " + e.String())
	}
}

func (p *printer) column(c resolve.Column) {
	switch {
	case c.Bare:
		p.d.Stored(p.w, func() { p.w.Name(c.Name) }, c.T, c.Native)
	case c.Rel == "":
		p.w.Text(c.Name)
	case c.Stored:
		p.d.Stored(p.w, func() { p.place(c) }, c.T, c.Native)
	default:
		p.place(c)
	}
}

func (p *printer) place(c resolve.Column) {
	p.w.Text(c.Rel, ".")
	p.w.Name(c.Name)
}

func (p *printer) agg(a *resolve.Agg) {
	var arg *dialect.Arg
	if a.Arg != nil {
		own := p.arg(a.Arg)
		arg = &own
	}
	p.d.Aggregate(p.w, a.Fn, arg, a.T, func() {})
}

func (p *printer) op(o *resolve.Op) {
	args := make([]dialect.Arg, len(o.Args))
	for i, a := range o.Args {
		args[i] = p.arg(a)
	}
	p.d.Call(p.w, o.Fn, args, o.T)
}

// arg is an expression as a dialect sees it.
func (p *printer) arg(e resolve.Expr) dialect.Arg {
	a := dialect.Arg{Write: p.operand(e), Type: e.Type()}
	switch x := e.(type) {
	case resolve.Literal:
		a.Const = &x.V
	case resolve.Column:
		a.Stored = x.Stored
	}
	return a
}
