package query

import (
	"fmt"
	"strings"
)

// shape writes a tree as nested lists. It shares nothing with the printer, so that the two can be held against
// each other.
func shape(e Expr) string {
	switch e := e.(type) {
	case *Ref:
		return e.Name
	case *Literal:
		return fmt.Sprintf("%d:%s", e.Kind, e.Text)
	case *Call:
		head := "call " + e.Func
		if e.Star {
			head += " *"
		}
		if e.Over != nil {
			head += " over " + windowShape(e.Over)
		}
		return shapes(head, e.Args...)
	case *Unary:
		return shapes([]string{"neg", "not"}[e.Op], e.X)
	case *Binary:
		return shapes([]string{"or", "and", "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod"}[e.Op], e.X, e.Y)
	case *In:
		return shapes(fmt.Sprintf("in %v", e.Not), append([]Expr{e.X}, e.List...)...)
	case *Between:
		return shapes(fmt.Sprintf("between %v", e.Not), e.X, e.From, e.To)
	case *IsNull:
		return shapes(fmt.Sprintf("null %v", e.Not), e.X)
	case *Like:
		return shapes(fmt.Sprintf("like %v", e.Not), e.X, e.Text)
	case *Case:
		var parts []Expr
		for _, w := range e.Whens {
			parts = append(parts, w.Cond, w.Then)
		}
		if e.Else == nil {
			return shapes("case", parts...)
		}
		return shapes("case else", append(parts, e.Else)...)
	}
	return fmt.Sprintf("%T", e)
}

func shapes(head string, parts ...Expr) string {
	words := []string{head}
	for _, p := range parts {
		words = append(words, shape(p))
	}
	return "(" + strings.Join(words, " ") + ")"
}

func windowShape(w *Window) string {
	s := shapes("by", w.PartitionBy...)
	for _, o := range w.OrderBy {
		s += fmt.Sprintf("[%s %v %d]", shape(o.Expr), o.Desc, o.Nulls)
	}
	if w.Frame != nil {
		s += fmt.Sprintf("%+v", *w.Frame)
	}
	return s
}
