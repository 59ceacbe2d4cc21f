package sqlgen

import (
	"strconv"
	"strings"

	"parlance/internal/compile/resolve"
	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/value"
)

func (p *printer) window(x *resolve.Window) {
	if len(x.Args) == lagDefault+1 && p.d.Features().NoLagDefault {
		p.lagOrDefault(x)
		return
	}
	if p.d.Features().SlowExtremes {
		x = extremeAsFirst(x)
	}
	if name, ok := windowNames[x.Fn]; ok {
		p.w.Text(name, "(")
		for i, a := range x.Args {
			p.comma(i)
			p.windowArg(x.Fn, i, a)
		}
		p.w.Text(")")
		p.over(x)
		return
	}
	var arg *dialect.Arg
	if len(x.Args) > 0 {
		first := p.arg(x.Args[0])
		arg = &first
	}
	p.d.Aggregate(p.w, compute.Agg(x.Fn), arg, x.T, func() { p.over(x) })
}

// extremeAsFirst writes the least or greatest value of a whole partition as its first in an order that ends with nulls.
func extremeAsFirst(x *resolve.Window) *resolve.Window {
	least, greatest := resolve.WindowFn(compute.Min), resolve.WindowFn(compute.Max)
	if x.Fn != least && x.Fn != greatest || len(x.OrderBy) > 0 || x.Frame != nil {
		return x
	}
	first := *x
	first.Fn, first.OrderBy = resolve.FirstValue, []resolve.Order{{Expr: x.Args[0], Desc: x.Fn == greatest}}
	return &first
}

// lagDefault is the place of the value that LAG and LEAD have for rows that are not there.
const lagDefault = 2

// lagOrDefault asks first whether there is such a row.
func (p *printer) lagOrDefault(x *resolve.Window) {
	there, plain := *x, *x
	there.Args, plain.Args = []resolve.Expr{one, x.Args[1]}, x.Args[:lagDefault]
	p.w.Text("CASE WHEN ")
	p.window(&there)
	p.w.Text(" IS NULL THEN ")
	p.expr(x.Args[lagDefault])
	p.w.Text(" ELSE ")
	p.window(&plain)
	p.w.Text(" END")
}

var one = resolve.Literal{V: value.Of(value.Integer, "1"), T: value.Type{Kind: value.Integer}}

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
	order, zeros := p.d.Order, ""
	if alone, ok := p.d.(dialect.AloneOrderer); ok && x.Frame != nil && x.Frame.Unit == query.Range && len(x.OrderBy) == 1 && counts(x.Frame) {
		order = alone.OrderAlone
		if s, ok := p.d.(dialect.UnitScaler); ok {
			zeros = strings.Repeat("0", s.UnitDigits(x.OrderBy[0].Expr.Type()))
		}
	}
	for i, o := range x.OrderBy {
		if i == 0 {
			p.w.Text(" ORDER BY ")
		}
		p.comma(i)
		order(p.w, p.arg(o.Expr), o.Desc, o.NullsFirst)
	}
	if x.Frame != nil {
		p.frame(x.Frame, zeros)
	}
	p.w.Text(")")
}

// counts reports whether a frame reaches so far along the order, and not just to its ends or to the row itself.
func counts(f *query.Frame) bool {
	offset := func(b query.Bound) bool { return b.Kind == query.Preceding || b.Kind == query.Following }
	return offset(f.From) || offset(f.To)
}

// frame writes a frame; zeros are those that one unit of the order has.
func (p *printer) frame(f *query.Frame, zeros string) {
	unit := " ROWS"
	if f.Unit == query.Range {
		unit = " RANGE"
	}
	p.w.Text(unit, " BETWEEN ")
	p.bound(f.From, zeros)
	p.w.Text(" AND ")
	p.bound(f.To, zeros)
}

func (p *printer) bound(b query.Bound, zeros string) {
	switch b.Kind {
	case query.UnboundedPreceding:
		p.w.Text("UNBOUNDED PRECEDING")
	case query.Preceding:
		p.w.Text(strconv.FormatInt(b.Offset, 10)+zeros, " PRECEDING")
	case query.CurrentRow:
		p.w.Text("CURRENT ROW")
	case query.Following:
		p.w.Text(strconv.FormatInt(b.Offset, 10)+zeros, " FOLLOWING")
	case query.UnboundedFollowing:
		p.w.Text("UNBOUNDED FOLLOWING")
	}
}
