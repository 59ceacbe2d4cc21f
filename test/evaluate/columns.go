package evaluate

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// bindColumns binds what each row holds.
func (r *run) bindColumns() error {
	q := r.input.Query
	for _, name := range q.ExColumns {
		known := r.model.Field(name) != nil || slices.ContainsFunc(q.Columns, func(c query.Column) bool { return c.Key() == name }) ||
			slices.ContainsFunc(q.Calculated, func(c query.Calculated) bool { return c.Name == name })
		if !known {
			return refuse("unknown_field", "%s", name)
		}
		if f := r.model.Field(name); f != nil {
			if err := r.sees(f); err != nil {
				return err
			}
		}
	}
	columns := q.Columns
	if len(columns) == 0 {
		columns = r.allColumns()
	}
	seen := map[string]string{}
	for _, c := range columns {
		if r.excluded(c) {
			continue
		}
		if err := r.checkAlias(c); err != nil {
			return err
		}
		id := r.id(c.Expr)
		if other, ok := seen[c.Key()]; ok {
			if other != id {
				return refuse("name_taken", "%s", c.Key())
			}
			continue
		}
		seen[c.Key()] = id
		if err := r.bindColumn(c, len(q.Columns) == 0); err != nil {
			return err
		}
	}
	if len(r.columns) == 0 {
		return refuse("no_columns", "nothing is left")
	}
	return nil
}

// allColumns returns the columns of a query that names none: all fields, or the keys and every measure.
func (r *run) allColumns() []query.Column {
	var columns []query.Column
	if r.grouped {
		for _, g := range r.input.Query.GroupBy {
			if r.measureOf(&query.Ref{Name: g.Field}) == nil {
				columns = append(columns, query.NewColumn(&query.Ref{Name: g.Field}, ""))
			}
		}
	}
	for _, f := range r.model.Fields() {
		if r.sight.Hidden[f] || r.grouped && f.Measure != nil && r.refusesMeasure(f.Measure) != nil {
			continue
		}
		if !f.Derived && (!r.grouped || f.Measure != nil) {
			columns = append(columns, query.NewColumn(&query.Ref{Name: f.Name}, ""))
		}
	}
	return columns
}

func (r *run) excluded(c query.Column) bool {
	for _, name := range r.input.Query.ExColumns {
		if name == c.Key() || r.id(&query.Ref{Name: name}) == r.id(c.Expr) {
			return true
		}
	}
	return false
}

// checkAlias refuses an alias that is a field, unless it is an aggregate of that same measure (decision 52).
func (r *run) checkAlias(c query.Column) error {
	f := r.model.Field(c.Alias)
	if c.Alias == "" || f == nil {
		return nil
	}
	call, ok := c.Expr.(*query.Call)
	if ok && query.IsAggregate(call.Func) && len(call.Args) == 1 && f.Measure != nil && r.measureOf(call.Args[0]) == f.Measure {
		return nil
	}
	if r.measureOf(c.Expr) == f.Measure && f.Measure != nil {
		return unclear("a measure with its own name as alias")
	}
	return refuse("name_taken", "%s", c.Alias)
}

func (r *run) bindColumn(c query.Column, everything bool) error {
	o := output{Column: Column{Key: c.Key()}, expr: c.Expr}
	measure := r.measureOf(c.Expr)
	m := r.plain()
	m.treeKey = r.grouped
	all := len(r.calculated)
	m.aggregated = r.grouped && (measure != nil || r.groups(c.Expr, all) || r.windows(c.Expr, all))
	n, err := r.expr(c.Expr, m)
	if err != nil {
		return err
	}
	if n.level == perGroup && !r.grouped {
		if !everything {
			return refuse("aggregate_without_columns", "%s", c.Text)
		}
		n = overOneRow(n)
	}
	if r.grouped && n.level >= perGroup && !r.keyed(n.loose) {
		return refuse("not_grouped", "%s reads what is no group key", c.Text)
	}
	o.node, o.Measure = n, measure != nil || n.level >= perGroup || n.raw
	if r.grouped && n.level == perRow {
		o.node = n.named(r.id(c.Expr))
	}
	if c.Alias != "" {
		r.aliases[c.Alias] = o.node
	}
	r.columns = append(r.columns, o)
	return nil
}

// overOneRow makes an aggregate a value of each row: its value over that row alone.
func overOneRow(n *node) *node {
	return &node{typ: n.typ, level: perRow, eval: func(s *scope) (Value, error) {
		alone := newGroup(nil)
		alone.parts[s.row.model] = []*base{s.row}
		return n.eval(alone.over(false))
	}}
}

// facts returns the models whose rows count.
func (r *run) facts() []*semantic.Model {
	if r.model.Multi != nil {
		return r.model.Multi.Facts
	}
	return []*semantic.Model{r.model}
}
