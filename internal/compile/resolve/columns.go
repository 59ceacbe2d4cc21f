package resolve

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// column is a selected column before its meaning is final.
type column struct {
	Named
	path string
	text string // the expression as written, without its alias
}

// bindColumns binds what is selected: the named columns or, when none is named, all that the caller may see.
func (c *clauses) bindColumns() error {
	if len(c.in.Columns) == 0 {
		return c.allColumns()
	}
	c.columns = make([]*column, 0, len(c.in.Columns))
	for i, col := range c.in.Columns {
		bound, err := c.bindColumn(col, query.Entry("columns", i))
		if err != nil {
			return err
		}
		if err := c.addColumn(bound, col); err != nil {
			return err
		}
	}
	return nil
}

func (c *clauses) bindColumn(col query.Column, path string) (*column, error) {
	bound := &column{path: path, text: col.Expr.String()}
	var err error
	if name, ok := isRef(col.Expr); ok {
		err = c.bindName(bound, name)
	} else {
		err = c.bindExpression(bound, col.Expr)
	}
	if err != nil {
		return nil, err
	}
	bound.Key = col.Key()
	if bound.Caption == "" {
		bound.Caption = bound.Key
	}
	return bound, nil
}

// bindName binds a column that is just a name.
func (c *clauses) bindName(bound *column, name string) error {
	f := c.lookup(name)
	if f == nil {
		n, err := c.named(name, bound.path)
		if err != nil {
			return err
		}
		if n == nil {
			return c.unknownField(name, bound.path)
		}
		if err := c.spend(n, bound.path); err != nil {
			return err
		}
		bound.Named = *n
		return nil
	}
	if _, err := c.field(name, bound.path); err != nil {
		return err
	}
	bound.Caption = f.Caption
	fn, overridden := c.overrides[f.Name]
	switch {
	case f.Measure != nil:
		bound.Measure, bound.Summed = f.Measure, true
		return c.bindMeasure(bound, fn)
	case overridden:
		arg, err := c.fieldValue(f, scope{path: bound.path})
		if err != nil {
			return err
		}
		e, ok := aggregated(fn, arg, nil, c.fact)
		if !ok {
			return wrongOperand(string(fn), operand{arg, name}, wantedBy(fn), bound.path)
		}
		bound.Expr, bound.Summed = e, true
		return nil
	}
	e, err := c.fieldValue(f, scope{path: bound.path, tree: c.grouped})
	bound.Expr = e
	return err
}

// bindMeasure gives a plain measure its meaning so far: the row's value, or its aggregate where it has no other.
func (c *clauses) bindMeasure(bound *column, fn semantic.Agg) error {
	e, err := c.measure(bound.Measure, scope{path: bound.path})
	if fn != "" && err == nil {
		e, err = c.measureValue(bound.Measure, fn)
	}
	bound.Expr = e
	return at(err, bound.path)
}

func (c *clauses) bindExpression(bound *column, e query.Expr) error {
	x, err := c.bindValue(e, bound.path)
	if err != nil {
		return err
	}
	if x.Type().Kind == value.Null {
		x = Literal{T: text}
	}
	bound.Expr, bound.Raw, bound.Summed = x, usesRawMeasure(x), x.Level() >= GroupLevel
	return nil
}

// addColumn adds a column unless it is a repeat; one key for two things is refused (decision 52).
func (c *clauses) addColumn(bound *column, col query.Column) error {
	for _, other := range c.columns {
		if other.Key != bound.Key {
			continue
		}
		if other.Expr.String() == bound.Expr.String() && other.Measure == bound.Measure {
			return nil
		}
		return nameTaken(bound.Key, "another column has that name", bound.path)
	}
	if alias := col.Alias; alias != "" {
		if f := c.lookup(alias); f != nil && !c.aggregateOf(col.Expr, f) && !sameField(bound, f) {
			return nameTaken(alias, "the model has a field of that name", bound.path)
		}
		for _, f := range c.in.Calculated {
			if f.Name == alias && bound.text != alias {
				return nameTaken(alias, "a calculated field has that name", bound.path)
			}
		}
	}
	c.columns = append(c.columns, bound)
	return nil
}

// aggregateOf reports whether an expression is one aggregate, of a measure and of no other.
func (c *clauses) aggregateOf(e query.Expr, f *semantic.Field) bool {
	call, ok := e.(*query.Call)
	if !ok || call.Over != nil || f.Measure == nil {
		return false
	}
	if _, ok := aggNamed(call.Func); !ok {
		return false
	}
	own, other := false, false
	query.Walk(e, func(x query.Expr) bool {
		if name, ok := isRef(x); ok {
			g := c.lookup(name)
			own = own || g == f
			other = other || g != f && g != nil && g.Measure != nil
		}
		return true
	})
	return own && !other
}

func sameField(bound *column, f *semantic.Field) bool {
	inner, ok := bound.Expr.(Field)
	return bound.Measure != nil && bound.Measure == f.Measure || ok && inner.Field == f
}

// allColumns selects every field that the caller may see: without groupBy rows as they are, with it the keys and
// every measure (decision 45). Calculated fields stand last.
func (c *clauses) allColumns() error {
	if c.grouped {
		if err := c.keyColumns(); err != nil {
			return err
		}
	}
	for _, f := range c.grant.Fields() {
		if f.Derived || c.grouped && f.Measure == nil || slices.Contains(c.in.ExColumns, f.Name) {
			continue
		}
		bound := &column{path: "columns", text: f.Name}
		bound.Key, bound.Caption, bound.Measure, bound.Summed = f.Name, f.Caption, f.Measure, f.Measure != nil
		var err error
		switch {
		case f.Measure != nil && c.grouped:
			bound.Expr, err = c.measureValue(f.Measure, c.overrides[f.Name])
		case f.Measure != nil:
			bound.Expr, err = c.rowValue(f.Measure)
		default:
			bound.Expr, err = c.fieldValue(f, scope{})
		}
		if c.grouped && withheld(err) {
			continue // it cannot be asked for by name either
		}
		if err != nil {
			return at(err, "columns")
		}
		c.columns = append(c.columns, bound)
	}
	for i, f := range c.in.Calculated {
		path := "calculatedFields[" + itoa(i) + "]"
		n, err := c.named(f.Name, path)
		if err != nil {
			return err
		}
		if n.Expr.Level() == GroupLevel && !c.grouped {
			return columnsRequired(f.Name, path)
		}
		c.columns = append(c.columns, &column{Named: *n, path: path, text: f.Name})
	}
	return nil
}

// keyColumns selects the fields of groupBy.
func (c *clauses) keyColumns() error {
	for i, g := range c.in.GroupBy {
		if g.Agg != "" {
			continue
		}
		path := query.Entry("groupBy", i)
		bound, err := c.bindColumn(query.NewColumn(&query.Ref{Name: g.Field}, ""), path)
		if err != nil {
			return err
		}
		if bound.Measure != nil {
			return measureAsKey(g.Field, path)
		}
		if err := c.addColumn(bound, query.Column{}); err != nil {
			return err
		}
	}
	return nil
}

// excludeColumns takes the named columns out again.
func (c *clauses) excludeColumns() error {
	for i, name := range c.in.ExColumns {
		path := "exColumns[" + itoa(i) + "]"
		f := c.lookup(name)
		if f == nil && c.names[name] == nil {
			return c.unknownField(name, path)
		}
		if f != nil {
			if _, err := c.field(name, path); err != nil {
				return err
			}
		}
		var kept []*column
		for _, col := range c.columns {
			if col.Key != name && (f == nil || col.text != f.Name && col.text != name) {
				kept = append(kept, col)
			}
		}
		c.columns = kept
	}
	if len(c.columns) == 0 {
		return noColumns(c.in.ExColumns)
	}
	return nil
}

// finishColumns gives every column its final meaning and finds the group keys (decision 46).
func (c *clauses) finishColumns() error {
	for _, col := range c.columns {
		if err := c.finish(col); err != nil {
			return err
		}
	}
	if err := c.besideColumns(); err != nil {
		return err
	}
	c.out.Columns = slices.Grow(c.out.Columns, len(c.columns))
	for _, col := range c.columns {
		if c.grouped {
			if err := c.covered(col.Expr, col.path); err != nil {
				return err
			}
		}
		c.out.Columns = append(c.out.Columns, Output{Key: col.Key, Expr: col.Expr, Caption: col.Caption, Measure: col.Summed || col.Raw})
	}
	return nil
}

func (c *clauses) finish(col *column) error {
	if !c.grouped {
		return nil
	}
	if col.Measure != nil {
		e, err := c.measureValue(col.Measure, c.overrides[col.Measure.Name])
		if err != nil {
			return at(err, col.path)
		}
		col.Expr = e
		return nil
	}
	if col.Expr.Level() != RowLevel {
		return nil
	}
	if col.Raw && !c.keys[col.Expr.String()] {
		return ambiguousLevel(col.text, col.path)
	}
	c.addKey(col.Expr, col.text)
	return nil
}

// usualKeys is the room for keys, or for terms of an order, that a query has to begin with.
const usualKeys = 4

func (c *clauses) addKey(e Expr, name string) {
	if c.keys == nil {
		c.keys = map[string]bool{}
		c.out.Keys, c.out.KeyNames = make([]Expr, 0, usualKeys), make([]string, 0, usualKeys)
	}
	if k := e.String(); !c.keys[k] {
		c.keys[k] = true
		c.out.Keys = append(c.out.Keys, e)
		c.out.KeyNames = append(c.out.KeyNames, name)
	}
}

// covered checks that a value of a group is made of aggregates, keys and constants only.
func (c *clauses) covered(e Expr, path string) error {
	if stray := c.stray(e); stray != nil {
		return notAKey(stray, path)
	}
	return nil
}

// stray returns the first value of single rows that stands outside every aggregate and is no key; nil if none does.
func (c *clauses) stray(e Expr) (stray Expr) {
	Visit(e, func(x Expr) bool {
		if c.keys[x.String()] {
			return false
		}
		switch x.(type) {
		case *Agg:
			return false
		case Field, Stored:
			if stray == nil {
				stray = x
			}
		}
		return true
	})
	return stray
}
