package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/internal/jsontree"
)

var (
	names = rapid.OneOf(
		rapid.SampledFrom([]string{"a", "salesAmount", "customer$id", "product.category$caption", "团队$hierarchy$id", "end", "NULL", "distinct", "as", "order", "rows"}),
		rapid.StringMatching(`[a-zA-Z_é][a-z0-9_]{0,5}(\$[a-z_]{1,3}|\.[a-z_][0-9]?){0,2}`),
	)
	functions = rapid.SampledFrom([]string{"sum", "count", "count_distinct", "if", "coalesce", "unheard_of"})
	numbers   = rapid.SampledFrom([]string{"0", "1", "1.50", ".5", "1e3", "2E-7", "007", "12345678901234567890.123"})
	aliases   = rapid.StringMatching(`[a-zA-Z总é][a-z0-9_]{0,8}`)
	texts     = rapid.StringOf(rapid.SampledFrom([]rune(`ab '"\;-%` + "`\n\té总😀")))
)

// exprs makes trees such as the parser builds, at most depth levels deep.
func exprs(depth int) *rapid.Generator[Expr] {
	leaf := rapid.Custom(func(t *rapid.T) Expr {
		switch rapid.IntRange(0, 4).Draw(t, "leaf") {
		case 0:
			return &Literal{Kind: NumberLiteral, Text: numbers.Draw(t, "number")}
		case 1:
			return &Literal{Kind: StringLiteral, Text: texts.Draw(t, "string")}
		case 2:
			return &Literal{Kind: NullLiteral}
		case 3:
			return &Literal{Kind: BoolLiteral, Text: rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")}
		}
		return &Ref{Name: names.Draw(t, "name")}
	})
	if depth == 0 {
		return leaf
	}
	sub := rapid.Deferred(func() *rapid.Generator[Expr] { return exprs(depth - 1) })
	list := func(t *rapid.T) []Expr {
		if l := rapid.SliceOfN(sub, 0, 3).Draw(t, "list"); len(l) > 0 {
			return l
		}
		return nil
	}
	inner := rapid.Custom(func(t *rapid.T) Expr {
		x, not := sub.Draw(t, "x"), rapid.Bool().Draw(t, "not")
		switch rapid.IntRange(0, 8).Draw(t, "node") {
		case 0:
			return &Unary{Op: UnaryOp(rapid.IntRange(0, 1).Draw(t, "op")), X: x}
		case 1:
			return &In{X: x, List: list(t), Not: not}
		case 2:
			return &Between{X: x, From: sub.Draw(t, "from"), To: sub.Draw(t, "to"), Not: not}
		case 3:
			return &IsNull{X: x, Not: not}
		case 4:
			return &Like{X: x, Text: sub.Draw(t, "text"), Not: not}
		case 5:
			c := &Case{Whens: []When{{x, sub.Draw(t, "then")}}}
			if not {
				c.Whens = append(c.Whens, When{sub.Draw(t, "when"), sub.Draw(t, "then")})
				c.Else = sub.Draw(t, "else")
			}
			return c
		case 6:
			c := &Call{Func: functions.Draw(t, "func"), Args: list(t)}
			if c.Func == "count" && not {
				c.Star, c.Args = true, nil
			}
			if rapid.Bool().Draw(t, "window") {
				c.Over = windows(sub).Draw(t, "over")
			}
			return c
		}
		return &Binary{Op: BinaryOp(rapid.IntRange(int(Or), int(Mod)).Draw(t, "op")), X: x, Y: sub.Draw(t, "y")}
	})
	return rapid.OneOf(leaf, inner, inner)
}

func windows(sub *rapid.Generator[Expr]) *rapid.Generator[*Window] {
	return rapid.Custom(func(t *rapid.T) *Window {
		w := &Window{}
		for range rapid.IntRange(0, 2).Draw(t, "by") {
			w.PartitionBy = append(w.PartitionBy, sub.Draw(t, "partition"))
		}
		for range rapid.IntRange(0, 2).Draw(t, "orders") {
			w.OrderBy = append(w.OrderBy, orders(sub).Draw(t, "order"))
		}
		if rapid.Bool().Draw(t, "framed") {
			w.Frame = frames.Draw(t, "frame")
		}
		return w
	})
}

func orders(sub *rapid.Generator[Expr]) *rapid.Generator[Order] {
	return rapid.Custom(func(t *rapid.T) Order {
		return Order{sub.Draw(t, "by"), rapid.Bool().Draw(t, "desc"), NullOrder(rapid.IntRange(0, 2).Draw(t, "nulls"))}
	})
}

var frames = rapid.Custom(func(t *rapid.T) *Frame {
	bound := func(name string) Bound {
		b := Bound{Kind: BoundKind(rapid.IntRange(0, 4).Draw(t, name))}
		if b.Kind == Preceding || b.Kind == Following {
			b.Offset = rapid.Int64Range(0, 1<<62).Draw(t, name)
		}
		return b
	}
	f := &Frame{FrameUnit(rapid.IntRange(0, 1).Draw(t, "unit")), bound("from"), bound("to")}
	if !f.ordered() {
		f.From, f.To = f.To, f.From
	}
	if !f.ordered() { // both at the same unbounded end
		f.From, f.To = Bound{Kind: UnboundedPreceding}, Bound{Kind: UnboundedFollowing}
	}
	return f
})

// Law 10: what a tree prints parses back to it.
func TestExprPrintsAndParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := exprs(4).Draw(t, "e")
		text := e.String()
		if len(text) > maxText {
			t.Skip("longer than an expression may be")
		}
		got, err := ParseExpr(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if diff := cmp.Diff(e, got); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}

func TestOrderAndColumnPrintAndParseBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := orders(fields).Draw(t, "o")
		if got, err := ParseOrder(o.String()); err != nil || !cmp.Equal(o, got) {
			t.Fatalf("%q: %v, %v", o, got, err)
		}
		c := NewColumn(exprs(2).Draw(t, "e"), rapid.OneOf(rapid.Just(""), aliases).Draw(t, "alias"))
		if got, err := ParseColumn(c.String()); err != nil || !cmp.Equal(c, got) {
			t.Fatalf("%q: %v, %v", c, got, err)
		}
	})
}

// fields makes expressions that a filter or an order may be over.
var fields = exprs(2).Filter(func(e Expr) bool {
	_, constant := e.(*Literal)
	return !constant
})

var scalars = rapid.Custom(func(t *rapid.T) Scalar {
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return Scalar{}
	case 1:
		return Scalar{BoolLiteral, rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")}
	case 2:
		return Scalar{NumberLiteral, rapid.SampledFrom([]string{"0", "-1.50", "1e400", "9007199254740993"}).Draw(t, "number")}
	}
	return Scalar{StringLiteral, texts.Draw(t, "string")}
})

// conditions makes conditions that stand at path, as the decoder builds them.
func conditions(path string, depth int) *rapid.Generator[Condition] {
	return rapid.Custom(func(t *rapid.T) Condition {
		switch kind := rapid.IntRange(0, 5).Draw(t, "condition"); {
		case kind == 0:
			return &ExprCondition{Expr: exprs(2).Draw(t, "expr"), Path: path + ".$expr"}
		case kind == 1 && depth > 0:
			op := LogicOp(rapid.IntRange(0, 2).Draw(t, "logic"))
			l := &Logic{Op: op, Path: path + "." + logicKeys[map[LogicOp]int{AllOf: 0, AnyOf: 1, NoneOf: 2}[op]]}
			for i := range rapid.IntRange(1, 3).Draw(t, "n") {
				l.Conds = append(l.Conds, conditions(indexed(l.Path, i), depth-1).Draw(t, "cond"))
			}
			return l
		}
		c := &Compare{Field: fields.Draw(t, "field"), Op: Op(rapid.IntRange(int(Equal), int(SelfAndAncestorsOf)).Draw(t, "op")), Path: path}
		switch c.Op.Arity() {
		case TakesNothing:
		case TakesList:
			c.Value = List(rapid.SliceOfN(scalars, 0, 3).Draw(t, "list"))
		case TakesInterval:
			c.Value = List(rapid.SliceOfN(scalars, 2, 2).Draw(t, "interval"))
		case TakesScalar:
			c.Value = scalars.Draw(t, "value")
			if rapid.Bool().Draw(t, "other") {
				c.Value = FieldRef{fields.Draw(t, "$field")}
			}
		}
		if c.Op.Hierarchical() && rapid.Bool().Draw(t, "deep") {
			depth := rapid.Int64Range(0, 9).Draw(t, "maxDepth")
			c.MaxDepth = &depth
		}
		return c
	})
}

var queries = rapid.Custom(func(t *rapid.T) *Query {
	q := &Query{
		ReturnTotal: rapid.Bool().Draw(t, "returnTotal"), Distinct: rapid.Bool().Draw(t, "distinct"),
		Format: Format(rapid.IntRange(0, 2).Draw(t, "format")),
	}
	count := func(name string) int { return rapid.IntRange(0, 2).Draw(t, name) }
	for range count("columns") {
		q.Columns = append(q.Columns, NewColumn(exprs(2).Draw(t, "column"), aliases.Draw(t, "alias")))
	}
	for range count("exColumns") {
		q.ExColumns = append(q.ExColumns, names.Draw(t, "exColumn"))
	}
	for i := range count("slice") {
		q.Slice = append(q.Slice, conditions(indexed("slice", i), 3).Draw(t, "slice"))
	}
	for i := range count("having") {
		q.Having = append(q.Having, conditions(indexed("having", i), 1).Draw(t, "having"))
	}
	for range count("groupBy") {
		q.GroupBy = append(q.GroupBy, Group{names.Draw(t, "group"), rapid.SampledFrom(append([]string{""}, aggregates...)).Draw(t, "agg")})
	}
	for range count("orderBy") {
		q.OrderBy = append(q.OrderBy, orders(fields).Draw(t, "order"))
	}
	for range count("calculated") {
		c := Calculated{
			Name: aliases.Draw(t, "name"), Expr: exprs(2).Draw(t, "expression"), Caption: texts.Draw(t, "caption"),
			Description: texts.Draw(t, "description"), Agg: rapid.SampledFrom([]string{"", "avg"}).Draw(t, "agg"),
			Type: rapid.SampledFrom([]string{"", "money"}).Draw(t, "type"),
		}
		if rapid.Bool().Draw(t, "window") {
			c.Window = windows(fields).Draw(t, "window")
		}
		q.Calculated = append(q.Calculated, c)
	}
	for _, to := range []**int64{&q.Paging.Start, &q.Paging.Limit, &q.Paging.Page, &q.Paging.PageSize} {
		if rapid.Bool().Draw(t, "paged") {
			i := rapid.Int64().Draw(t, "paging")
			*to = &i
		}
	}
	return q
})

// Law 10 for whole queries.
func TestQueryPrintsAndDecodesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := queries.Draw(t, "q")
		data := q.JSON()
		n, err := jsontree.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		got, err := Decode(n, DecodeOptions{Format: true})
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if diff := cmp.Diff(q, got); diff != "" {
			t.Fatalf("%s: %s", data, diff)
		}
	})
}
