package repair

import (
	"slices"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// aggregateAsKey takes a measure or an aggregate out of groupBy, and names it in columns where it is not there yet.
// Without another key the query would no longer be of groups, so that is left to the caller.
func (m *mistake) aggregateAsKey() []Patch {
	groups, _ := m.payload("groupBy")
	if m.clause() != "groupBy" || len(m.at) < 3 || len(groups.Items) < 2 {
		return nil
	}
	if m.fault.Reason == "unknown_field" && !isAggregate(m.fault.Got) {
		return nil
	}
	patch := Patch{remove(m.at[:3])}
	columns, listed := m.payload("columns")
	if listed && len(columns.Items) > 0 && !selects(columns, m.fault.Got) {
		patch = append(patch, add(pointer{"payload", "columns", "-"}, text(m.fault.Got)))
	}
	return []Patch{patch}
}

// isAggregate reports whether a text is an aggregate, with an alias or without.
func isAggregate(s string) bool {
	c, err := query.ParseColumn(s)
	call, ok := c.Expr.(*query.Call)
	return err == nil && ok && query.IsAggregate(call.Func) && call.Over == nil
}

// selects reports whether the columns have a name or an aggregate already, also within a larger expression.
func selects(columns jsontree.Node, what string) bool {
	wanted, err := query.ParseColumn(what)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(columns.Items, func(n jsontree.Node) bool {
		c, err := query.ParseColumn(n.Text)
		if err != nil {
			return false
		}
		found := c.Alias == what
		query.Walk(c.Expr, func(e query.Expr) bool {
			found = found || e.String() == wanted.Expr.String()
			return !found
		})
		return found
	})
}

// rowFilterInHaving moves a condition on a field of rows from having to slice.
func (m *mistake) rowFilterInHaving() []Patch {
	if m.clause() != "having" || len(m.at) < 3 {
		return nil
	}
	condition, _ := at(m.args, m.at[:3])
	if !m.ofRows(condition) {
		return nil
	}
	return []Patch{m.toSlice([]pointer{m.at[:3]}, []jsontree.Node{condition})}
}

// havingOfRows moves having to slice where the query makes no groups and every condition is on a field of rows.
func (m *mistake) havingOfRows() []Patch {
	having, _ := m.payload("having")
	for _, c := range having.Items {
		if !m.ofRows(c) {
			return nil
		}
	}
	if len(having.Items) == 0 {
		return nil
	}
	return []Patch{m.toSlice([]pointer{{"payload", "having"}}, having.Items)}
}

// ofRows reports whether a condition is on an attribute or a dimension, and on that alone.
func (m *mistake) ofRows(condition jsontree.Node) bool {
	name, ok := condition.Get("field")
	if !ok && len(condition.Members) == 1 {
		name = text(condition.Members[0].Key)
	}
	f := m.field(name.Text)
	return f != nil && f.Kind != semantic.MeasureKind
}

// toSlice removes what stands at the places and adds the conditions to slice.
func (m *mistake) toSlice(from []pointer, conditions []jsontree.Node) Patch {
	var patch Patch
	for _, p := range from {
		patch = append(patch, remove(p))
	}
	to := pointer{"payload", "slice"}
	if slice, ok := at(m.args, to); !ok || slice.Kind != jsontree.Array {
		return append(patch, add(to, array(conditions...)))
	}
	for _, c := range conditions {
		patch = append(patch, add(to.to("-"), c))
	}
	return patch
}

// aggregatedTwice names a count alone that was put into another aggregate. A ratio is left: its average over rows and
// its value over a group are two things.
func (m *mistake) aggregatedTwice() []Patch {
	f := m.field(m.fault.Got)
	if f == nil || f.Measure == nil || f.Measure.Agg != semantic.Count && f.Measure.Agg != semantic.CountDistinct {
		return nil
	}
	var patch Patch
	walkTexts(m.node, m.at, func(p pointer, s string) {
		for _, fn := range []string{"sum", "count", "count_distinct", "countd"} {
			if whole := fn + "(" + m.fault.Got + ")"; strings.Contains(strings.ToLower(s), strings.ToLower(whole)) {
				i := strings.Index(strings.ToLower(s), strings.ToLower(whole))
				patch = append(patch, replace(p, text(s[:i]+m.fault.Got+s[i+len(whole):])))
				return
			}
		}
	})
	if patch == nil {
		return nil
	}
	return []Patch{patch}
}

// otherAlias gives a column a free name where its own is taken and nothing else in the payload speaks of it.
func (m *mistake) otherAlias() []Patch {
	taken := m.fault.Got
	c, err := query.ParseColumn(m.node.Text)
	if m.clause() != "columns" || err != nil || c.Alias != taken || m.speaksOf(taken) {
		return nil
	}
	names := append(fieldNames(m.fields()), m.aliases()...)
	for i := 2; i < 100; i++ {
		if free := taken + "_" + strconv.Itoa(i); !slices.Contains(names, free) {
			return one(replace(m.at, text(c.Text+" as "+free)))
		}
	}
	return nil
}

// speaksOf reports whether a clause beside columns uses a name.
func (m *mistake) speaksOf(name string) bool {
	found := false
	for _, clause := range []string{"slice", "having", "groupBy", "orderBy", "topN", "calculatedFields", "timeWindow"} {
		n, _ := m.payload(clause)
		walkTexts(n, nil, func(_ pointer, s string) { found = found || replaceName(s, name, "\x00") != s })
	}
	return found
}
