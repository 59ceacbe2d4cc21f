package resolve

import "parlance/internal/query"

// Top keeps the N groups that stand first by a value; Others adds one row for the rest of the groups.
type Top struct {
	By     Order
	N      int64
	Others bool
}

// RowTypeKey is the column that tells rows of groups from rows over several groups.
const RowTypeKey = "_rowType"

// The row types.
const (
	DataRow     = "data"
	SubtotalRow = "subtotal"
	TotalRow    = "total"
	OthersRow   = "others"
)

// bindTop binds topN and withSubtotals, which both speak of groups.
func (c *clauses) bindTop() error {
	if err := c.checkCombination(); err != nil {
		return err
	}
	if c.in.Top != nil {
		if err := c.bindRanking(c.in.Top); err != nil {
			return err
		}
	}
	c.out.Subtotals = c.in.Subtotals
	if err := c.refuseOverlap("withSubtotals", c.in.Subtotals && (c.out.Groups != nil || c.out.Results != nil)); err != nil {
		return err
	}
	if err := c.refuseOverlap("topN.others", c.in.Top != nil && c.in.Top.Others); err != nil {
		return err
	}
	if c.out.Extra() {
		c.out.Columns = append(c.out.Columns, Output{Key: RowTypeKey, Expr: Text(DataRow), Caption: "Row type"})
	}
	return nil
}

func (c *clauses) bindRanking(top *query.Top) error {
	e, err := c.expr(top.By.Expr, scope{mode: groupMeasures, later: true, path: "topN.by", tree: true})
	if err != nil {
		return err
	}
	if err := c.covered(e, "topN.by"); err != nil {
		return err
	}
	if e.Level() == WindowLevel {
		return rankedByWindow(top.By.Expr.String(), "topN.by")
	}
	c.out.Top = &Top{By: Order{Expr: e, Desc: top.By.Desc, NullsFirst: top.By.Nulls == query.NullsFirst}, N: top.N, Others: top.Others}
	return nil
}

// checkCombination refuses clauses that have no meaning together.
func (c *clauses) checkCombination() error {
	clauses := []struct {
		name string
		on   bool
	}{{"topN", c.in.Top != nil}, {"withSubtotals", c.in.Subtotals}, {"timeWindow", c.in.Time != nil}, {"distinct", c.in.Distinct}}
	first := ""
	for _, clause := range clauses {
		if !clause.on {
			continue
		}
		if clause.name != "distinct" && !c.grouped {
			return groupsRequired(clause.name)
		}
		if first != "" {
			return badCombination(first, clause.name)
		}
		first = clause.name
	}
	if c.in.Top != nil && len(c.out.Keys) == 0 {
		return groupsRequired("topN")
	}
	return nil
}

// Extra reports whether the answer has rows over several groups beside those of groups.
func (q *Query) Extra() bool { return q.Subtotals || q.Top != nil && q.Top.Others }
