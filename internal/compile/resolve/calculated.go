package resolve

import (
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/value"
)

// defineNames registers aliases and calculated fields; none is bound before it is used or selected.
func (c *clauses) defineNames() error {
	for i, f := range c.in.Calculated {
		path := "calculatedFields[" + itoa(i) + "]"
		if c.model.Field(f.Name) != nil {
			return nameTaken(f.Name, "the model has a field of that name", path+".name")
		}
		if c.names[f.Name] != nil {
			return nameTaken(f.Name, "another calculated field has that name", path+".name")
		}
		c.names[f.Name] = &definition{bind: func() (*Named, error) { return c.bindCalculated(f, path) }}
	}
	for i, col := range c.in.Columns {
		if col.Alias == "" || c.names[col.Alias] != nil {
			continue
		}
		c.names[col.Alias] = &definition{bind: func() (*Named, error) {
			bound, err := c.bindColumn(col, "columns["+itoa(i)+"]")
			if err != nil {
				return nil, err
			}
			return &bound.Named, nil
		}}
	}
	return nil
}

// bindCalculated binds one calculated field.
func (c *clauses) bindCalculated(f query.Calculated, path string) (*Named, error) {
	e, err := c.calculatedValue(f, path+".expression")
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
	if f.Window == nil {
		return c.bindValue(f.Expr, path)
	}
	call, ok := f.Expr.(*query.Call)
	if !ok || call.Over != nil {
		return nil, fault.Invalidf("not_a_window_function", path, "a window needs one function, such as sum(x) or rank(), not %s", f.Expr.String())
	}
	return c.windowCall(call, f.Window, scope{path: path})
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
		if e.Level() > RowLevel {
			return nil, nestedAggregate(f.Name, path+".agg")
		}
		arg := e
		if e, ok = aggregated(fn, arg, nil, c.fact); !ok {
			return nil, wrongOperand(f.Agg, arg, "a number", path+".agg")
		}
	}
	if f.Type == "" {
		return e, nil
	}
	want, _ := value.Named(f.Type)
	if got := e.Type(); got.Kind != value.Null && want.Kind != got.Kind && !(want.Numeric() && got.Numeric()) {
		return nil, fault.Invalidf("wrong_type", path+".type", "%s is of type %s, not %s", f.Name, got.Name(), f.Type)
	}
	return styled(e, want.Style), nil
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
