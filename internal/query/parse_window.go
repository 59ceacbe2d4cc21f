package query

import "strconv"

// window reads what stands between the parentheses of over.
func (p *parser) window() *Window {
	w := &Window{}
	if p.take("partition") {
		p.expect("by")
		for {
			w.PartitionBy = append(w.PartitionBy, p.inner(orLevel))
			if !p.take(",") {
				break
			}
		}
	}
	if p.take("order") {
		p.expect("by")
		for {
			w.OrderBy = append(w.OrderBy, p.order())
			if !p.take(",") {
				break
			}
		}
	}
	if p.at("rows") || p.at("range") {
		w.Frame = p.frame()
	}
	return w
}

// order reads f, f desc, -f, f asc nulls first. A minus in front is a direction, so an order by a negative value is
// written in parentheses.
func (p *parser) order() Order {
	var o Order
	minus := p.at("-")
	if minus {
		p.advance()
		o.Expr = p.inner(prefixLevel)
		if _, ok := p.infix(); ok {
			p.fail(ambiguousMinus(p.lex.text, p.tok))
		}
	} else {
		o.Expr = p.inner(orLevel)
	}
	if p.at("asc") || p.at("desc") {
		if minus {
			p.fail(directionTwice(p.lex.text, p.tok))
		}
		o.Desc = p.at("desc")
		p.advance()
	}
	o.Desc = o.Desc || minus
	o.Nulls = p.nulls()
	return o
}

func (p *parser) nulls() NullOrder {
	switch {
	case p.take("nullfirst"):
		return NullsFirst
	case p.take("nulllast"):
		return NullsLast
	case !p.take("nulls"):
		return NullsDefault
	case p.take("first"):
		return NullsFirst
	}
	p.expect("last")
	return NullsLast
}

// frame reads rows or range, and between two bounds or from one bound to the current row.
func (p *parser) frame() *Frame {
	f := &Frame{To: Bound{Kind: CurrentRow}}
	start := p.tok
	switch {
	case p.take("rows"):
	case p.take("range"):
		f.Unit = Range
	default:
		p.fail(unexpectedToken(p.lex.text, p.tok, "rows or range"))
	}
	if p.take("between") {
		f.From = p.bound()
		p.expect("and")
		f.To = p.bound()
	} else {
		f.From = p.bound()
	}
	if p.err == nil && !f.ordered() {
		p.fail(emptyFrame(p.lex.text, start))
	}
	return f
}

func (p *parser) bound() Bound {
	if p.take("current") {
		p.expect("row")
		return Bound{Kind: CurrentRow}
	}
	if p.take("unbounded") {
		if p.take("preceding") {
			return Bound{Kind: UnboundedPreceding}
		}
		p.expect("following")
		return Bound{Kind: UnboundedFollowing}
	}
	offset, err := strconv.ParseInt(p.tok.text, 10, 64)
	if p.tok.kind != numberToken || err != nil {
		p.fail(unexpectedToken(p.lex.text, p.tok, "a whole number, unbounded or current row"))
		return Bound{}
	}
	p.advance()
	if p.take("preceding") {
		return Bound{Kind: Preceding, Offset: offset}
	}
	p.expect("following")
	return Bound{Kind: Following, Offset: offset}
}

// ordered reports whether the frame begins where it ends or before.
func (f *Frame) ordered() bool {
	switch {
	case f.From.Kind == UnboundedFollowing || f.To.Kind == UnboundedPreceding:
		return false
	case f.From.Kind == UnboundedPreceding || f.To.Kind == UnboundedFollowing:
		return true
	}
	return f.From.place() <= f.To.place()
}

// place is where a bounded end stands, in rows from the current one.
func (b Bound) place() int64 {
	switch b.Kind {
	case Preceding:
		return -b.Offset
	case Following:
		return b.Offset
	case UnboundedPreceding, CurrentRow, UnboundedFollowing:
	}
	return 0
}
