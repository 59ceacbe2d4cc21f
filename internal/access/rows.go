package access

import (
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// nothing is the condition that no row meets: what a missing attribute leaves.
func nothing() query.Condition { return &query.Logic{Op: query.AnyOf} }

// bound returns a condition of the policy with the identity's values in it. Whatever cannot be compared keeps nothing.
func bound(c semantic.RowCondition, id Identity) query.Condition {
	switch {
	case c.All != nil:
		return &query.Logic{Op: query.AllOf, Conds: boundAll(c.All, id)}
	case c.Any != nil:
		return &query.Logic{Op: query.AnyOf, Conds: boundAll(c.Any, id)}
	case c.Field == nil:
		return nothing()
	}
	values := c.Values
	if c.Attribute != "" {
		values = nil
		for _, v := range id.Attributes[c.Attribute] {
			values = append(values, query.Scalar{Kind: query.StringLiteral, Text: v})
		}
	}
	return compared(c, values)
}

func boundAll(list []semantic.RowCondition, id Identity) []query.Condition {
	conds := make([]query.Condition, len(list))
	for i, c := range list {
		conds[i] = bound(c, id)
	}
	return conds
}

// compared is a comparison with values. No value matches nothing, with any operator that takes one; several values of an
// attribute are alternatives, of which a negative operator leaves out each.
func compared(c semantic.RowCondition, values query.List) query.Condition {
	if c.Op.Arity() == query.TakesNothing {
		return compare(c, c.Op, nil)
	}
	if len(values) == 0 || anyNull(values) {
		return nothing()
	}
	switch c.Op.Arity() {
	case query.TakesInterval:
		if len(values) != 2 {
			return nothing()
		}
		return compare(c, c.Op, values)
	case query.TakesList:
		return known(c, compare(c, c.Op, values))
	case query.TakesNothing, query.TakesScalar:
	}
	return known(c, scalar(c, values))
}

func scalar(c semantic.RowCondition, values query.List) query.Condition {
	if len(values) == 1 {
		return compare(c, c.Op, values[0])
	}
	switch c.Op {
	case query.Equal, query.StrictEqual:
		return compare(c, query.InList, values)
	case query.NotEqual:
		return compare(c, query.NotInList, values)
	case query.Contains, query.StartsWith, query.EndsWith, query.NotContains, query.NotStartsWith, query.NotEndsWith:
		logic := &query.Logic{Op: query.AnyOf}
		if negative[c.Op] {
			logic.Op = query.AllOf
		}
		for _, v := range values {
			logic.Conds = append(logic.Conds, compare(c, c.Op, v))
		}
		return logic
	}
	return nothing()
}

// negative are the operators whose complement a null would meet.
var negative = map[query.Op]bool{
	query.NotEqual: true, query.NotInList: true, query.NotContains: true, query.NotStartsWith: true, query.NotEndsWith: true,
}

// known keeps nulls out of a negative comparison: in row rules a null never matches.
func known(c semantic.RowCondition, cond query.Condition) query.Condition {
	if !negative[c.Op] {
		return cond
	}
	return &query.Logic{Op: query.AllOf, Conds: []query.Condition{compare(c, query.NotNull, nil), cond}}
}

func compare(c semantic.RowCondition, op query.Op, value query.Operand) query.Condition {
	return &query.Compare{Field: &query.Ref{Name: c.Field.Name}, Op: op, Value: value, MaxDepth: c.MaxDepth}
}

func anyNull(values query.List) bool {
	for _, v := range values {
		if v.Kind == query.NullLiteral {
			return true
		}
	}
	return false
}
