package evaluate

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// lineSet is all rows or groups that windows look over: those that passed every filter but the ones on windows.
type lineSet struct {
	scopes []*scope
	ties   [][]Value // what breaks ties
	memo   map[*node][]Value
}

// set joins scopes so that each sees all.
func set(scopes []*scope, ties [][]Value) {
	l := &lineSet{scopes: scopes, ties: ties, memo: map[*node][]Value{}}
	for i, s := range scopes {
		s.lines, s.at = l, i
	}
}

// values returns what an expression is of every line.
func (l *lineSet) values(n *node) ([]Value, error) {
	if known, ok := l.memo[n]; ok {
		return known, nil
	}
	list := make([]Value, len(l.scopes))
	for i, s := range l.scopes {
		v, err := n.eval(s)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	l.memo[n] = list
	return list, nil
}

// window is a bound OVER clause.
type window struct {
	partition []*node
	order     []ordering
	frame     *query.Frame
}

// windowCall binds a function over a window. What stands inside is of the rows, or of the groups of a grouped query.
func (b *binder) windowCall(c *query.Call, over *query.Window, m mode) (*node, error) {
	if m.within {
		return nil, refuse("window_in_aggregate", "%s", c)
	}
	if b.model.Multi != nil {
		return nil, unclear("windows of several facts")
	}
	m.aggregated = b.grouped
	w := window{frame: over.Frame}
	var all []*node
	for _, e := range over.PartitionBy {
		n, err := b.expr(e, m)
		if err != nil {
			return nil, err
		}
		w.partition, all = append(w.partition, n), append(all, n)
	}
	for _, o := range over.OrderBy {
		n, err := b.expr(o.Expr, m)
		if err != nil {
			return nil, err
		}
		w.order, all = append(w.order, ordering{n, o.Desc, o.Nulls == query.NullsFirst}), append(all, n)
	}
	args, err := b.exprs(m, c.Args...)
	if err != nil {
		return nil, err
	}
	all = append(all, args...)
	n, err := w.function(c, args)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if x.tree != nil {
			return nil, unclear("the view of a hierarchy in a window")
		}
		n.loose = append(n.loose, x.loose...)
	}
	n.level = perWindow
	return n, nil
}

// function returns the node of a window function.
func (w window) function(c *query.Call, args []*node) (*node, error) {
	switch c.Func {
	case "row_number", "rank", "dense_rank":
		if len(w.order) == 0 {
			return nil, unclear("%s without an order", c.Func)
		}
		return w.place(integer, func(part []int, at int, peers func(a, b int) bool) (Value, error) {
			return Int(rank(c.Func, part, at, peers)), nil
		}), nil
	case "lag", "lead":
		if len(args) != 1 || len(w.order) == 0 {
			return nil, unclear("%s", c)
		}
		return w.shifted(args[0], map[string]int{"lag": -1, "lead": 1}[c.Func]), nil
	}
	if c.Star {
		args = []*node{literal(integer, Int(1))}
	}
	if !query.IsAggregate(c.Func) || len(args) != 1 {
		return nil, unclear("window function %s", c)
	}
	agg := semantic.Agg(c.Func)
	typ, err := aggregateType(agg, args[0].typ)
	if err != nil {
		return nil, err
	}
	switch agg {
	case semantic.Avg:
		total, count := w.folded(semantic.Sum, args[0].typ, args[0]), w.folded(semantic.Count, integer, args[0])
		total.level, count.level = perWindow, perWindow
		return quotient(total, count), nil
	case semantic.Sum, semantic.Count, semantic.Min, semantic.Max:
		return w.folded(agg, typ, args[0]), nil
	default:
		return nil, unclear("%s over a window", agg)
	}
}

func rank(name string, part []int, at int, peers func(a, b int) bool) int64 {
	place, groups := 0, int64(1)
	for i := 1; i <= at; i++ {
		if !peers(part[i-1], part[i]) {
			place = i
			groups++
		}
	}
	switch name {
	case "rank":
		return int64(place) + 1
	case "dense_rank":
		return groups
	}
	return int64(at) + 1
}

// place returns a function of where a line stands in its partition.
func (w window) place(t value.Type, f func(part []int, at int, peers func(a, b int) bool) (Value, error)) *node {
	return &node{typ: t, eval: func(s *scope) (Value, error) {
		part, peers, err := w.partitionOf(s)
		if err != nil {
			return Value{}, err
		}
		return f(part, slices.Index(part, s.at), peers)
	}}
}

func (w window) shifted(x *node, by int) *node {
	return &node{typ: x.typ, eval: func(s *scope) (Value, error) {
		part, _, err := w.partitionOf(s)
		if err != nil {
			return Value{}, err
		}
		at := slices.Index(part, s.at) + by
		if at < 0 || at >= len(part) {
			return Value{}, nil
		}
		list, err := s.lines.values(x)
		if err != nil {
			return Value{}, err
		}
		return list[part[at]], nil
	}}
}

// folded returns an aggregate over the frame.
func (w window) folded(agg semantic.Agg, t value.Type, x *node) *node {
	return &node{typ: t, eval: func(s *scope) (Value, error) {
		part, peers, err := w.partitionOf(s)
		if err != nil {
			return Value{}, err
		}
		list, err := s.lines.values(x)
		if err != nil {
			return Value{}, err
		}
		from, to, err := w.bounds(part, slices.Index(part, s.at), peers)
		if err != nil {
			return Value{}, err
		}
		var values []Value
		for i := max(0, from); i <= min(to, len(part)-1); i++ {
			if v := list[part[i]]; !v.IsNull() {
				values = append(values, v)
			}
		}
		return reduce(agg, t, values, false)
	}}
}

// bounds returns the first and the last place of the frame: all of the partition without an order, and otherwise up to
// the line and its peers, unless the frame says so.
func (w window) bounds(part []int, at int, peers func(a, b int) bool) (from, to int, err error) {
	if w.frame == nil {
		if len(w.order) == 0 {
			return 0, len(part) - 1, nil
		}
		for to = at; to+1 < len(part) && peers(part[at], part[to+1]); {
			to++
		}
		return 0, to, nil
	}
	if w.frame.Unit != query.Rows || len(w.order) == 0 {
		return 0, 0, unclear("a frame of a range")
	}
	place := func(b query.Bound) int {
		switch b.Kind {
		case query.UnboundedPreceding:
			return 0
		case query.Preceding:
			return at - int(b.Offset)
		case query.CurrentRow:
		case query.Following:
			return at + int(b.Offset)
		case query.UnboundedFollowing:
			return len(part) - 1
		}
		return at
	}
	return place(w.frame.From), place(w.frame.To), nil
}

// partitionOf returns the lines that share the scope's partition, in the order of the window, and which of them are
// equal in it.
func (w window) partitionOf(s *scope) (part []int, peers func(a, b int) bool, err error) {
	keys := make([][]Value, len(s.lines.scopes))
	for _, n := range w.partition {
		list, err := s.lines.values(n)
		if err != nil {
			return nil, nil, err
		}
		for i, v := range list {
			keys[i] = append(keys[i], v)
		}
	}
	by := make([][]Value, len(w.order))
	for i, o := range w.order {
		if by[i], err = s.lines.values(o.node); err != nil {
			return nil, nil, err
		}
	}
	own := identities(keys[s.at])
	for i := range s.lines.scopes {
		if identities(keys[i]) == own {
			part = append(part, i)
		}
	}
	ordered := func(a, b int) int {
		for i, o := range w.order {
			if c := o.compare(by[i][a], by[i][b]); c != 0 {
				return c
			}
		}
		return 0
	}
	slices.SortStableFunc(part, func(a, b int) int {
		if c := ordered(a, b); c != 0 {
			return c
		}
		return compareKeys(s.lines.ties[a], s.lines.ties[b])
	})
	return part, func(a, b int) bool { return ordered(a, b) == 0 }, nil
}

// windows reports whether an expression looks over a window.
func (b *binder) windows(e query.Expr, earlier int) bool {
	found := false
	query.Walk(e, func(e query.Expr) bool {
		switch e := e.(type) {
		case *query.Call:
			found = found || e.Over != nil
		case *query.Ref:
			for i, c := range b.calculated[:earlier] {
				if c.Name == e.Name {
					found = found || c.Window != nil || b.windows(c.Expr, i)
				}
			}
		}
		return !found
	})
	return found
}
