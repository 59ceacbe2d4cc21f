package plan

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// grouper is a stage of groups: it hands out the column of a key or an aggregate, and is finished into a Select.
type grouper interface {
	key(i int) resolve.Column
	aggregate(a *resolve.Agg) resolve.Column
	finish() *Select
	// within keeps the rows whose values of some keys stand in a stage as k0, k1, …; keys names them for a model.
	within(alive func() (*Select, error), keys func(m *semantic.Model) ([]resolve.Expr, error)) error
}

const groupsAlias = "g"

// groups aggregates the rows of one model. Its stages, innermost first: rows, the groups that survived (for totals
// under a filter on groups), the ends of semi-additive measures, the aggregation.
type groups struct {
	rows      *rows
	keys      []resolve.Column
	sel       *Select
	names     map[string]string
	semi      []Output
	survivors *Select
	survived  []resolve.Column // of rows: the keys that survivors holds as k0, k1, …
}

func newGroups(r *rows, filter resolve.Expr, keys []resolve.Expr) *groups {
	g := &groups{rows: r, sel: &Select{}, names: map[string]string{}}
	g.rows.filter(filter)
	if len(keys) == 0 {
		return g
	}
	g.keys, g.sel.GroupBy = make([]resolve.Column, len(keys)), make([]resolve.Expr, len(keys))
	g.sel.Columns = make([]Output, len(keys), 2*len(keys)+2)
	for i, k := range keys {
		g.keys[i] = g.rows.output(k)
		g.sel.GroupBy[i] = g.keys[i]
		g.sel.Columns[i] = Output{Name: keyName(i), Expr: g.sel.GroupBy[i]}
	}
	return g
}

func keyName(i int) string { return keyNames.of(i) }

func (g *groups) key(i int) resolve.Column {
	return resolve.Column{Rel: groupsAlias, Name: keyName(i), T: g.keys[i].T}
}

func (g *groups) within(alive func() (*Select, error), keys func(m *semantic.Model) ([]resolve.Expr, error)) (err error) {
	if g.survivors, err = alive(); err != nil {
		return err
	}
	own, err := keys(g.rows.model)
	for _, k := range own {
		g.survived = append(g.survived, g.rows.output(k))
	}
	return err
}

// aggregate returns the column of an aggregate, computing each once.
func (g *groups) aggregate(a *resolve.Agg) resolve.Column {
	text := a.String()
	name, ok := g.names[text]
	if !ok {
		name = aggregateNames.of(len(g.names))
		g.names[text] = name
		g.sel.Columns = append(g.sel.Columns, Output{Name: name, Expr: &resolve.Agg{Fn: a.Fn, Arg: g.argument(a), T: a.T}})
	}
	return resolve.Column{Rel: groupsAlias, Name: name, T: a.T}
}

func (g *groups) argument(a *resolve.Agg) resolve.Expr {
	if a.Semi == nil {
		if a.Arg == nil {
			return nil
		}
		return g.rows.output(a.Arg)
	}
	var arg resolve.Expr = one
	if a.Arg != nil {
		arg = g.rows.output(a.Arg)
	}
	over := g.rows.output(a.Semi.Over)
	atEnd := &resolve.Op{Fn: resolve.Eq, Args: []resolve.Expr{over, g.end(a.Semi, over)}, T: boolean}
	return &resolve.Op{Fn: resolve.Case, Args: []resolve.Expr{atEnd, arg, resolve.Literal{T: arg.Type()}}, T: arg.Type()}
}

// end returns the column that holds, for each row, the last (or first) value of a semi-additive measure's time within
// the row's group and series.
func (g *groups) end(s *resolve.Semi, over resolve.Column) resolve.Column {
	w := &resolve.Window{Fn: resolve.WindowFn(semantic.Min), Args: []resolve.Expr{over}, T: over.T}
	if s.Use == semantic.UseLast {
		w.Fn = resolve.WindowFn(semantic.Max)
	}
	for _, k := range g.keys {
		w.PartitionBy = append(w.PartitionBy, k)
	}
	for _, p := range s.Per {
		w.PartitionBy = append(w.PartitionBy, g.rows.output(p))
	}
	for _, have := range g.semi {
		if have.Expr.String() == w.String() {
			return resolve.Column{Rel: rowsAlias, Name: have.Name, T: over.T}
		}
	}
	out := Output{Name: "w" + strconv.Itoa(len(g.semi)), Expr: w}
	g.semi = append(g.semi, out)
	return resolve.Column{Rel: rowsAlias, Name: out.Name, T: over.T}
}

// finish stacks the stages.
func (g *groups) finish() *Select {
	inner := g.rows.finish()
	if g.survivors != nil {
		j := Join{To: Derived{Select: g.survivors, Alias: "s"}, Required: true}
		for i, k := range g.survived {
			j.On = append(j.On, Pair{Left: k, Right: resolve.Column{Rel: "s", Name: keyName(i)}, NullSafe: true})
		}
		inner = passed(inner)
		inner.Joins = []Join{j}
	}
	if len(g.semi) > 0 {
		inner = passed(inner)
		inner.Columns = append(inner.Columns, g.semi...)
	}
	g.sel.From = Derived{Select: inner, Alias: rowsAlias}
	return g.sel
}

// passed is a stage that hands on every column of an inner one.
func passed(inner *Select) *Select {
	outer := &Select{From: Derived{Select: inner, Alias: rowsAlias}}
	for _, c := range inner.Columns {
		outer.Columns = append(outer.Columns, Output{Name: c.Name, Expr: resolve.Column{Rel: rowsAlias, Name: c.Name, T: c.Expr.Type()}})
	}
	return outer
}
