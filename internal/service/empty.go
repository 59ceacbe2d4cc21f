package service

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

const (
	emptyPatience = time.Second // that an answer without rows waits for its reason
	emptyReasons  = 3           // the most that are told
)

// overNothing reports whether an answer has no rows, or only the one of aggregates over nothing.
func overNothing(a *keptAnswer, c *compile.Compiled) bool {
	if a.total == 0 {
		return true
	}
	if !c.Grouped || len(c.Applied.GroupBy) > 0 || len(c.Applied.Before) == 0 || a.total != 1 {
		return false
	}
	tree, err := jsontree.Parse(a.items)
	if err != nil || len(tree.Items) != 1 {
		return false
	}
	cells := tree.Items[0].Items
	for _, m := range tree.Items[0].Members {
		cells = append(cells, m.Value)
	}
	return !slices.ContainsFunc(cells, func(n jsontree.Node) bool {
		return n.Kind != jsontree.Null && strings.Trim(n.Text, "0.") != ""
	})
}

// emptiness looks for what keeps a query from finding any row, under the caller's grant and within its context's time.
type emptiness struct {
	*Service
	target
	ctx     context.Context //nolint:containedctx // of one search
	reasons []string
}

// whyEmpty returns which conditions of a query lie outside the data that the caller may see: a time that it does not
// cover, a value that does not exist. What cannot be told in time is not told.
func (s *Service) whyEmpty(ctx context.Context, t target, q *query.Query, c *compile.Compiled) []string {
	ctx, cancel := context.WithTimeout(ctx, emptyPatience)
	defer cancel()
	e := &emptiness{Service: s, target: t, ctx: ctx}
	var timed []*semantic.Field
	if q.Time != nil {
		timed = append(timed, t.Field(q.Time.Field))
	}
	for _, cmp := range allOf(q.Slice) {
		f := e.plain(cmp)
		switch {
		case f == nil:
		case f.Type.Temporal():
			timed = append(timed, f)
		case f.Type.Numeric() && f.Dictionary == nil:
			e.numbers(f, cmp)
		case f.Type.Kind == value.String && (cmp.Op == query.Equal || cmp.Op == query.StrictEqual || cmp.Op == query.InList):
			e.texts(f, cmp)
		}
	}
	for _, r := range c.Applied.Ranges {
		if f := t.Field(r.Field); slices.Contains(timed, f) {
			e.times(f, r)
		}
	}
	return e.reasons[:min(len(e.reasons), emptyReasons)]
}

// noRowsMatch is told beside sums and counts over nothing where no other reason is.
const noRowsMatch = "No row matches all filters; a sum or count of 0 is one over no rows"

// allOf returns the comparisons that every row must meet.
func allOf(conditions []query.Condition) (list []*query.Compare) {
	for _, c := range conditions {
		switch c := c.(type) {
		case *query.Compare:
			list = append(list, c)
		case *query.Logic:
			if c.Op == query.AllOf {
				list = append(list, allOf(c.Conds)...)
			}
		case *query.ExprCondition:
		}
	}
	return list
}

// plain returns the field that a comparison is about, if the caller sees it as it is and it is no measure.
func (e *emptiness) plain(c *query.Compare) *semantic.Field {
	ref, ok := c.Field.(*query.Ref)
	if !ok {
		return nil
	}
	f := e.Field(ref.Name)
	if f == nil || f.Measure != nil || f.Tree || e.grant.Field(f) != access.Visible {
		return nil
	}
	return f
}

func (e *emptiness) add(format string, args ...any) {
	if reason := "No rows: " + fmt.Sprintf(format, args...); !slices.Contains(e.reasons, reason) {
		e.reasons = append(e.reasons, reason)
	}
}

// covers returns the least and the greatest value of a field.
func (e *emptiness) covers(f *semantic.Field) (least, most string, ok bool) {
	if r := e.timeRange(e.ctx, e.target.view, e.seen); r != nil && r.Field == f.Name {
		return r.From, r.To, true
	}
	return e.ends(e.ctx, e.target, f, nil)
}

// times says when a period lies outside the days that the data covers.
func (e *emptiness) times(f *semantic.Field, r compile.Range) {
	least, most, ok := e.covers(f)
	if !ok {
		return
	}
	least, most = day(least), day(most)
	before := r.To != "" && strings.TrimSuffix(r.To, "T00:00:00") <= least
	after := r.From != "" && day(r.From) > most
	if before || after {
		e.add("%s covers %s…%s, and the filter asks for %s", f.Name, least, most, spoken(r))
	}
}

// spoken writes a period; its end is not in it.
func spoken(r compile.Range) string {
	switch {
	case r.From == "":
		return "what is before " + r.To
	case r.To == "":
		return r.From + " and later"
	}
	return r.From + " to before " + r.To
}

// numbers says when a comparison lies outside the numbers that the data has.
func (e *emptiness) numbers(f *semantic.Field, c *query.Compare) {
	least, most, ok := e.covers(f)
	if !ok {
		return
	}
	low, lowOK := new(big.Rat).SetString(least)
	high, highOK := new(big.Rat).SetString(most)
	if lowOK && highOK && misses(c, low, high) {
		e.add("%s covers %s…%s, and the filter asks for %s", f.Name, least, most, c.String())
	}
}

// misses reports whether no number from low to high can meet a comparison.
func misses(c *query.Compare, low, high *big.Rat) bool {
	beyond := func(s query.Scalar, side int) bool { // side -1: s is below low, 1: above high
		n, ok := new(big.Rat).SetString(s.Text)
		if !ok || s.Kind == query.NullLiteral {
			return false
		}
		if side < 0 {
			return n.Cmp(low) < 0
		}
		return n.Cmp(high) > 0
	}
	switch v := c.Value.(type) {
	case query.Scalar:
		switch c.Op {
		case query.Equal, query.StrictEqual:
			return beyond(v, -1) || beyond(v, 1)
		case query.Greater, query.GreaterEqual:
			return beyond(v, 1)
		case query.Less, query.LessEqual:
			return beyond(v, -1)
		}
	case query.List:
		switch {
		case c.Op == query.InList:
			return len(v) > 0 && !slices.ContainsFunc(v, func(s query.Scalar) bool { return !beyond(s, -1) && !beyond(s, 1) })
		case c.Op.Arity() == query.TakesInterval && len(v) == 2:
			return beyond(v[0], 1) || beyond(v[1], -1)
		}
	case query.FieldRef:
	}
	return false
}
