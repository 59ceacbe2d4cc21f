package plan

import (
	"slices"
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// WithoutWindows rewrites a statement for databases without window functions: an aggregate over all rows of a
// partition becomes a join with the partitions' aggregates. Semi-additive measures need no other. Windows that depend
// on an order stay, for the caller to refuse.
func WithoutWindows(s *Select) *Select {
	out := *s
	out.From = withoutWindows(s.From)
	out.Joins = slices.Clone(s.Joins)
	for i, j := range out.Joins {
		out.Joins[i].To = withoutWindows(j.To)
	}
	if !slices.ContainsFunc(s.Columns, func(c Output) bool { return overPartition(c.Expr) != nil }) || len(s.Joins) > 0 || s.Where != nil {
		return &out
	}
	joinPartitions(&out)
	return &out
}

func withoutWindows(s Source) Source {
	switch x := s.(type) {
	case Derived:
		return Derived{Select: WithoutWindows(x.Select), Alias: x.Alias}
	case Union:
		selects := make([]*Select, len(x.Selects))
		for i, sel := range x.Selects {
			selects[i] = WithoutWindows(sel)
		}
		return Union{Selects: selects, Alias: x.Alias}
	case Table, Tree, Values:
	}
	return s
}

// overPartition returns an aggregate over a whole partition, or nil.
func overPartition(e resolve.Expr) *resolve.Window {
	w, ok := e.(*resolve.Window)
	if !ok || len(w.OrderBy) > 0 || w.Frame != nil || !slices.Contains(aggregates, semantic.Agg(w.Fn)) {
		return nil
	}
	return w
}

var aggregates = []semantic.Agg{
	semantic.Sum, semantic.Avg, semantic.Count, semantic.CountDistinct, semantic.Min, semantic.Max, semantic.Median,
	semantic.StddevPop, semantic.StddevSamp, semantic.VarPop, semantic.VarSamp, semantic.GroupConcat, resolve.MedianLow, resolve.MedianHigh,
}

// partitions is the groups that some aggregates of a stage share.
type partitions struct {
	keys  string
	sel   *Select
	alias string
}

// joinPartitions replaces the aggregates over partitions of a stage by columns of joins, one for each partitioning.
func joinPartitions(s *Select) {
	var list []*partitions
	columns := slices.Clone(s.Columns)
	for i, c := range columns {
		w := overPartition(c.Expr)
		if w == nil {
			continue
		}
		var p *partitions
		if at := slices.IndexFunc(list, func(p *partitions) bool { return p.keys == keyText(w) }); at >= 0 {
			p = list[at]
		} else {
			p = &partitions{keys: keyText(w), alias: "e" + strconv.Itoa(len(list))}
			list = append(list, p)
			s.Joins = append(s.Joins, p.open(w, s.From))
		}
		columns[i].Expr = p.aggregate(w)
	}
	s.Columns = columns
}

func keyText(w *resolve.Window) string {
	text := ""
	for _, k := range w.PartitionBy {
		text += k.String() + "\n"
	}
	return text
}

// open starts the groups of a partitioning, over the rows of a stage, and returns how they are joined to those. What is
// constant divides no rows.
func (p *partitions) open(w *resolve.Window, from Source) Join {
	p.sel = &Select{From: from}
	j := Join{To: Derived{Select: p.sel, Alias: p.alias}, Required: true}
	for i, k := range w.PartitionBy {
		col, ok := k.(resolve.Column)
		if !ok {
			continue
		}
		p.sel.GroupBy = append(p.sel.GroupBy, col)
		p.sel.Columns = append(p.sel.Columns, Output{Name: keyName(i), Expr: col})
		j.On = append(j.On, Pair{Left: col, Right: resolve.Column{Rel: p.alias, Name: keyName(i), T: col.T}, NullSafe: true})
	}
	return j
}

func (p *partitions) aggregate(w *resolve.Window) resolve.Column {
	a := &resolve.Agg{Fn: semantic.Agg(w.Fn), T: w.T}
	if len(w.Args) > 0 {
		a.Arg = w.Args[0]
	}
	name := "a" + strconv.Itoa(len(p.sel.Columns))
	p.sel.Columns = append(p.sel.Columns, Output{Name: name, Expr: a})
	return resolve.Column{Rel: p.alias, Name: name, T: w.T}
}
