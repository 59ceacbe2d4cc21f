package resolve

import (
	"slices"
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

// decideGrouping tells a detail query from a grouped one by its text (decision 45): what a bare measure means depends
// on it, so it is known before anything is bound. Empty columns never group.
func (c *clauses) decideGrouping() error {
	grouped := len(c.in.GroupBy) > 0 || c.in.Time != nil
	aggregates := c.anyAggregate()
	if len(c.in.Columns) == 0 && !grouped && aggregates {
		return fault.Invalidf("columns_required", "columns", "an aggregate needs columns to stand beside").
			With(func(e *fault.Error) { e.Hint = "name the columns, or give groupBy" })
	}
	c.grouped = grouped || aggregates
	if c.model.Multi != nil && !c.grouped {
		return notInMultiFact("a detail query", c.model, "columns")
	}
	c.out.Grouped = c.grouped
	return nil
}

// anyAggregate reports whether any clause uses an aggregate.
func (c *clauses) anyAggregate() bool {
	found := false
	for _, col := range c.in.Columns {
		found = found || c.aggregates(col.Expr, nil)
	}
	for _, o := range c.in.OrderBy {
		if ref, ok := isRef(o.Expr); !ok || len(c.in.Columns) > 0 || c.model.Field(ref) == nil {
			found = found || c.aggregates(o.Expr, nil)
		}
	}
	return found || c.conditionAggregates(c.in.Slice)
}

func (c *clauses) conditionAggregates(conds []query.Condition) bool {
	for _, cond := range conds {
		switch x := cond.(type) {
		case *query.Compare:
			if c.aggregates(x.Field, nil) {
				return true
			}
			if ref, ok := x.Value.(query.FieldRef); ok && c.aggregates(ref.Expr, nil) {
				return true
			}
		case *query.ExprCondition:
			if c.aggregates(x.Expr, nil) {
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
func (c *clauses) aggregates(e query.Expr, within []string) bool {
	found := false
	query.Walk(e, func(x query.Expr) bool {
		switch n := x.(type) {
		case *query.Call:
			if _, ok := aggNamed(n.Func); ok && n.Over == nil {
				found = true
			}
		case *query.Ref:
			found = found || c.aggregateName(n.Name, within)
		}
		return !found
	})
	return found
}

func (c *clauses) aggregateName(name string, within []string) bool {
	if f := c.model.Field(name); f != nil {
		return f.Measure != nil && (f.Measure.AggregateOnly() || f.Measure.Of != nil)
	}
	if slices.Contains(within, name) {
		return false
	}
	within = append(within, name)
	for _, f := range c.in.Calculated {
		if f.Name != name {
			continue
		}
		if call, ok := f.Expr.(*query.Call); ok && f.Window != nil {
			return slices.ContainsFunc(call.Args, func(a query.Expr) bool { return c.aggregates(a, within) })
		}
		return f.Agg != "" || c.aggregates(f.Expr, within)
	}
	for _, col := range c.in.Columns {
		if col.Alias == name {
			return c.aggregates(col.Expr, within)
		}
	}
	return false
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
		e, err := c.ref(g.Field, scope{path: path, tree: true})
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
		if err := c.after(e, cond); err != nil {
			return mixedCondition(err)
		}
	}
	return nil
}

// after adds a filter on groups or, where windows are in it, on the result's rows.
func (c *clauses) after(e Expr, cond query.Condition) error {
	if c.grouped {
		if err := c.covered(e, cond.Where()); err != nil {
			return err
		}
	}
	if e.Level() == WindowLevel {
		c.out.Results = and(c.out.Results, e)
	} else {
		c.out.Groups = and(c.out.Groups, e)
	}
	c.out.After = append(c.out.After, cond.String())
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
	if len(c.in.Having) > 0 && !c.grouped {
		return fault.Invalidf("having_without_groups", "having", "having filters groups, and this query has none").
			With(func(e *fault.Error) { e.Hint = "give groupBy, or filter rows with slice" })
	}
	for _, cond := range c.in.Having {
		e, err := c.condition(cond, scope{mode: groupMeasures, later: true})
		if err != nil {
			return err
		}
		if err := c.after(e, cond); err != nil {
			return err
		}
	}
	return nil
}

// bindOrder binds orderBy, or the model's default, and appends what makes the order total (decision 50).
func (c *clauses) bindOrder() error {
	mode := rowMeasures
	switch {
	case c.grouped:
		mode = groupMeasures
	case len(c.in.Columns) > 0:
		mode = callerRows
	}
	for i, o := range c.in.OrderBy {
		path := "orderBy[" + itoa(i) + "].field"
		e, err := c.expr(o.Expr, scope{mode: mode, later: true, path: path, tree: c.grouped})
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
	if c.grouped {
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

// tieBreak appends the default order (only where none was asked for) and what tells rows apart, so that pages never
// overlap.
func (c *clauses) tieBreak() error {
	c.out.Identity = c.identity()
	if c.out.Top != nil && len(c.in.OrderBy) == 0 {
		c.out.Order = append(c.out.Order, c.out.Top.By)
	}
	if c.out.Distinct {
		for _, out := range c.out.Columns {
			c.addOrder(out.Expr, query.Order{})
		}
		return nil
	}
	if !c.grouped && len(c.in.OrderBy) == 0 {
		for _, o := range c.model.DefaultOrder {
			e, err := c.definition(o.Expr, rowMeasures)
			if err != nil {
				return err
			}
			c.addOrder(e, o)
		}
	}
	for _, e := range c.out.Identity {
		c.addOrder(e, query.Order{})
	}
	return nil
}

// identity is the keys of groups, the model's key of rows or, where it declares none, every selected value.
func (c *clauses) identity() []Expr {
	if c.grouped {
		return c.out.Keys
	}
	var list []Expr
	for _, column := range c.model.Key {
		list = append(list, c.keyColumn(column))
	}
	if len(list) > 0 {
		return list
	}
	for _, out := range c.out.Columns {
		if out.Expr.Level() == RowLevel {
			list = append(list, out.Expr)
		}
	}
	return list
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
