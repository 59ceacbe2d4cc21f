package compile

import (
	"encoding/binary"
	"slices"

	"parlance/internal/query"
)

const (
	maxShape  = 8 << 10 // bytes of a shape that is worth keeping
	maxValues = 32      // values that a shape leaves open
)

// shape is a query without the values that it compares with, as bytes: two queries of one shape differ only in those,
// value by value of one class. What else decides a statement is in the bytes, each part with its length.
type shape struct {
	bytes    []byte
	values   []query.Scalar // the values that were left out, each once
	literals []string       // constants of expressions
	open     bool           // values are left out
}

// write makes the shape of a query in place of what it held before.
func (s *shape) write(q *query.Query, open bool) {
	s.bytes, s.values, s.literals, s.open = s.bytes[:0], s.values[:0], s.literals[:0], open
	s.flags(q.ReturnTotal, q.Distinct, q.Subtotals)
	s.paging(q.Paging)
	s.count(len(q.Columns))
	for _, c := range q.Columns {
		s.expr(c.Expr)
		s.text(c.Alias)
		s.text(c.Text)
	}
	s.texts(q.ExColumns)
	s.count(len(q.GroupBy))
	for _, g := range q.GroupBy {
		s.text(g.Field)
		s.text(g.Agg)
	}
	s.orders(q.OrderBy)
	s.calculated(q.Calculated)
	s.top(q.Top)
	s.time(q.Time)
	s.conditions(q.Slice)
	s.conditions(q.Having)
	if s.ambiguous() {
		s.write(q, false)
	}
}

// ambiguous reports whether a value that is left out reads like a constant of an expression: the planner puts equal texts
// together, so which statement it makes would depend on the value.
func (s *shape) ambiguous() bool {
	return slices.ContainsFunc(s.values, func(v query.Scalar) bool { return slices.Contains(s.literals, v.Text) })
}

func (s *shape) flags(all ...bool) {
	for _, f := range all {
		if f {
			s.bytes = append(s.bytes, 1)
		} else {
			s.bytes = append(s.bytes, 0)
		}
	}
}

func (s *shape) count(n int) { s.bytes = binary.AppendUvarint(s.bytes, uint64(n)) }

func (s *shape) number(n int64) { s.bytes = binary.AppendVarint(s.bytes, n) }

func (s *shape) text(t string) {
	s.count(len(t))
	s.bytes = append(s.bytes, t...)
}

func (s *shape) texts(list []string) {
	s.count(len(list))
	for _, t := range list {
		s.text(t)
	}
}

// optional writes a number that may be absent.
func (s *shape) optional(n *int64) {
	s.flags(n != nil)
	if n != nil {
		s.number(*n)
	}
}

func (s *shape) paging(p query.Paging) {
	for _, n := range []*int64{p.Page, p.PageSize, p.Start, p.Limit} {
		s.optional(n)
	}
}

func (s *shape) orders(list []query.Order) {
	s.count(len(list))
	for _, o := range list {
		s.expr(o.Expr)
		s.flags(o.Desc)
		s.bytes = append(s.bytes, byte(o.Nulls))
	}
}

func (s *shape) calculated(list []query.Calculated) {
	s.count(len(list))
	for _, c := range list {
		s.text(c.Name)
		s.expr(c.Expr)
		s.texts([]string{c.Caption, c.Description, c.Agg, c.Type})
		s.window(c.Window)
	}
}

func (s *shape) top(t *query.Top) {
	s.flags(t != nil)
	if t == nil {
		return
	}
	s.orders([]query.Order{t.By})
	s.number(t.N)
	s.flags(t.Others)
}

func (s *shape) time(w *query.TimeWindow) {
	s.flags(w != nil)
	if w == nil {
		return
	}
	s.texts([]string{w.Field, string(w.Grain), string(w.Comparison)})
	s.scalars(w.Range, false)
	s.texts(w.Metrics)
}

func (s *shape) conditions(list []query.Condition) {
	s.count(len(list))
	for _, c := range list {
		switch c := c.(type) {
		case *query.Compare:
			s.bytes = append(s.bytes, 'c', byte(c.Op))
			s.expr(c.Field)
			s.operand(c.Value, leavesOpen(c.Op))
			s.optional(c.MaxDepth)
		case *query.Logic:
			s.bytes = append(s.bytes, 'l', byte(c.Op))
			s.conditions(c.Conds)
		case *query.ExprCondition:
			s.bytes = append(s.bytes, 'e')
			s.expr(c.Expr)
		}
	}
}

// leavesOpen reports whether an operator hands its values to the database as they are.
func leavesOpen(op query.Op) bool {
	switch op {
	case query.Equal, query.NotEqual, query.StrictEqual, query.Greater, query.GreaterEqual, query.Less, query.LessEqual,
		query.InList, query.NotInList,
		query.ClosedInterval, query.RightOpenInterval, query.LeftOpenInterval, query.OpenInterval:
		return true
	}
	return false
}

func (s *shape) operand(o query.Operand, open bool) {
	switch o := o.(type) {
	case nil:
		s.bytes = append(s.bytes, '-')
	case query.Scalar:
		s.bytes = append(s.bytes, 's')
		s.scalar(o, open)
	case query.List:
		s.bytes = append(s.bytes, 'l')
		s.scalars(o, open)
	case query.FieldRef:
		s.bytes = append(s.bytes, 'f')
		s.expr(o.Expr)
	}
}

func (s *shape) scalars(list query.List, open bool) {
	s.count(len(list))
	for _, v := range list {
		s.scalar(v, open)
	}
}

// scalar writes a value, or where it is left out only its class and which of the values it is.
func (s *shape) scalar(v query.Scalar, open bool) {
	at := -1
	if open && s.open && plainText(v) {
		at = s.place(v)
	}
	if at < 0 {
		s.bytes = append(s.bytes, '=', byte(v.Kind))
		s.text(v.Text)
		return
	}
	s.bytes = append(s.bytes, '?', byte(v.Kind))
	s.count(at)
}

// place returns the index of a value among those that are left out, or -1 if it must stand in the shape: there are
// enough, or one of another class reads the same.
func (s *shape) place(v query.Scalar) int {
	for i, known := range s.values {
		if known == v {
			return i
		}
		if known.Text == v.Text {
			return -1
		}
	}
	if len(s.values) == maxValues {
		return -1
	}
	s.values = append(s.values, v)
	return len(s.values) - 1
}

// plainText reports whether a value is of a class whose members all make the same statement: texts that are not empty,
// and whole numbers of at most 18 digits as one writes them.
func plainText(v query.Scalar) bool {
	switch v.Kind {
	case query.StringLiteral:
		return v.Text != ""
	case query.NumberLiteral:
		return wholeNumber(v.Text)
	case query.NullLiteral, query.BoolLiteral:
	}
	return false
}

func wholeNumber(text string) bool {
	const most = 18 // digits that 64 bits hold, whatever they are
	if len(text) > 1 && text[0] == '-' {
		text = text[1:]
		if text == "0" {
			return false
		}
	}
	if text == "" || len(text) > most || text[0] == '0' && len(text) > 1 {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
