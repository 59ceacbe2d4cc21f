package evaluate

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// run is the evaluation of one query.
type run struct {
	*binder
	input   Input
	single  bool // one group without keys
	columns []output
	keys    []key
	before  []*node
	after   []*node
	last    []*node // conditions on windows
	order   []ordering
	ranking ordering // of topN
}

// output is one column of the rows.
type output struct {
	Column
	expr query.Expr
	node *node
}

// key is one group key.
type key struct {
	id   string
	node *node
}

// Run evaluates a query. What the language refuses is a *Refusal, what the documents leave open an *Unclear.
func Run(in Input) (*Answer, error) {
	q := in.Query
	r := &run{input: in, binder: &binder{
		model: in.Model, today: in.Today, data: in.Data, calculated: q.Calculated, asked: q.Columns, aliases: map[string]*node{}, sight: in.Sight,
		overrides: map[*semantic.Measure]semantic.Agg{}, keys: map[string]bool{},
	}}
	for _, step := range []func() error{
		r.checkScope, r.decideMode, r.checkCalculated, r.bindKeys, r.bindColumns, r.bindFilters, r.bindLeast, r.bindTop, r.bindOrder,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r.answer()
}

// checkCalculated binds every calculated field once.
func (r *run) checkCalculated() error {
	for i, c := range r.calculated {
		if r.model.Field(c.Name) != nil {
			return refuse("name_taken", "%s", c.Name)
		}
		if _, err := r.calculatedField(i, mode{}); err != nil {
			return err
		}
	}
	return nil
}

// checkScope leaves out what this evaluator does not speak of.
func (r *run) checkScope() error {
	q := r.input.Query
	switch {
	case len(r.model.RequireFilter) > 0:
		return unclear("required filters")
	case r.model.Multi == nil && !r.input.Data.unique(r.model.Dimensions):
		return unclear("dimension rows that share a key")
	case q.Time != nil:
		return unclear("time windows")
	}
	return nil
}

// decideMode tells detail from grouped (decision 45).
func (r *run) decideMode() error {
	q, all := r.input.Query, len(r.calculated)
	aggregated := false
	for _, c := range q.Columns {
		aggregated = aggregated || r.groups(c.Expr, all)
	}
	for _, o := range q.OrderBy {
		aggregated = aggregated || r.groups(o.Expr, all)
	}
	for _, c := range q.Slice {
		aggregated = aggregated || r.conditionGroups(c)
	}
	r.grouped = len(q.GroupBy) > 0 || aggregated || r.input.Summary && r.least()
	switch {
	case len(q.Columns) == 0 && len(q.GroupBy) == 0 && !aggregated && slices.ContainsFunc(q.Calculated, r.aggregates):
		return unclear("an aggregate that is calculated and not used, beside all columns")
	case len(q.Columns) == 0 && len(q.GroupBy) == 0 && aggregated:
		return refuse("aggregate_without_columns", "an aggregate beside all columns")
	case len(q.Having) > 0 && !r.grouped && r.model.Multi == nil:
		return refuse("having_without_grouping", "there are no groups")
	}
	if r.model.Multi != nil && !r.grouped {
		for _, c := range q.Columns {
			r.grouped = r.grouped || r.measureOf(c.Expr) != nil
		}
		if !r.grouped {
			return refuse("not_shared", "a detail query of several facts")
		}
	}
	return nil
}

// aggregates reports whether a calculated field is of groups.
func (r *run) aggregates(c query.Calculated) bool {
	return c.Agg != "" || r.groups(overWindow(c), len(r.calculated))
}

// bindKeys binds the entries of groupBy and adds every selected plain column (decision 46).
func (r *run) bindKeys() error {
	if !r.grouped {
		return nil
	}
	for _, g := range r.input.Query.GroupBy {
		ref := &query.Ref{Name: g.Field}
		if m := r.measureOf(ref); m != nil {
			if err := r.sees(r.model.Field(g.Field)); err != nil {
				return err
			}
			if g.Agg == "" {
				return unclear("a measure in groupBy without agg")
			}
			agg := semantic.Agg(query.CanonicalFunction(g.Agg))
			if !query.IsAggregate(string(agg)) {
				return refuse("unknown_function", "%s", g.Agg)
			}
			r.overrides[m] = agg
			continue
		}
		if g.Agg != "" {
			return unclear("agg of a field that is no measure")
		}
		n, err := r.ref(g.Field, r.key())
		if err != nil {
			return err
		}
		if n.level != perRow {
			return refuse("bad_group", "%s", g.Field)
		}
		r.addKey(r.id(ref), n)
	}
	for _, c := range r.input.Query.Columns {
		if r.excluded(c) || r.measureOf(c.Expr) != nil || r.groups(c.Expr, len(r.calculated)) || r.windows(c.Expr, len(r.calculated)) || r.binder.keys[r.id(c.Expr)] {
			continue
		}
		n, err := r.expr(c.Expr, r.key())
		switch {
		case err != nil:
			return err
		case n.level == constant:
			return unclear("a constant column of groups")
		case n.raw:
			return refuse("two_meanings", "%s of a row or of a group", c.Text)
		}
		r.addKey(r.id(c.Expr), n.named(r.id(c.Expr)))
	}
	r.single = len(r.keys) == 0
	return nil
}

func (r *run) addKey(id string, n *node) {
	if !r.binder.keys[id] {
		r.binder.keys[id] = true
		r.keys = append(r.keys, key{id, n})
	}
}
