package execute

import (
	"encoding/json"
	"fmt"
	"strings"

	"parlance/internal/value"
)

// quoted writes a text of the expression language.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (a *asker) constant() string {
	return pick(a.dice, []string{"0", "1", "2", "3", "5", "2.5", "0.01", "10", "7.12"})
}

// day returns a text that names a date, a period or a moment.
func (a *asker) day(t value.Type) string {
	days := []string{
		"2024-01-31", "2024-03-31", "2024-03-10", "2024-02", "2024-01", "2024-Q1", "2024", "2023-12-31", "2024-10-27",
		"today", "yesterday", "this month", "last month", "last quarter", "this year", "last 60 days", "-30d",
	}
	if t.Kind == value.Timestamp && a.chance(30) {
		return pick(a.dice, []string{"2024-01-31T00:00:00", "2024-03-31T10:00:00.5", "2024-03-09T23:59:59", "2024-01-01T05:00:00"})
	}
	return pick(a.dice, days)
}

// filters adds conditions to slice.
func (a *asker) filters(grouped bool) {
	if a.chance(55) {
		return
	}
	slice := a.slice()
	for range 1 + a.IntN(3)/2 {
		c := a.condition(2)
		if a.chance(25) {
			c = map[string]any{"$not": c}
		}
		slice = append(slice, c)
	}
	if grouped && a.model.Multi == nil && a.chance(12) {
		slice = append(slice, compareOf("rows", pick(a.dice, []string{">", "<=", "!="}), a.between(0, 3)))
	}
	a.payload["slice"] = slice
}

func compareOf(field, op string, v any) map[string]any {
	return map[string]any{"field": field, "op": op, "value": v}
}

// condition returns a filter on rows.
func (a *asker) condition(depth int) any {
	if depth > 0 && a.chance(30) {
		key := pick(a.dice, []string{"$or", "$and", "$not"})
		if key == "$not" && a.chance(40) {
			return map[string]any{key: a.condition(depth - 1)}
		}
		var list []any
		for range a.between(1, 3) {
			list = append(list, a.condition(depth-1))
		}
		return map[string]any{key: list}
	}
	multi := a.model.Multi != nil
	switch n := a.IntN(100); {
	case n < 12 && !multi:
		return map[string]any{"$expr": a.rowCondition(2)}
	case n < 17 && !multi:
		x, y := pick(a.dice, a.rawMeasures(isNumber)), pick(a.dice, a.rawMeasures(isNumber))
		return compareOf(x.Name, pick(a.dice, []string{"=", "!=", ">", "<=", "<>"}), map[string]any{"$field": y.Name})
	case n < 22 && !multi:
		x, y := a.field(isText), a.field(isText)
		return compareOf(a.spelt(x), pick(a.dice, []string{"=", "!=", "<", ">="}), map[string]any{"$field": a.spelt(y)})
	case n < 40 && !multi:
		m := pick(a.dice, a.rawMeasures(nil))
		return a.compare(m.Name, m.Measure.Type)
	}
	if !multi && a.chance(10) {
		return a.treeCondition()
	}
	f := a.field(nil)
	return a.compare(a.spelt(f), f.Type)
}

// treeCondition walks the hierarchy of teams.
func (a *asker) treeCondition() any {
	ids := some(a.dice, 0, 3, []string{"r", "s", "T", "u", "x", "exile"})
	if a.chance(30) && len(ids) > 0 {
		return compareOf("team$hierarchy$id", pick(a.dice, []string{"=", "!="}), ids[0])
	}
	c := map[string]any{"field": "team$id", "op": pick(a.dice, []string{
		"childrenOf", "descendantsOf", "selfAndDescendantsOf", "ancestorsOf", "self_and_ancestors_of",
	}), "value": ids}
	if a.chance(30) {
		c["maxDepth"] = a.between(1, 3)
	}
	return c
}

// compare returns a comparison of a field of a type with constants, more often than not such as the data has.
func (a *asker) compare(name string, t value.Type) any {
	word := func() any {
		if f := a.model.Field(name); f.Measure == nil && a.chance(60) {
			if known := a.known(f); len(known) > 0 {
				return pick(a.dice, known)
			}
		}
		return a.valueOf(t)
	}
	switch n := a.IntN(100); {
	case n < 8:
		return map[string]any{"field": name, "op": pick(a.dice, []string{"is null", "isNotNull", "IS NOT NULL", "isNull"})}
	case n < 12:
		return compareOf(name, pick(a.dice, []string{"=", "!=", "==="}), nil)
	case n < 30:
		var list []any
		for range a.IntN(4) {
			list = append(list, word())
		}
		if a.chance(20) {
			list = append(list, nil)
		}
		if list == nil {
			list = []any{}
		}
		return compareOf(name, pick(a.dice, []string{"in", "not in", "nin"}), list)
	case n < 50 && t.Kind != value.Boolean:
		bounds := []any{word(), word()}
		if a.chance(15) {
			bounds[a.IntN(2)] = nil
		}
		return compareOf(name, pick(a.dice, []string{"[]", "[)", "(]", "()", "between"}), bounds)
	case n < 55 && t.Kind == value.String:
		return map[string]any{"field": name, "op": pick(a.dice, []string{"isNullAndEmpty", "isNotNullAndEmpty"})}
	case n < 75 && t.Kind == value.String:
		op := pick(a.dice, []string{"like", "contains", "left_like", "ends_with", "right_like", "starts_with", "not like", "not starts_with", "not left_like"})
		return compareOf(name, op, pick(a.dice, texts))
	case n < 65 && t.Kind == value.Integer:
		return compareOf(name, "bit_in", []any{pick(a.dice, []int{1, 2, 4, 8}), pick(a.dice, []int{1, 2, 3})})
	case n < 80 && t.Kind == value.String:
		return map[string]any{name: word()}
	case t.Kind == value.Boolean:
		return compareOf(name, pick(a.dice, []string{"=", "!=", "==="}), word())
	}
	return compareOf(name, pick(a.dice, []string{"=", "==", "eq", "!=", "<>", "===", ">", "gte", "<", "lte"}), word())
}

// valueOf returns a constant of a type.
func (a *asker) valueOf(t value.Type) any {
	switch {
	case t.Kind == value.Boolean:
		return a.chance(50)
	case t.Temporal():
		return a.day(t)
	case t.Wide:
		return json.Number(fmt.Sprint(1<<53 + a.between(-1, 2)))
	case t.Kind == value.Integer && a.chance(30):
		return fmt.Sprint(a.between(-1, 5))
	case t.Kind == value.Integer:
		return a.between(-1, 5)
	case t.Numeric():
		return json.Number(a.constant())
	}
	return pick(a.dice, append([]string{"NEW", "OLD", "Old", "x", "p2", "2024-01", "2024-W05", "2024-Q1", "2024-03"}, texts...))
}

// havings adds conditions on groups.
func (a *asker) havings(names []string) {
	var list []any
	for range a.between(1, 2) {
		var c any
		switch n := a.IntN(100); {
		case n < 40:
			m := pick(a.dice, a.measures)
			if m.Type.Exact() {
				c = compareOf(m.Name, pick(a.dice, []string{">", "<=", "!=", "="}), json.Number(a.constant()))
			}
		case n < 60 && a.model.Multi == nil:
			c = map[string]any{"$expr": fmt.Sprintf("%s > %s", a.groupExpr(1), a.constant())}
		case n < 70:
			c = map[string]any{"$not": map[string]any{"field": a.measures[0].Name, "op": "is null"}}
		case n < 90 && len(names) > 0:
			c = map[string]any{"field": pick(a.dice, names), "op": pick(a.dice, []string{"is not null", "is not null", "is null"})}
		}
		if c != nil {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return
	}
	if a.model.Multi == nil && a.chance(25) {
		slice, _ := a.payload["slice"].([]any)
		a.payload["slice"] = append(slice, map[string]any{"$or": append(list, a.condition(0))})
		return
	}
	a.payload["having"] = list
}
