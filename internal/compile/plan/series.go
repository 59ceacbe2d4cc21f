package plan

import (
	"slices"
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// series is a grouping whose aggregates are taken of each point in time first and then along it: averaged, or the
// least or greatest of them. Its stages, innermost first: groups by keys, series and time; the times of each series put
// together; the series put together.
type series struct {
	inner *groups
	semi  *resolve.Semi
	keys  int
	cells []*resolve.Agg // inner aggregates, as the inner stage's columns tell
	cols  []resolve.Column
}

// seriesOf returns the distinct ways in which a query goes along a time, beyond taking one end of it.
func seriesOf(q *resolve.Query) []*resolve.Semi {
	var list []*resolve.Semi
	see := func(e resolve.Expr) {
		resolve.Visit(e, func(x resolve.Expr) bool {
			a, ok := x.(*resolve.Agg)
			if ok && a.Semi != nil && !a.Semi.AtEnd() && !slices.ContainsFunc(list, func(s *resolve.Semi) bool { return s.String() == a.Semi.String() }) {
				list = append(list, a.Semi)
			}
			return true
		})
	}
	for _, c := range slices.Concat(q.Columns, q.Totals) {
		see(c.Expr)
	}
	for _, o := range q.Order {
		see(o.Expr)
	}
	if q.Top != nil {
		see(q.Top.By.Expr)
	}
	see(q.Groups)
	see(q.Results)
	return list
}

// withSeries puts the series of a query beside its plain groups.
func withSeries(q *resolve.Query, keys []resolve.Expr, list []*resolve.Semi) grouper {
	u := &union{keys: len(keys), parts: []grouper{newGroups(newRows(q.Model), q.Rows, keys)}}
	for _, s := range list {
		all := slices.Concat(keys, s.Per, []resolve.Expr{s.Over})
		u.parts = append(u.parts, &series{inner: newGroups(newRows(q.Model), q.Rows, all), semi: s, keys: len(keys)})
	}
	u.partOf = func(a *resolve.Agg) int {
		if a.Semi == nil {
			return 0
		}
		return 1 + slices.IndexFunc(list, func(s *resolve.Semi) bool { return s.String() == a.Semi.String() })
	}
	return u
}

func (s *series) key(i int) resolve.Column { return s.inner.key(i) }

func (s *series) within(alive func() (*Select, error), keys func(m *semantic.Model) ([]resolve.Expr, error)) error {
	return s.inner.within(alive, keys)
}

func (s *series) aggregate(a *resolve.Agg) resolve.Column {
	plain := &resolve.Agg{Fn: a.Fn, Arg: a.Arg, T: pointType(a)}
	s.cols = append(s.cols, s.inner.aggregate(plain))
	s.cells = append(s.cells, a)
	return resolve.Column{Rel: groupsAlias, Name: seriesName("v", len(s.cells)-1), T: a.T}
}

// pointType is the type of an aggregate at one point in time.
func pointType(a *resolve.Agg) value.Type {
	switch {
	case a.Fn == semantic.Count || a.Fn == semantic.CountDistinct:
		return value.Type{Kind: value.Integer, Wide: true}
	case a.Arg != nil:
		t := a.Arg.Type()
		t.Wide = true
		return t
	}
	return a.T
}

func seriesName(kind string, n int) string { return kind + strconv.Itoa(n) }

func (s *series) finish() *Select {
	along := s.along(s.inner.finish())
	if len(s.semi.Per) == 0 {
		return along
	}
	return s.together(along)
}

// along puts the times of each series together. A time that is null counts for nothing.
func (s *series) along(points *Select) *Select {
	n := s.keys + len(s.semi.Per)
	sums := s.grouped(points, n)
	last := s.inner.key(n)
	sums.Where = &resolve.Op{Fn: resolve.Not, T: boolean, Args: []resolve.Expr{&resolve.Op{Fn: resolve.IsNull, Args: []resolve.Expr{last}, T: boolean}}}
	outer := &Select{From: Derived{Select: sums, Alias: groupsAlias}}
	for i := range n {
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: s.inner.key(i)})
	}
	if n == 0 {
		outer.Columns = []Output{{Name: "n", Expr: resolve.Column{Rel: groupsAlias, Name: "n", T: one.T}}}
	}
	for i, a := range s.cells {
		col := s.cols[i]
		if s.semi.Use != semantic.UseAvg {
			sums.Columns = append(sums.Columns, Output{Name: seriesName("s", i), Expr: &resolve.Agg{Fn: semantic.Agg(s.semi.Use), Arg: col, T: col.T}})
			outer.Columns = append(outer.Columns, Output{Name: seriesName("v", i), Expr: resolve.Column{Rel: groupsAlias, Name: seriesName("s", i), T: col.T}})
			continue
		}
		sums.Columns = append(sums.Columns,
			Output{Name: seriesName("s", i), Expr: &resolve.Agg{Fn: semantic.Sum, Arg: col, T: col.T}},
			Output{Name: seriesName("n", i), Expr: &resolve.Agg{Fn: semantic.Count, Arg: col, T: value.Type{Kind: value.Integer, Wide: true}}})
		outer.Columns = append(outer.Columns, Output{Name: seriesName("v", i), Expr: resolve.Ratio(
			resolve.Column{Rel: groupsAlias, Name: seriesName("s", i), T: col.T},
			resolve.Column{Rel: groupsAlias, Name: seriesName("n", i), T: value.Type{Kind: value.Integer, Wide: true}}, a.T)})
	}
	return outer
}

// together puts the series of each group together, as the aggregate itself would.
func (s *series) together(along *Select) *Select {
	outer := s.grouped(along, s.keys)
	for i, a := range s.cells {
		fn := a.Fn
		if fn == semantic.Count || fn == semantic.CountDistinct {
			fn = semantic.Sum
		}
		in := resolve.Column{Rel: groupsAlias, Name: seriesName("v", i), T: a.T}
		outer.Columns = append(outer.Columns, Output{Name: seriesName("v", i), Expr: &resolve.Agg{Fn: fn, Arg: in, T: a.T}})
	}
	return outer
}

// grouped is a stage that groups an inner one by its first n keys.
func (s *series) grouped(inner *Select, n int) *Select {
	outer := &Select{From: Derived{Select: inner, Alias: groupsAlias}}
	for i := range n {
		k := s.inner.key(i)
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: k})
		outer.GroupBy = append(outer.GroupBy, k)
	}
	if n == 0 {
		outer.Columns = []Output{countRows()}
	}
	return outer
}

var boolean = value.Type{Kind: value.Boolean}
