package sqlgen

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/value"
)

func (p *printer) window(x *resolve.Window) {
	over := func() { p.over(x) }
	if name, ok := windowNames[x.Fn]; ok {
		p.w.Text(name, "(")
		for i, a := range x.Args {
			p.comma(i)
			p.windowArg(x.Fn, i, a)
		}
		p.w.Text(")")
		over()
		return
	}
	var arg *dialect.Arg
	if len(x.Args) > 0 {
		arg = p.arg(x.Args[0])
	}
	p.d.Aggregate(p.w, compute.Agg(x.Fn), arg, x.T, over)
}

// windowArg writes an argument; the number of rows of lag, lead and ntile is part of the text, as databases want it.
func (p *printer) windowArg(fn resolve.WindowFn, i int, a resolve.Expr) {
	if l, ok := a.(resolve.Literal); ok && (i == 1 || fn == resolve.Ntile) && l.T.Kind == value.Integer {
		p.w.Text(l.V.Text)
		return
	}
	p.expr(a)
}

// windowNames are the window functions that are no aggregates, as every database spells them.
var windowNames = map[resolve.WindowFn]string{
	resolve.RowNumber: "ROW_NUMBER", resolve.Rank: "RANK", resolve.DenseRank: "DENSE_RANK", resolve.PercentRank: "PERCENT_RANK",
	resolve.CumeDist: "CUME_DIST", resolve.Ntile: "NTILE", resolve.Lag: "LAG", resolve.Lead: "LEAD",
	resolve.FirstValue: "FIRST_VALUE", resolve.LastValue: "LAST_VALUE",
}

func (p *printer) over(x *resolve.Window) {
	p.w.Text(" OVER (")
	for i, e := range x.PartitionBy {
		if i == 0 {
			p.w.Text("PARTITION BY ")
		}
		p.comma(i)
		p.expr(e)
	}
	for i, o := range x.OrderBy {
		if i == 0 {
			p.w.Text(" ORDER BY ")
		}
		p.comma(i)
		p.d.Order(p.w, *p.arg(o.Expr), o.Desc, o.NullsFirst)
	}
	if x.Frame != nil {
		p.frame(x.Frame)
	}
	p.w.Text(")")
}

func (p *printer) frame(f *query.Frame) {
	unit := " ROWS"
	if f.Unit == query.Range {
		unit = " RANGE"
	}
	p.w.Text(unit, " BETWEEN ")
	p.bound(f.From)
	p.w.Text(" AND ")
	p.bound(f.To)
}

func (p *printer) bound(b query.Bound) {
	switch b.Kind {
	case query.UnboundedPreceding:
		p.w.Text("UNBOUNDED PRECEDING")
	case query.Preceding:
		p.w.Text(strconv.FormatInt(b.Offset, 10), " PRECEDING")
	case query.CurrentRow:
		p.w.Text("CURRENT ROW")
	case query.Following:
		p.w.Text(strconv.FormatInt(b.Offset, 10), " FOLLOWING")
	case query.UnboundedFollowing:
		p.w.Text("UNBOUNDED FOLLOWING")
	}
}
