package resolve

import (
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Request is what a query is resolved against.
type Request struct {
	Model       *semantic.Model
	Query       *query.Query
	Grant       access.Grant
	Now         time.Time
	DefaultRows int64
	MaxRows     int64
}

// Query is a query whose every name is bound and every value typed.
type Query struct {
	Model    *semantic.Model
	Grouped  bool
	Columns  []Output
	Keys     []Expr   // of the groups, selected or not
	KeyNames []string // the keys as the caller names them
	Rows     Expr     // which rows count; nil: all
	Groups   Expr     // which groups count; nil: all
	Order    []Order
	Totals   []Output // nil unless totals were asked for
	Distinct bool

	Start, Limit int64
	LimitGiven   bool

	Before, After []string // the filters on rows and on groups, in words
	Ranges        []Range
	Warnings      []string
}

// Output is a column of the answer.
type Output struct {
	Key     string
	Expr    Expr
	Caption string
	Measure bool // a measure or an aggregate
}

// Order is one term of the order.
type Order struct {
	Expr       Expr
	Desc       bool
	NullsFirst bool
}

// Resolve binds a query. Clauses are bound in the order in which they may refer to each other.
func Resolve(req Request) (*Query, error) {
	if !req.Grant.Model() {
		return nil, &fault.Error{Kind: fault.Forbidden, Reason: "forbidden_model", Got: req.Model.Name, Message: "no permission for model \"" + req.Model.Name + "\""}
	}
	c := &clauses{
		resolver: &resolver{
			model: req.Model, grant: req.Grant, today: newToday(req.Now, req.Model.Calendar),
			calculated: map[string]*Named{}, aliases: map[string]*Named{}, overrides: map[string]semantic.Agg{},
		},
		in:  req.Query,
		out: &Query{Model: req.Model, Distinct: req.Query.Distinct},
	}
	steps := []func() error{
		c.bindCalculated, c.bindOverrides, c.bindColumns, c.excludeColumns, c.decideGrouping, c.bindKeys, c.finishColumns,
		c.bindSlice, c.bindHaving, c.bindOrder, c.bindTotals, c.requireFilters,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	var err error
	if c.out.Start, c.out.Limit, c.out.LimitGiven, err = req.Query.Paging.Window(req.DefaultRows, req.MaxRows); err != nil {
		return nil, err
	}
	c.out.Ranges, c.out.Warnings = c.ranges, append(req.Query.Warnings, c.warnings...)
	return c.out, nil
}

// clauses is the state of one resolution.
type clauses struct {
	*resolver
	in      *query.Query
	out     *Query
	columns []*column
	keys    map[string]bool
}

// column is a selected column before its meaning is final.
type column struct {
	Named
	path string
	text string // the expression as written, without its alias
}

// bindCalculated binds calculatedFields; each may use the ones before it.
func (c *clauses) bindCalculated() error {
	for i, f := range c.in.Calculated {
		path := "calculatedFields[" + itoa(i) + "]"
		if c.model.Field(f.Name) != nil {
			return nameTaken(f.Name, "the model has a field of that name", path+".name")
		}
		if c.calculated[f.Name] != nil {
			return nameTaken(f.Name, "another calculated field has that name", path+".name")
		}
		if f.Window != nil {
			return windowsUnsupported(f.Name, path)
		}
		e, err := c.expr(f.Expr, scope{path: path + ".expression"})
		if err != nil {
			return err
		}
		if e, err = c.declared(e, f, path); err != nil {
			return err
		}
		if e.Type().Kind == value.Null {
			e = Literal{T: text}
		}
		caption := f.Caption
		if caption == "" {
			caption = f.Name
		}
		c.calculated[f.Name] = &Named{Key: f.Name, Expr: e, Caption: caption, Raw: usesRawMeasure(e), Summed: e.Level() == GroupLevel}
	}
	return nil
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
	if got := e.Type(); want.Kind != got.Kind && !(want.Numeric() && got.Numeric()) {
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

// bindOverrides reads the aggregations that groupBy gives to fields.
func (c *clauses) bindOverrides() error {
	for i, g := range c.in.GroupBy {
		if g.Agg == "" {
			continue
		}
		path := "groupBy[" + itoa(i) + "]"
		fn, ok := aggNamed(g.Agg)
		if !ok {
			return unknownAggregation(g.Agg, path+".agg")
		}
		f, err := c.field(g.Field, path+".field")
		if err != nil {
			return err
		}
		c.overrides[f.Name] = fn
	}
	return nil
}

// bindTotals chooses what has a total: every selected measure or aggregate (decision 36).
func (c *clauses) bindTotals() error {
	if !c.in.ReturnTotal {
		return nil
	}
	c.out.Totals = []Output{}
	for _, col := range c.columns {
		e := col.Expr
		if col.Measure != nil {
			var err error
			if e, err = c.measureValue(col.Measure, c.overrides[col.Measure.Name]); err != nil {
				return at(err, col.path)
			}
		}
		if e.Level() != GroupLevel || !c.free(e) {
			continue
		}
		key := col.Key
		if key == "total" {
			key = col.text
		}
		c.out.Totals = append(c.out.Totals, Output{Key: key, Expr: e, Caption: col.Caption, Measure: true})
	}
	return nil
}

// free reports whether an aggregate expression uses no group key, and so has a value over all rows.
func (c *clauses) free(e Expr) bool {
	ok := true
	Visit(e, func(x Expr) bool {
		switch x.(type) {
		case *Agg:
			return false
		case Field, Stored:
			ok = false
		}
		return true
	})
	return ok
}

// requireFilters refuses a query that does not filter on the fields that the model demands.
func (c *clauses) requireFilters() error {
	if len(c.model.RequireFilter) == 0 {
		return nil
	}
	filtered := map[*semantic.Dimension]bool{}
	names := map[string]bool{}
	Visit(c.out.Rows, func(x Expr) bool {
		if f, ok := x.(Field); ok {
			names[f.Name] = true
			filtered[f.Dimension] = f.Dimension != nil
		}
		return true
	})
	for _, name := range c.model.RequireFilter {
		if !names[name] && !filtered[c.model.Dimension(name)] {
			return filterRequired(name, c.model.Name)
		}
	}
	return nil
}
