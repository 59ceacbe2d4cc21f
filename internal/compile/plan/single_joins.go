package plan

import (
	"slices"
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/value"
)

// SingleJoins rewrites a statement for databases that join no more than two sources in one SELECT, match no null with
// null in a join, and take an output for a column of the same name.
//
// Every stage gets names of its own and at most one join: the rows join the first source, what is needed of both joins
// the next. A condition stands at the first stage that has all it speaks of. The columns of a table stand without its
// name, which is not the same where its parts are.
//
// Where parts is set, a table may have parts, of whose aggregates not all can be put together.
func SingleJoins(s *Select, parts bool) *Select {
	out, _ := (&nesting{parts: parts}).stage(s, nil)
	return out
}

// nesting hands out names that no table has.
type nesting struct {
	names int
	parts bool
}

func (n *nesting) name() string {
	n.names++
	return "__" + strconv.Itoa(n.names)
}

// chain is a stage on its way to a stack of single joins.
type chain struct {
	*nesting
	whole *Select                           // as it was planned
	cur   *Select                           // the stage at hand
	at    map[resolve.Column]resolve.Column // where the columns of the whole stand now
	from  map[string]bool                   // the aliases of the sources at hand
	rest  []resolve.Expr                    // conditions that wait for a source
}

// stage rewrites a stage and those within it, and returns the new names of its columns by the old ones. Its columns
// are called names where those are given.
func (n *nesting) stage(s *Select, names []string) (*Select, map[string]string) {
	all := *s
	if !n.parts || !whole(s) {
		all = *inlined(s)
	}
	all.Joins = matched(all.Joins)
	c := &chain{nesting: n, whole: &all, at: map[resolve.Column]resolve.Column{}, from: map[string]bool{}, rest: conjuncts(all.Where)}
	for _, j := range all.Joins {
		c.rest = append(c.rest, j.If...)
	}
	c.start()
	for i, j := range all.Joins {
		if i > 0 {
			c.handOn(all.Joins[i:])
		}
		c.join(j, all.Joins[i+1:])
	}
	c.filter()
	return c.finish(names)
}

func (c *chain) start() {
	source, renamed := c.source(c.whole.From)
	c.cur = &Select{From: source}
	c.see(aliasOf(c.whole.From), renamed, c.needed(c.whole.Joins))
}

// see adds a source, whose columns have new names unless it is a table.
func (c *chain) see(alias string, renamed map[string]string, needed []resolve.Column) {
	c.from[alias] = true
	for _, col := range needed {
		name, ok := renamed[col.Name]
		switch {
		case col.Rel != alias:
		case ok:
			c.at[col] = resolve.Column{Name: name, T: col.T}
		default:
			bare := col
			bare.Bare = true
			c.at[col] = bare
		}
	}
}

// value names the columns of an expression as they are called now.
func (c *chain) value(e resolve.Expr) resolve.Expr { return placed(e, c.at) }

func placed(e resolve.Expr, at map[resolve.Column]resolve.Column) resolve.Expr {
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		col, ok := x.(resolve.Column)
		if !ok {
			return nil, false
		}
		if now, ok := at[col]; ok {
			return now, true
		}
		return col, true
	})
}

// needed are the columns of sources that are still spoken of when some joins are to come, each once.
func (c *chain) needed(joins []Join) []resolve.Column {
	var list []resolve.Column
	see := func(e resolve.Expr) {
		for _, col := range columnsOf(e) {
			if col.Rel != "" && !slices.Contains(list, col) {
				list = append(list, col)
			}
		}
	}
	for _, o := range c.whole.Columns {
		see(o.Expr)
	}
	for _, g := range c.whole.GroupBy {
		see(g)
	}
	for _, o := range c.whole.OrderBy {
		see(o.Expr)
	}
	for _, e := range c.rest {
		see(e)
	}
	for _, j := range joins {
		for _, p := range j.On {
			see(p.Left)
			see(p.Right)
		}
	}
	return list
}

func columnsOf(e resolve.Expr) []resolve.Column {
	var found []resolve.Column
	resolve.Visit(e, func(x resolve.Expr) bool {
		if col, ok := x.(resolve.Column); ok {
			found = append(found, col)
		}
		return true
	})
	return found
}

// handOn ends the stage at hand and starts one over what is needed of it.
func (c *chain) handOn(joins []Join) {
	c.filter()
	inner := c.cur
	at := map[resolve.Column]resolve.Column{}
	for _, col := range c.needed(joins) {
		if !c.from[col.Rel] {
			continue
		}
		name := c.name()
		inner.Columns = append(inner.Columns, Output{Name: name, Expr: c.value(col)})
		at[col] = resolve.Column{Name: name, T: col.T}
	}
	if len(inner.Columns) == 0 {
		inner.Columns = []Output{{Name: c.name(), Expr: one}}
	}
	c.at = at
	c.cur = &Select{From: Derived{Select: inner, Alias: "j"}}
}

// filter puts the conditions that can be asked now into the stage at hand.
func (c *chain) filter() {
	var waiting []resolve.Expr
	for _, e := range c.rest {
		if slices.ContainsFunc(columnsOf(e), func(col resolve.Column) bool { return !c.from[col.Rel] }) {
			waiting = append(waiting, e)
			continue
		}
		c.cur.Where = and(c.cur.Where, c.value(e))
	}
	c.rest = waiting
}

// join joins a source to the stage at hand. The keys of both sides become columns that are compared for being equal.
func (c *chain) join(j Join, later []Join) {
	source, renamed := c.source(j.To)
	right := &Select{From: source}
	alias := aliasOf(j.To)
	needed := c.needed(later)
	within := &chain{nesting: c.nesting, at: map[resolve.Column]resolve.Column{}, from: map[string]bool{}}
	within.see(alias, renamed, c.needed(append([]Join{j}, later...)))
	add := func(e resolve.Expr) resolve.Column {
		name := c.name()
		right.Columns = append(right.Columns, Output{Name: name, Expr: e})
		return resolve.Column{Name: name, T: e.Type()}
	}
	out := Join{Required: j.Required}
	for _, p := range j.On {
		theirs := keys(within.value(p.Right), p)
		for i, own := range keys(c.value(p.Left), p) {
			out.If = append(out.If, &resolve.Op{Fn: resolve.Eq, Args: []resolve.Expr{own, add(theirs[i])}, T: boolean})
		}
	}
	for _, col := range needed {
		if col.Rel == alias {
			c.at[col] = add(within.value(col))
		}
	}
	if len(right.Columns) == 0 {
		add(one)
	}
	out.To = Derived{Select: right, Alias: "k"}
	c.cur.Joins = []Join{out}
	c.from[alias] = true
}

// finish gives the last stage what the whole one computes.
func (c *chain) finish(names []string) (*Select, map[string]string) {
	out, s := c.cur, c.whole
	out.Distinct, out.Limit = s.Distinct, s.Limit
	renamed := map[string]string{}
	for i, col := range s.Columns {
		name := ""
		if i < len(names) {
			name = names[i]
		} else {
			name = c.name()
		}
		renamed[col.Name] = name
		out.Columns = append(out.Columns, Output{Name: name, Expr: c.value(col.Expr)})
	}
	for _, g := range s.GroupBy {
		out.GroupBy = append(out.GroupBy, c.value(g))
	}
	for _, o := range s.OrderBy {
		if col, ok := o.Expr.(resolve.Column); ok && col.Rel == "" {
			o.Expr = resolve.Column{Name: renamed[col.Name], T: col.T}
		} else {
			o.Expr = c.value(o.Expr)
		}
		out.OrderBy = append(out.OrderBy, o)
	}
	return out, renamed
}

// source rewrites what stands within a source, and returns the new names of its columns; a table's stay.
func (n *nesting) source(s Source) (Source, map[string]string) {
	switch x := s.(type) {
	case Derived:
		inner, renamed := n.stage(x.Select, nil)
		return Derived{Select: inner, Alias: x.Alias}, renamed
	case Union:
		out := Union{Alias: x.Alias}
		var names []string
		var renamed map[string]string
		for i, sel := range x.Selects {
			inner, first := n.stage(sel, names)
			if i == 0 {
				renamed = first
				for _, col := range inner.Columns {
					names = append(names, col.Name)
				}
			}
			out.Selects = append(out.Selects, inner)
		}
		return out, renamed
	case Values:
		renamed := map[string]string{}
		out := Values{Alias: x.Alias, Rows: x.Rows}
		for _, name := range x.Columns {
			renamed[name] = n.name()
			out.Columns = append(out.Columns, renamed[name])
		}
		return out, renamed
	case Table, Tree:
	}
	return s, nil
}

func aliasOf(s Source) string {
	switch x := s.(type) {
	case Table:
		return x.Alias
	case Tree:
		return x.Alias
	case Values:
		return x.Alias
	case Derived:
		return x.Alias
	case Union:
		return x.Alias
	}
	return ""
}

// conjuncts are the conditions that all must hold.
func conjuncts(e resolve.Expr) []resolve.Expr {
	if e == nil {
		return nil
	}
	if o, ok := e.(*resolve.Op); ok && o.Fn == resolve.And {
		var list []resolve.Expr
		for _, a := range o.Args {
			list = append(list, conjuncts(a)...)
		}
		return list
	}
	return []resolve.Expr{e}
}

// and is both conditions; of none, the other.
func and(x, y resolve.Expr) resolve.Expr {
	if x == nil {
		return y
	}
	return &resolve.Op{Fn: resolve.And, Args: []resolve.Expr{x, y}, T: boolean}
}

// matched gives both columns of each pair the one type that is known of them.
func matched(joins []Join) []Join {
	out := slices.Clone(joins)
	for i, j := range out {
		out[i].On = slices.Clone(j.On)
		for k, p := range j.On {
			t := p.Type()
			p.Left.T, p.Right.T = t, t
			out[i].On[k] = p
		}
	}
	return out
}

// keys are what is compared of one side of a pair, in a type that both sides have. A pair that matches null with null
// compares whether they are null and, in place of null, some value.
func keys(e resolve.Expr, p Pair) []resolve.Expr {
	t := p.Left.T
	null := &resolve.Op{Fn: resolve.IsNull, Args: []resolve.Expr{e}, T: boolean}
	if t.Exact() && (p.NullSafe || t.Kind == value.Decimal || t.Wide) {
		t.Wide = true
		e = &resolve.Op{Fn: resolve.Widen, Args: []resolve.Expr{e}, T: t}
	}
	instead := func(l resolve.Literal) resolve.Expr {
		return &resolve.Op{Fn: resolve.Case, Args: []resolve.Expr{null, l, e}, T: t}
	}
	switch {
	case p.NullSafe: // no key may be a part of another
		mark := &resolve.Op{Fn: resolve.Case, Args: []resolve.Expr{null, one, some(one.T)}, T: one.T}
		return []resolve.Expr{mark, instead(some(t))}
	case t.Kind == value.Integer && !t.Wide: // of 64 bits, as the null is, whatever the columns have
		return []resolve.Expr{instead(resolve.Literal{T: t})}
	}
	return []resolve.Expr{e}
}

// some is a value of a type.
func some(t value.Type) resolve.Literal {
	switch t.Kind {
	case value.Integer, value.Decimal, value.Float:
		return resolve.Literal{V: value.Of(value.Integer, "0"), T: t}
	case value.Boolean:
		return resolve.Literal{V: value.Of(value.Boolean, "false"), T: t}
	case value.Date:
		return resolve.Literal{V: value.Of(value.Date, "2000-01-01"), T: t}
	case value.Timestamp:
		return resolve.Literal{V: value.Of(value.Timestamp, "2000-01-01T00:00:00"), T: t}
	case value.Null, value.String:
	}
	return resolve.Literal{V: value.Of(value.String, ""), T: t}
}
