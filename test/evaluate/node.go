package evaluate

import (
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// level is what an expression has one value for.
type level uint8

const (
	constant level = iota
	perRow
	perGroup
	perWindow
)

// node is a bound expression.
type node struct {
	typ   value.Type
	level level
	semi  bool                // reads the value of a row of a measure that is not added up along a time
	raw   bool                // reads a measure's value of a row outside of every aggregate
	loose []loose             // what it reads of a row outside of every aggregate
	tree  *semantic.Dimension // reads the view of its hierarchy
	// ratio is set on what is computed with a quotient: its value before it is rounded.
	ratio func(*scope) (Value, error)
	eval  func(*scope) (Value, error)
}

// loose is something that is read of a row: a field, or what is made of others.
type loose struct {
	id    string
	inner []loose
}

// scope is what an expression is evaluated over. A group's row is any of its rows, for the sake of its keys.
type scope struct {
	row   *base
	group *group
	zero  bool // a sum over nothing is 0

	lines *lineSet // what windows look over, and where in it this is; nil where none may stand
	at    int
}

// group is the rows of one group, of each fact; a fact that lacks the group is not there.
type group struct {
	keys  []Value
	first *base // any of its rows, seen as the keys see it; nil without keys
	parts map[*semantic.Model][]*base
}

func newGroup(keys []Value) *group {
	return &group{keys: keys, parts: map[*semantic.Model][]*base{}}
}

// over returns the scope of a whole group.
func (g *group) over(zero bool) *scope {
	return &scope{group: g, row: g.first, zero: zero}
}

// holds reports whether a condition is true; null is not.
func (n *node) holds(s *scope) (bool, error) {
	v, err := n.eval(s)
	return err == nil && v.Bool, err
}

func literal(t value.Type, v Value) *node {
	return &node{typ: t, eval: func(*scope) (Value, error) { return v, nil }}
}

// join returns a node over others: of the highest level among them, reading what they read.
func join(t value.Type, eval func(*scope) (Value, error), of ...*node) *node {
	n := &node{typ: t, eval: eval}
	for _, x := range of {
		n.level = max(n.level, x.level)
		n.raw, n.semi = n.raw || x.raw, n.semi || x.semi
		n.loose = append(n.loose, x.loose...)
		if x.tree != nil {
			n.tree = x.tree
		}
	}
	return n
}

// named returns the node as one thing that keys may name.
func (n *node) named(id string) *node {
	if n.level != perRow {
		return n
	}
	c := *n
	c.loose = []loose{{id: id, inner: n.loose}}
	return &c
}

var (
	boolean = value.Type{Kind: value.Boolean}
	integer = value.Type{Kind: value.Integer}
	text    = value.Type{Kind: value.String}
)
