package sqlgen

import (
	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// MaxText bounds the text of a statement: an expression that grows past it is refused, not sent.
const MaxText = 512 << 10

// Generate prints a plan's statement for a database.
func Generate(s *plan.Select, d dialect.Dialect) (Statement, error) {
	p := printer{w: dialect.NewWriter(d), d: d}
	p.sel(s)
	if p.w.Len() > MaxText {
		return Statement{}, fault.Invalidf("too_complex", "", "the query is too complex to run")
	}
	sql, args := p.w.Statement()
	return Statement{SQL: sql, Args: args}, nil
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
		p.d.Order(p.w, p.operand(o.Expr), o.Desc, o.NullsFirst)
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
		p.w.Text("(", s.SQL, ")")
		return
	}
	if s.Schema != "" {
		p.w.Name(s.Schema)
		p.w.Text(".")
	}
	p.w.Name(s.Table)
}

func (p *printer) join(j plan.Join) {
	if j.Required {
		p.w.Text(" INNER JOIN ")
	} else {
		p.w.Text(" LEFT JOIN ")
	}
	p.source(j.To)
	p.w.Text(" ON ")
	if len(j.On)+len(j.If) == 0 {
		p.w.Text("TRUE")
	}
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
		if pair.NullSafe {
			p.d.Same(p.w, p.operand(pair.Left), p.operand(pair.Right))
			continue
		}
		p.expr(pair.Left)
		p.w.Text(" = ")
		p.expr(pair.Right)
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
	if c.Rel == "" {
		p.w.Text(c.Name)
		return
	}
	p.w.Text(c.Rel, ".")
	p.w.Name(c.Name)
}

func (p *printer) agg(a *resolve.Agg) {
	switch {
	case a.Arg == nil:
		p.w.Text("COUNT(*)")
		return
	case a.Fn == "sum":
		p.d.Sum(p.w, p.operand(a.Arg), func() {}, a.Arg.Type())
		return
	case a.Fn == resolve.MedianLow, a.Fn == resolve.MedianHigh:
		p.d.Middle(p.w, p.operand(a.Arg), a.Fn == resolve.MedianHigh)
		return
	case a.Fn == "group_concat":
		p.d.JoinText(p.w, p.operand(a.Arg))
		return
	}
	p.w.Text(aggNames[string(a.Fn)])
	p.expr(a.Arg)
	p.w.Text(")")
}

// aggNames are the aggregates that every database spells alike.
var aggNames = map[string]string{
	"avg": "AVG(", "count": "COUNT(", "count_distinct": "COUNT(DISTINCT ", "min": "MIN(", "max": "MAX(", "median": "MEDIAN(",
	"stddev_pop": "STDDEV_POP(", "stddev_samp": "STDDEV_SAMP(", "var_pop": "VAR_POP(", "var_samp": "VAR_SAMP(",
}

func (p *printer) cast(e resolve.Expr, t value.Type) {
	p.w.Text("CAST(")
	p.expr(e)
	p.w.Text(" AS ", p.d.TypeName(t), ")")
}
