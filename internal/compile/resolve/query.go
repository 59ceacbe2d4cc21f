package resolve

import (
	"time"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Request is what a query is resolved against.
type Request struct {
	Model       *semantic.Model
	Query       *query.Query
	Grant       access.Grant
	Now         time.Time
	Summary     bool // one value for each column over all rows
	DefaultRows int64
	MaxRows     int64
}

// Query is a query whose every name is bound and every value typed.
type Query struct {
	Model    *semantic.Model
	Grouped  bool
	Columns  []Output
	Keys     []Expr                   // of the groups, selected or not
	Identity []Expr                   // what tells two result rows apart: the keys of groups, the model's key of rows
	KeyNames []string                 // the keys as the caller names them
	Rows     Expr                     // which rows count; nil: all
	FactRows map[*semantic.Model]Expr // which rows of each fact count, beside Rows, by the facts' own policies
	Groups   Expr                     // which groups count; nil: all
	Results  Expr                     // which result rows count, once windows are computed; nil: all
	Order    []Order
	Totals   []Output // nil unless totals were asked for
	Distinct bool

	Subtotals bool        // with a row for every prefix of the keys, and one for all
	Top       *Top        // nil: all groups
	Time      *TimeWindow // nil: rows count in no period

	Start, Limit int64
	LimitGiven   bool

	Before, After []string // the filters on rows and on what was made of them, in words
	Ranges        []Range
	Warnings      []string
	Captions      []*semantic.Dimension // whose captions, without their ids, make groups
	Access        Access
}

// Windowed reports whether any part of the query looks at the rows beside a row.
func (q *Query) Windowed() bool {
	if q.Results != nil {
		return true
	}
	for _, c := range q.Columns {
		if c.Expr.Level() == WindowLevel {
			return true
		}
	}
	for _, o := range q.Order {
		if o.Expr.Level() == WindowLevel {
			return true
		}
	}
	return false
}

// Output is a column of the answer.
type Output struct {
	Key     string
	Expr    Expr
	Caption string
	Measure bool // a measure or an aggregate
}

// Order is one term of an order.
type Order struct {
	Expr       Expr
	Desc       bool
	NullsFirst bool
}

// String shows the term.
func (o Order) String() string {
	s := o.Expr.String()
	if o.Desc {
		s += " desc"
	}
	if o.NullsFirst {
		s += " nulls first"
	}
	return s + ";"
}

// Resolve binds a query, clause by clause.
func Resolve(req Request) (*Query, error) {
	if !req.Grant.Model() {
		return nil, deniedModel(req.Model.Name)
	}
	c := &clauses{
		resolver: &resolver{
			model: req.Model, grant: req.Grant, today: newToday(req.Now, req.Model.Calendar),
			names: map[string]*definition{}, shown: map[string]bool{}, fieldsOnly: withholds(req.Grant, req.Model),
		},
		in:      req.Query,
		summary: req.Summary,
		out:     &Query{Model: req.Model, Distinct: req.Query.Distinct},
	}
	steps := []func() error{
		c.defineNames, c.bindOverrides, c.decideGrouping, c.bindColumns, c.refuseDetail, c.excludeColumns, c.bindTime, c.bindKeys,
		c.finishColumns, c.bindSlice, c.checkTimeFree, c.bindHaving, c.withhold, c.bindTop, c.bindOrder, c.bindTotals, c.bindUnused,
		c.requireFilters, c.warnCyclic, c.noteCaptions, c.limitRows, c.noteAccess,
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
	c.out.Ranges, c.out.Warnings = c.ranges, c.warnings
	return c.out, nil
}

// clauses is the state of one resolution.
type clauses struct {
	*resolver
	in      *query.Query
	summary bool
	out     *Query
	columns []*column
	keys    map[string]bool
}

// bindOverrides reads the aggregations that groupBy gives to fields.
func (c *clauses) bindOverrides() error {
	for i, g := range c.in.GroupBy {
		if g.Agg == "" {
			continue
		}
		path := query.Entry("groupBy", i)
		fn, ok := aggNamed(g.Agg)
		if !ok {
			return unknownAggregation(g.Agg, path+".agg")
		}
		f, err := c.field(g.Field, path+".field")
		if err != nil {
			return err
		}
		if err := c.unlisted(fn, f.Name, path+".agg"); err != nil {
			return err
		}
		if c.overrides == nil {
			c.overrides = map[string]semantic.Agg{}
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
	if c.out.Results != nil && !c.grouped && len(c.model.Key) == 0 {
		return keyRequired(c.model.Name)
	}
	if err := c.refuseOverlap("returnTotal", c.out.Groups != nil || c.out.Results != nil); err != nil {
		return err
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
		if e.Level() != GroupLevel || !free(e) || beside(e) {
			continue
		}
		e = c.totalled(e)
		key := col.Key
		if key == "total" {
			key = col.text
		}
		c.out.Totals = append(c.out.Totals, Output{Key: key, Expr: e, Caption: col.Caption, Measure: true})
	}
	return nil
}

// refuseOverlap refuses a clause that puts some groups together where they are of a hierarchy's view: such groups
// overlap, so the rows of some of them cannot be told from the rows of the rest.
func (c *clauses) refuseOverlap(clause string, some bool) error {
	for i, k := range c.out.Keys {
		if some && TreeOf(k) != nil {
			return overlappingGroups(c.out.KeyNames[i], clause)
		}
	}
	return nil
}

// TreeOf returns the field of a hierarchy's view that a key is, or shows a mask of; nil if it is of none.
func TreeOf(key Expr) (tree *semantic.Field) {
	Visit(key, func(x Expr) bool {
		if f, ok := x.(Field); ok && f.Tree {
			tree = f.Field
		}
		return tree == nil
	})
	return tree
}

// beside reports whether an expression looks at another stretch of time than its own.
func beside(e Expr) (found bool) {
	Visit(e, func(x Expr) bool {
		a, ok := x.(*Agg)
		found = found || ok && a.Part != Own
		return true
	})
	return found
}

// free reports whether an aggregate expression uses no group key, and so has a value over all rows.
func free(e Expr) bool {
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
