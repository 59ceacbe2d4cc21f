package sqlgen

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/query"
)

func (p *printer) window(x *resolve.Window) {
	over := func() { p.over(x) }
	switch {
	case x.Fn == "sum":
		p.d.Sum(p.w, p.operand(x.Args[0]), over, x.Args[0].Type())
		return
	case x.Fn == "count" && len(x.Args) == 0:
		p.w.Text("COUNT(*)")
	case aggNames[string(x.Fn)] != "":
		p.w.Text(aggNames[string(x.Fn)])
		p.expr(x.Args[0])
		p.w.Text(")")
	default:
		p.w.Text(windowNames[x.Fn], "(")
		for i, a := range x.Args {
			p.comma(i)
			p.expr(a)
		}
		p.w.Text(")")
	}
	over()
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
		p.d.Order(p.w, p.operand(o.Expr), o.Desc, o.NullsFirst)
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
