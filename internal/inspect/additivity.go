package inspect

import (
	"context"
	"fmt"

	"parlance/internal/compile/plan"
	"parlance/internal/semantic"
)

// overs checks that the time along which a measure is not added up is never null: a row without it is at neither end.
func (c *check) overs(ctx context.Context) error {
	for _, m := range c.model.Measures {
		if m.SemiAdd == nil || m.Column == "" {
			continue
		}
		name, ok := c.ownColumn(m.SemiAdd.Over)
		if !ok {
			continue
		}
		summed := []*semantic.Measure{m}
		if m.Agg != semantic.Sum {
			summed = nil
		}
		stage := &plan.Select{
			Columns: append([]plan.Output{countRows("n")}, sums("t", summed)...),
			From:    plan.Table{Source: c.model.Source, Alias: "t"}, Where: anyNull(columns("t", []string{name})),
		}
		found, err := one(ctx, c.source, stage)
		if err != nil {
			return err
		}
		c.never(m, name, read(found))
	}
	return nil
}

func (c *check) never(m *semantic.Measure, over string, lost worth) {
	if lost.rows == 0 {
		return
	}
	effect := fmt.Sprintf("%s in %s, which takes the %s %s", agreed(lost.rows, "it never counts", "they never count"), m.Name, m.SemiAdd.Use, m.SemiAdd.Over)
	if len(lost.sums) > 0 && lost.sums[0].Sign() != 0 {
		effect += fmt.Sprintf(": %s of it is left out", amount(lost.sums[0], m.Type))
	}
	c.add(c.finding(Error, "null_additivity", fmt.Sprintf("%s of %s %s no %s", counted(lost.rows, "row"), named(c.model.Source), have(lost.rows), over), effect))
}

// ownColumn returns the column of the model's own rows that holds an attribute or points to a dimension.
func (c *check) ownColumn(name string) (string, bool) {
	if f := c.model.Field(name); f != nil {
		return f.Column, f.Dimension == nil && f.Column != ""
	}
	d := c.model.Dimension(name)
	if d == nil {
		return "", false
	}
	for _, j := range d.Join {
		if j.To == d.ID {
			return j.From, true
		}
	}
	return "", false
}
