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
)

// node is a bound expression.
type node struct {
	typ   value.Type
	level level
	raw   bool    // reads a measure's value of a row outside of every aggregate
	loose []loose // what it reads of a row outside of every aggregate
	// num and den are set on a quotient, whose parts stay exact until it is rounded once.
	num, den *node
	eval     func(*scope) (Value, error)
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
}

// group is the rows of one group, of each fact; a fact that lacks the group is not there.
type group struct {
	keys  []Value
	parts map[*semantic.Model][]*base
}

func newGroup(keys []Value) *group {
	return &group{keys: keys, parts: map[*semantic.Model][]*base{}}
}

// over returns the scope of a whole group.
func (g *group) over(zero bool) *scope {
	s := &scope{group: g, zero: zero}
	for _, rows := range g.parts {
		if len(rows) > 0 {
			s.row = rows[0]
		}
	}
	return s
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
		n.raw = n.raw || x.raw
		n.loose = append(n.loose, x.loose...)
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
