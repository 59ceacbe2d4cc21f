package compile

import "parlance/internal/query"

// expr writes an expression, node by node: a letter for its kind, then its parts.
func (s *shape) expr(e query.Expr) {
	switch e := e.(type) {
	case nil:
		s.bytes = append(s.bytes, '-')
	case *query.Ref:
		s.bytes = append(s.bytes, 'r')
		s.text(e.Name)
	case *query.Literal:
		s.bytes = append(s.bytes, '=', byte(e.Kind))
		s.text(e.Text)
		s.literals = append(s.literals, e.Text)
	case *query.Call:
		s.bytes = append(s.bytes, 'f')
		s.text(e.Func)
		s.flags(e.Star)
		s.exprs(e.Args)
		s.window(e.Over)
	case *query.Unary:
		s.bytes = append(s.bytes, 'u', byte(e.Op))
		s.expr(e.X)
	case *query.Binary:
		s.bytes = append(s.bytes, 'b', byte(e.Op))
		s.expr(e.X)
		s.expr(e.Y)
	case *query.In:
		s.bytes = append(s.bytes, 'i')
		s.flags(e.Not)
		s.expr(e.X)
		s.exprs(e.List)
	case *query.Between:
		s.bytes = append(s.bytes, 't')
		s.flags(e.Not)
		s.exprs([]query.Expr{e.X, e.From, e.To})
	case *query.IsNull:
		s.bytes = append(s.bytes, 'n')
		s.flags(e.Not)
		s.expr(e.X)
	case *query.Like:
		s.bytes = append(s.bytes, 'k')
		s.flags(e.Not)
		s.expr(e.X)
		s.expr(e.Text)
	case *query.Case:
		s.bytes = append(s.bytes, 'c')
		s.count(len(e.Whens))
		for _, w := range e.Whens {
			s.expr(w.Cond)
			s.expr(w.Then)
		}
		s.expr(e.Else)
	}
}

func (s *shape) exprs(list []query.Expr) {
	s.count(len(list))
	for _, e := range list {
		s.expr(e)
	}
}

func (s *shape) window(w *query.Window) {
	s.flags(w != nil)
	if w == nil {
		return
	}
	s.exprs(w.PartitionBy)
	s.orders(w.OrderBy)
	s.flags(w.Frame != nil)
	if f := w.Frame; f != nil {
		s.bytes = append(s.bytes, byte(f.Unit), byte(f.From.Kind), byte(f.To.Kind))
		s.number(f.From.Offset)
		s.number(f.To.Offset)
	}
}
