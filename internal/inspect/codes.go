package inspect

import (
	"context"
	"fmt"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// codes looks for values that the dictionary of an attribute does not have.
func (c *check) codes(ctx context.Context, src semantic.Source, prefix string, attributes []*semantic.Attribute) error {
	for _, a := range attributes {
		if a.Dictionary == nil {
			continue
		}
		found, err := rows(ctx, c.source, unknownCodes(src, a))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		var first []string
		for _, r := range found[:min(len(found), shown)] {
			first = append(first, fmt.Sprintf("%q in %s", r[0], counted(r.int(1), "row")))
		}
		c.addOnce(c.finding(Warning, "unknown_code",
			fmt.Sprintf("%s.%s holds what the dictionary %s does not (%s)", named(src), a.Column, a.Dictionary.Name, ended(first, int64(len(found)))),
			fmt.Sprintf("%s shows the bare code, and a question that names a label does not find these rows", prefix+a.Name+"$caption")))
	}
	return nil
}

// unknownCodes reads the most frequent values of an attribute that are none of its dictionary's, one more than shown.
func unknownCodes(src semantic.Source, a *semantic.Attribute) *plan.Select {
	var code resolve.Expr = resolve.Column{Rel: "t", Name: a.Column, T: a.Type}
	if a.Type.Kind != value.String {
		code = &resolve.Op{Fn: resolve.ToText, Args: []resolve.Expr{code}, T: value.Type{Kind: value.String}}
	}
	list := []resolve.Expr{code}
	for _, e := range a.Dictionary.Entries {
		list = append(list, resolve.Literal{V: value.Of(value.String, e.Code), T: value.Type{Kind: value.String}})
	}
	where := noneNull(list[:1])
	if len(list) > 1 {
		where = op(resolve.And, where, op(resolve.Not, op(resolve.In, list...)))
	}
	inner := &plan.Select{
		Columns: []plan.Output{{Name: "k0", Expr: code}}, From: plan.Table{Source: src, Alias: "t"}, Where: where,
	}
	k := resolve.Column{Rel: "r", Name: "k0", T: value.Type{Kind: value.String}}
	n := countRows("n")
	return &plan.Select{
		Columns: []plan.Output{{Name: "k0", Expr: k}, n}, From: plan.Derived{Select: inner, Alias: "r"}, GroupBy: []resolve.Expr{k},
		OrderBy: []resolve.Order{{Expr: n.Expr, Desc: true}, {Expr: k}}, Limit: &plan.Limit{Rows: shown + 1},
	}
}
