package resolve

import (
	"slices"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

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
		path := query.Entry("orderBy", i)
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
		return notSelected(o.Expr.String(), c.out.Columns, path)
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
	if c.out.Order == nil {
		c.out.Order = make([]Order, 0, usualKeys)
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
			if !c.open(o.Expr) {
				continue
			}
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
	var list, key []Expr
	for _, column := range c.model.Key {
		key = append(key, c.keyColumn(column))
	}
	if len(key) > 0 && !slices.ContainsFunc(c.model.Key, c.closedColumn) {
		return key
	}
	for _, out := range c.out.Columns {
		list = append(list, rowParts(out.Expr)...)
	}
	return append(list, key...)
}

// closedColumn reports whether a column of the key is one that the caller does not see as it is. Rows that differ in
// nothing that the caller sees may stand in its order, and no others: it would tell which of two values is less.
func (c *clauses) closedColumn(column string) bool {
	closed := false
	for _, f := range c.model.Fields() {
		own := f.Dimension == nil && f.Column == column && f.Measure == nil
		if !own && (f.Role != semantic.ID || f.Tree || f.Dimension.Parent != nil || !joins(f.Dimension, column)) {
			continue
		}
		if c.grant.Field(f) == access.Visible {
			return false
		}
		closed = true
	}
	return closed
}

// rowParts returns what an expression reads of a row: its value, or what the windows in it look at.
func rowParts(e Expr) (list []Expr) {
	Visit(e, func(x Expr) bool {
		if x.Level() == RowLevel {
			list = append(list, x)
			return false
		}
		return true
	})
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

// joins reports whether a column points to the ids of a dimension.
func joins(d *semantic.Dimension, column string) bool {
	return slices.ContainsFunc(d.Join, func(j semantic.JoinColumn) bool { return j.From == column && j.To == d.ID })
}
