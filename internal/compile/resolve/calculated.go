package resolve

import (
	"parlance/internal/query"
	"parlance/internal/value"
)

// defineNames registers aliases and calculated fields; none is bound before it is used or selected.
func (c *clauses) defineNames() error {
	for i, f := range c.in.Calculated {
		path := "calculatedFields[" + itoa(i) + "]"
		if c.lookup(f.Name) != nil {
			return nameTaken(f.Name, "the model has a field of that name", path+".name")
		}
		if c.names[f.Name] != nil {
			return nameTaken(f.Name, "another calculated field has that name", path+".name")
		}
		c.names[f.Name] = &definition{size: sizeOf(f.Expr), bind: func() (*Named, error) { return c.bindCalculated(f, path) }}
	}
	for i, col := range c.in.Columns {
		if col.Alias == "" || c.names[col.Alias] != nil {
			continue
		}
		c.names[col.Alias] = &definition{size: sizeOf(col.Expr), bind: func() (*Named, error) {
			bound, err := c.bindColumn(col, query.Entry("columns", i))
			if err != nil {
				return nil, err
			}
			return &bound.Named, nil
		}}
	}
	return nil
}

func sizeOf(e query.Expr) (n int) {
	query.Walk(e, func(query.Expr) bool { n++; return true })
	return n
}

// bindCalculated binds one calculated field.
func (c *clauses) bindCalculated(f query.Calculated, path string) (*Named, error) {
	e, err := c.calculatedValue(f, path)
	if err != nil {
		return nil, err
	}
	if e, err = c.declared(e, f, path); err != nil {
		return nil, err
	}
	if e.Type().Kind == value.Null {
		e = Literal{T: text}
	}
	caption := f.Caption
	if caption == "" {
		caption = f.Name
	}
	return &Named{Key: f.Name, Expr: e, Caption: caption, Raw: usesRawMeasure(e), Summed: e.Level() >= GroupLevel}, nil
}

func (c *clauses) calculatedValue(f query.Calculated, path string) (Expr, error) {
	at := path + ".expression"
	if f.Window == nil {
		return c.bindValue(f.Expr, at)
	}
	call, ok := f.Expr.(*query.Call)
	if !ok || call.Over != nil {
		return nil, notAWindowFunction(f.Expr.String(), at)
	}
	return c.windowCall(call, f.Window, scope{path: at}, path)
}

// bindValue binds an expression of the caller's. Beside an aggregate, or a window over groups, a bare measure can only
// mean the group's value, as in salesAmount / sum(salesAmount) over ().
func (c *clauses) bindValue(e query.Expr, path string) (Expr, error) {
	x, err := c.expr(e, scope{path: path})
	if err == nil && c.grouped && x.Level() >= GroupLevel && usesRawMeasure(x) {
		x, err = c.expr(e, scope{path: path, mode: groupMeasures})
	}
	if err != nil {
		return nil, err
	}
	return settled(x), nil
}

// declared applies agg and type of a calculated field.
func (c *clauses) declared(e Expr, f query.Calculated, path string) (Expr, error) {
	if f.Agg != "" {
		fn, ok := aggNamed(f.Agg)
		if !ok {
			return nil, unknownAggregation(f.Agg, path+".agg")
		}
		switch {
		case e.Level() == WindowLevel:
			return nil, aggregatedWindow(f.Name, path+".agg")
		case e.Level() == GroupLevel:
			return nil, aggregatedTwice(f.Name, path+".agg")
		}
		if err := c.plainOnly(f.Expr, scope{path: path + ".agg"}); err != nil {
			return nil, err
		}
		if err := c.unlisted(fn, f.Name, path+".agg"); err != nil {
			return nil, err
		}
		arg := e
		if err := c.addedUp(fn, arg, path+".agg"); err != nil {
			return nil, err
		}
		if e, ok = aggregated(fn, arg, nil, c.fact); !ok {
			return nil, wrongOperand(f.Agg, operand{arg, f.Expr.String()}, wantedBy(fn), path+".agg")
		}
	}
	if f.Type == "" {
		return e, nil
	}
	want, _ := value.Named(f.Type)
	if got := e.Type(); got.Kind != value.Null && want.Kind != got.Kind && !(want.Numeric() && got.Numeric()) {
		return nil, wrongDeclaredType(f, got, path+".type")
	}
	return styled(e, want.Style), nil
}

// bindUnused binds the calculated fields that no clause uses, so that what is wrong with them shows. They leave no
// trace in the answer.
func (c *clauses) bindUnused() error {
	ranges, warnings := len(c.ranges), len(c.warnings)
	for i, f := range c.in.Calculated {
		if _, err := c.named(f.Name, "calculatedFields["+itoa(i)+"]"); err != nil {
			return err
		}
	}
	c.ranges, c.warnings = c.ranges[:ranges], c.warnings[:warnings]
	return nil
}

// usesRawMeasure reports whether a measure's row value stands outside every aggregate.
func usesRawMeasure(e Expr) (raw bool) {
	Visit(e, func(x Expr) bool {
		if f, ok := x.(Field); ok && f.Measure != nil {
			raw = true
		}
		_, agg := x.(*Agg)
		return !agg
	})
	return raw
}
