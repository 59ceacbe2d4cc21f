package resolve

import (
	"strings"

	"parlance/internal/fault"
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

// decideGrouping tells a detail query from a grouped one (decision 45).
func (c *clauses) decideGrouping() error {
	c.out.Grouped = len(c.in.GroupBy) > 0
	if len(c.in.Columns) == 0 {
		c.grouped = c.out.Grouped
		if !c.out.Grouped && c.aggregatesLater() {
			return fault.Invalidf("columns_required", "columns", "an aggregate needs columns to stand beside").
				With(func(e *fault.Error) { e.Hint = "name the columns, or give groupBy" })
		}
		return nil
	}
	for _, col := range c.columns {
		if col.Expr.Level() == GroupLevel {
			c.out.Grouped = true
		}
	}
	c.out.Grouped = c.out.Grouped || c.aggregatesLater()
	if c.model.Multi != nil && !c.out.Grouped {
		return notInMultiFact("a detail query", c.model, "columns")
	}
	c.grouped = c.out.Grouped
	return nil
}

// aggregatesLater reports whether slice or orderBy use an aggregate.
func (c *clauses) aggregatesLater() bool {
	named := len(c.in.Columns) > 0
	found := false
	for _, o := range c.in.OrderBy {
		found = found || c.aggregates(o.Expr, named)
	}
	var see func(conds []query.Condition)
	see = func(conds []query.Condition) {
		for _, cond := range conds {
			switch x := cond.(type) {
			case *query.Compare:
				found = found || c.aggregates(x.Field, true)
				if ref, ok := x.Value.(query.FieldRef); ok {
					found = found || c.aggregates(ref.Expr, true)
				}
			case *query.ExprCondition:
				found = found || c.aggregates(x.Expr, true)
			case *query.Logic:
				see(x.Conds)
			}
		}
	}
	see(c.in.Slice)
	return found
}

// aggregates reports whether an unbound expression has an aggregate in it; bare says whether a measure that only
// exists aggregated counts as one.
func (c *clauses) aggregates(e query.Expr, bare bool) bool {
	found := false
	query.Walk(e, func(x query.Expr) bool {
		switch n := x.(type) {
		case *query.Call:
			if _, ok := aggNamed(n.Func); ok && n.Over == nil {
				found = true
			}
		case *query.Ref:
			if f := c.model.Field(n.Name); f != nil {
				found = found || bare && f.Measure != nil && f.Measure.AggregateOnly()
			} else if named := c.named(n.Name); named != nil {
				found = found || named.Expr.Level() == GroupLevel
			}
		}
		return !found
	})
	return found
}

// bindKeys binds the fields of groupBy.
func (c *clauses) bindKeys() error {
	for i, g := range c.in.GroupBy {
		if g.Agg != "" {
			continue
		}
		path := "groupBy[" + itoa(i) + "].field"
		if f := c.model.Field(g.Field); f != nil && f.Measure != nil {
			if _, err := c.field(g.Field, path); err != nil {
				return err
			}
			return measureAsKey(g.Field, path)
		}
		e, err := c.ref(g.Field, scope{path: path})
		if err != nil {
			return err
		}
		switch {
		case e.Level() > RowLevel:
			return measureAsKey(g.Field, path)
		case usesRawMeasure(e):
			c.warnings = append(c.warnings, "grouped by the row value of "+g.Field)
		}
		c.addKey(e, g.Field)
	}
	return nil
}

// bindSlice binds the filters and sorts them into those on rows and those on groups (decision 47).
func (c *clauses) bindSlice() error {
	for _, cond := range flattened(c.in.Slice) {
		e, err := c.condition(cond, scope{})
		if err != nil {
			return err
		}
		if e.Level() <= RowLevel {
			c.out.Rows = and(c.out.Rows, e)
			c.out.Before = append(c.out.Before, cond.String())
			continue
		}
		if err := c.covered(e, cond.Where()); err != nil {
			return mixedCondition(err)
		}
		c.out.Groups = and(c.out.Groups, e)
		c.out.After = append(c.out.After, cond.String())
	}
	return nil
}

// flattened opens nested ands, whose parts may go to different sides.
func flattened(conds []query.Condition) []query.Condition {
	var flat []query.Condition
	for _, c := range conds {
		if l, ok := c.(*query.Logic); ok && l.Op == query.AllOf {
			flat = append(flat, flattened(l.Conds)...)
			continue
		}
		flat = append(flat, c)
	}
	return flat
}

func and(x, y Expr) Expr {
	if x == nil {
		return y
	}
	return op(And, boolean, x, y)
}

// bindHaving binds the filters on groups, where a measure's name is its aggregate.
func (c *clauses) bindHaving() error {
	if len(c.in.Having) > 0 && !c.out.Grouped {
		return fault.Invalidf("having_without_groups", "having", "having filters groups, and this query has none").
			With(func(e *fault.Error) { e.Hint = "give groupBy, or filter rows with slice" })
	}
	for _, cond := range c.in.Having {
		e, err := c.condition(cond, scope{mode: groupMeasures, later: true})
		if err != nil {
			return err
		}
		if err := c.covered(e, cond.Where()); err != nil {
			return err
		}
		c.out.Groups = and(c.out.Groups, e)
		c.out.After = append(c.out.After, cond.String())
	}
	return nil
}

// bindOrder binds orderBy, or the model's default, and appends what makes the order total (decision 50).
func (c *clauses) bindOrder() error {
	mode := rowMeasures
	switch {
	case c.out.Grouped:
		mode = groupMeasures
	case len(c.in.Columns) > 0:
		mode = callerRows
	}
	for i, o := range c.in.OrderBy {
		path := "orderBy[" + itoa(i) + "].field"
		e, err := c.expr(o.Expr, scope{mode: mode, later: true, path: path})
		if err != nil {
			return err
		}
		if err := c.orderable(e, o, path); err != nil {
			return err
		}
		c.addOrder(e, o)
	}
	return c.tieBreak()
}

func (c *clauses) orderable(e Expr, o query.Order, path string) error {
	if c.out.Distinct && !c.selected(e) {
		return fault.Invalidf("not_selected", path, "%s is not among the distinct columns, so the rows have no order by it", o.Expr.String())
	}
	if c.out.Grouped {
		return c.covered(e, path)
	}
	return nil
}

func (c *clauses) selected(e Expr) bool {
	for _, out := range c.out.Columns {
		if out.Expr.String() == e.String() {
			return true
		}
	}
	return false
}

func (c *clauses) addOrder(e Expr, o query.Order) {
	if e.Level() == Constant {
		return
	}
	for _, before := range c.out.Order {
		if before.Expr.String() == e.String() {
			return
		}
	}
	c.out.Order = append(c.out.Order, Order{Expr: e, Desc: o.Desc, NullsFirst: o.Nulls == query.NullsFirst})
}

// tieBreak appends the default order (only where none was asked for) and the key, so that pages never overlap.
func (c *clauses) tieBreak() error {
	switch {
	case c.out.Distinct:
		for _, out := range c.out.Columns {
			c.addOrder(out.Expr, query.Order{})
		}
		return nil
	case c.out.Grouped:
		for _, k := range c.out.Keys {
			c.addOrder(k, query.Order{})
		}
		return nil
	}
	if len(c.in.OrderBy) == 0 {
		for _, o := range c.model.DefaultOrder {
			e, err := c.definition(o.Expr, rowMeasures)
			if err != nil {
				return err
			}
			c.addOrder(e, o)
		}
	}
	for _, column := range c.model.Key {
		c.addOrder(c.keyColumn(column), query.Order{})
	}
	if len(c.model.Key) == 0 {
		for _, out := range c.out.Columns {
			c.addOrder(out.Expr, query.Order{})
		}
	}
	return nil
}

// keyColumn returns a key column as the attribute that reads it, or as stored when no attribute does.
func (c *clauses) keyColumn(name string) Expr {
	for _, f := range c.model.Fields() {
		if f.Dimension == nil && f.Measure == nil && f.Column == name {
			return Field{f}
		}
	}
	return Stored{Name: name}
}

func nameTaken(name, why, path string) error {
	return fault.Invalidf("name_taken", path, "the name %q cannot be given: %s", name, why).With(func(e *fault.Error) { e.Got = name })
}

func unknownAggregation(word, path string) error {
	e := fault.Invalidf("unknown_aggregation", path, "there is no aggregation %q", word)
	var names []string
	for _, a := range semantic.Aggs {
		names = append(names, string(a))
	}
	e.Got, e.Allowed, e.Closest = word, names[:10], fault.Closest(strings.ToLower(word), names)
	return e
}

func measureAsKey(name, path string) error {
	return fault.Invalidf("measure_as_key", path, "%s is a measure, and groups are made of attributes and dimensions", name).With(func(e *fault.Error) {
		e.Got, e.Hint = name, "leave it out of groupBy and name it in columns, or give it an agg here"
	})
}

func ambiguousLevel(what, path string) error {
	return fault.Invalidf("ambiguous_level", path, "%s has two meanings in a grouped query: of each row, or of each group", what).With(func(e *fault.Error) {
		e.Got, e.Hint = what, "put each measure into an aggregate, as in sum(a) / sum(b), or aggregate the whole, as in sum(a * b)"
	})
}

func notAKey(name, path string) error {
	return fault.Invalidf("not_a_group_key", path, "%s is neither a group key nor inside an aggregate", name).With(func(e *fault.Error) {
		e.Got, e.Hint = name, "add it to groupBy, or aggregate it, as in max("+name+")"
	})
}

func mixedCondition(err error) error {
	f := fault.As(err)
	f.Reason = "mixed_condition"
	f.Message = "one condition mixes rows and groups: " + f.Message
	f.Hint = "a filter on rows goes before grouping and one on groups after it; split the condition, or group by " + f.Got
	return f
}

func filterRequired(name, model string) error {
	return fault.Invalidf("filter_required", "slice", "%s must be filtered by %s", model, name).With(func(e *fault.Error) { e.Allowed = []string{name} })
}
