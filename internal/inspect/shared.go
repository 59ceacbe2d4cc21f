package inspect

import (
	"context"
	"fmt"

	"parlance/internal/compile/plan"
	"parlance/internal/semantic"
)

// shared checks that the facts of a model meet along what they share: keys of which no two facts have one in common
// are most likely written differently.
func (c *check) shared(ctx context.Context) error {
	facts := c.model.Multi.Facts
	for _, s := range c.model.Multi.Share {
		for _, other := range facts[1:] {
			if err := c.meet(ctx, s, facts[0], other); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *check) meet(ctx context.Context, s semantic.Shared, a, b *semantic.Model) error {
	da, db := a.Dimension(s.In[a.Name]), b.Dimension(s.In[b.Name])
	if da == nil || db == nil {
		return nil
	}
	ka, kb := tally(a.Source, linkOf(da), false), tally(b.Source, linkOf(db), false)
	both := &plan.Select{Columns: []plan.Output{countRows("n")}, From: plan.Derived{Select: ka, Alias: "a"}}
	join := matching(kb, "b", pointing("a", keyNames(len(da.Join))))
	join.Required = true
	both.Joins = []plan.Join{join}
	var counts []int64
	for _, stage := range []*plan.Select{
		{Columns: []plan.Output{countRows("n")}, From: plan.Derived{Select: ka, Alias: "a"}},
		{Columns: []plan.Output{countRows("n")}, From: plan.Derived{Select: kb, Alias: "b"}},
		both,
	} {
		n, err := one(ctx, c.source, stage)
		if err != nil {
			return err
		}
		counts = append(counts, n.int(0))
	}
	if counts[0] == 0 || counts[1] == 0 || counts[2] > 0 {
		return nil
	}
	c.add(c.finding(Warning, "nothing_shared",
		fmt.Sprintf("of %s of %s in %s none is among the %d of %s", counted(counts[0], "value"), s.Name, a.Name, counts[1], b.Name),
		"side by side, every group by "+s.Name+" has the numbers of one of them only"))
	return nil
}
