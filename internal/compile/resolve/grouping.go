package resolve

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// aggNamed returns the aggregation of a word, in any case.
func aggNamed(word string) (semantic.Agg, bool) {
	name := query.CanonicalFunction(word)
	for _, a := range semantic.Aggs {
		if name == string(a) {
			return a, true
		}
	}
	return "", false
}

// decideGrouping tells a detail query from a grouped one by its text (decision 45): what a bare measure means depends
// on it, so it is known before anything is bound. Empty columns never group.
func (c *clauses) decideGrouping() error {
	grouped := len(c.in.GroupBy) > 0 || c.in.Time != nil
	aggregates := c.anyAggregate()
	if len(c.in.Columns) == 0 && !grouped && aggregates {
		return columnsRequired("", "columns")
	}
	c.grouped = grouped || aggregates || c.summary && c.fieldsOnly
	c.out.Grouped = c.grouped
	if len(c.in.Columns) == 0 {
		return c.refuseDetail()
	}
	return nil
}

// refuseDetail refuses rows of several facts. Named columns are bound before, so that a wrong name is what is told.
func (c *clauses) refuseDetail() error {
	if c.model.Multi != nil && !c.grouped {
		return notInMultiFact("a detail query", c.model, "columns")
	}
	return nil
}

// anyAggregate reports whether any clause uses an aggregate.
func (c *clauses) anyAggregate() bool {
	found := false
	for _, col := range c.in.Columns {
		found = found || c.aggregates(col.Expr)
	}
	for _, o := range c.in.OrderBy {
		if ref, ok := isRef(o.Expr); !ok || len(c.in.Columns) > 0 || c.lookup(ref) == nil {
			found = found || c.aggregates(o.Expr)
		}
	}
	return found || c.conditionAggregates(c.in.Slice)
}

func (c *clauses) conditionAggregates(conds []query.Condition) bool {
	for _, cond := range conds {
		switch x := cond.(type) {
		case *query.Compare:
			if c.aggregates(x.Field) {
				return true
			}
			if ref, ok := x.Value.(query.FieldRef); ok && c.aggregates(ref.Expr) {
				return true
			}
		case *query.ExprCondition:
			if c.aggregates(x.Expr) {
				return true
			}
		case *query.Logic:
			if c.conditionAggregates(x.Conds) {
				return true
			}
		}
	}
	return false
}

// aggregates reports whether an expression has an aggregate in it, a measure that only exists aggregated among them,
// looking through the query's own names. A windowed function is none, though its arguments may be.
func (c *clauses) aggregates(e query.Expr) bool {
	found := false
	query.Walk(e, func(x query.Expr) bool {
		switch n := x.(type) {
		case *query.Call:
			if _, ok := aggNamed(n.Func); ok && n.Over == nil {
				found = true
			}
		case *query.Ref:
			found = found || c.aggregateName(n.Name)
		}
		return !found
	})
	return found
}

func (c *clauses) aggregateName(name string) bool {
	if f := c.lookup(name); f != nil {
		return f.Measure != nil && (f.Measure.AggregateOnly() || f.Measure.Of != nil)
	}
	d := c.names[name]
	if d == nil {
		return false
	}
	if d.aggregate == nil {
		d.aggregate = new(bool) // a circle has none, and is refused when it is bound
		*d.aggregate = c.definedByAggregate(name)
	}
	return *d.aggregate
}

func (c *clauses) definedByAggregate(name string) bool {
	for _, f := range c.in.Calculated {
		if f.Name != name {
			continue
		}
		if call, ok := f.Expr.(*query.Call); ok && f.Window != nil {
			return c.windowAggregates(call, f.Window)
		}
		return f.Agg != "" || c.aggregates(f.Expr)
	}
	for _, col := range c.in.Columns {
		if col.Alias == name {
			return c.aggregates(col.Expr)
		}
	}
	return false
}

// windowAggregates reports whether any part of a window function is an aggregate.
func (c *clauses) windowAggregates(call *query.Call, w *query.Window) bool {
	parts := slices.Concat(call.Args, w.PartitionBy)
	for _, o := range w.OrderBy {
		parts = append(parts, o.Expr)
	}
	return slices.ContainsFunc(parts, c.aggregates)
}

// bindKeys binds the fields of groupBy.
func (c *clauses) bindKeys() error {
	for i, g := range c.in.GroupBy {
		if g.Agg != "" {
			continue
		}
		path := query.Entry("groupBy", i)
		if f := c.lookup(g.Field); f != nil && f.Measure != nil {
			if _, err := c.field(g.Field, path); err != nil {
				return err
			}
			return measureAsKey(g.Field, path)
		}
		e, err := c.ref(g.Field, scope{path: path, tree: true})
		if err != nil {
			return err
		}
		switch {
		case e.Level() > RowLevel:
			return lateKey(g.Field, e, path)
		case usesRawMeasure(e):
			c.warnings = append(c.warnings, "grouped by the row value of "+g.Field)
		}
		c.addKey(e, g.Field)
	}
	return nil
}
