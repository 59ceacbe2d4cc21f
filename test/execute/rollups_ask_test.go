package execute

import (
	"encoding/json"
	"fmt"
	"slices"

	"parlance/internal/access"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// askRolled makes a random query: one of anything, or one of what a rollup of the model keeps, which is mostly answered
// from it.
func (r *rolled) askRolled(d dice, m *semantic.Model, id access.Identity, known samples) payload {
	if len(m.Rollups) == 0 || d.chance(15) {
		return r.ask(d, m, id, known)
	}
	def := pick(d, m.Rollups)
	a := &asker{dice: d, model: m, known: known.of(m), payload: payload{}}
	var times []*semantic.Field
	for _, t := range def.Times {
		times = append(times, t.Field)
	}
	for _, f := range m.Fields() {
		kept := slices.Contains(def.Dimensions, f)
		for _, t := range def.Times {
			kept = kept || f.Of == t.Field && f.Role == semantic.TimeGrain && t.Grain.Holds(f.Grain)
		}
		if kept && r.seen(m, id, f) {
			a.fields = append(a.fields, f)
		}
		if f.Tree {
			a.trees = append(a.trees, f)
		}
	}
	for _, ms := range def.Measures {
		if f := m.Field(ms.Name); r.seen(m, id, f) {
			a.measures = append(a.measures, f)
		}
	}
	if len(a.fields) == 0 || len(a.measures) == 0 || a.field(isText) == nil || a.field(isNumber) == nil || len(a.rawMeasures(isNumber)) == 0 {
		return r.ask(d, m, id, known)
	}
	if d.chance(15) {
		a.query()
	} else {
		a.ofGroups(times)
	}
	return a.payload
}

func (r *rolled) seen(m *semantic.Model, id access.Identity, f *semantic.Field) bool {
	return access.For(id, m).Field(f) != access.Hidden
}

// ofGroups asks for groups of fields by aggregates that have parts.
func (a *asker) ofGroups(times []*semantic.Field) {
	var columns []string
	for range a.IntN(4) {
		f := a.spelt(a.field(nil))
		if a.chance(10) {
			f = a.name("c")
			a.define(f, fmt.Sprintf("concat(%s, '-', %s)", a.field(isText).Name, a.field(isText).Name), "")
		}
		columns = append(columns, f)
	}
	keys := slices.Clone(columns)
	if a.chance(6) {
		a.payload["distinct"] = true
	} else {
		a.payload["groupBy"] = keys
		for range a.between(1, 3) {
			columns = append(columns, a.partValue())
		}
	}
	if len(keys) == 0 {
		columns = append(columns, "rows")
		delete(a.payload, "groupBy")
	}
	a.payload["columns"] = columns
	var slice []any
	for range a.IntN(5) / 3 {
		f := a.field(nil)
		c := a.compare(a.spelt(f), f.Type)
		if a.chance(20) {
			c = map[string]any{"$not": c}
		}
		slice = append(slice, c)
	}
	if len(times) > 0 && a.chance(35) {
		slice = append(slice, a.between2(pick(a.dice, times)))
	}
	if len(slice) > 0 {
		a.payload["slice"] = slice
	}
	if a.payload["distinct"] == nil && a.chance(25) {
		a.payload["having"] = []any{compareOf(pick(a.dice, a.measures).Name, pick(a.dice, []string{">", "<=", "!="}), json.Number(a.constant()))}
	}
	if a.chance(50) {
		a.payload["orderBy"] = a.orders(outputs(columns))
	}
	a.payload["returnTotal"] = a.chance(50)
	switch n := a.IntN(100); {
	case len(keys) == 0 || a.payload["distinct"] != nil:
	case n < 10:
		a.payload["withSubtotals"] = true
	case n < 20:
		a.payload["topN"] = map[string]any{"by": pick(a.dice, a.measures).Name + " desc", "n": a.between(1, 4), "others": a.chance(70)}
	case n < 30 && len(times) > 0 && len(slice) == 0:
		a.payload["timeWindow"] = map[string]any{
			"field": pick(a.dice, times).Name, "grain": pick(a.dice, []string{"day", "week", "month", "quarter", "year"}),
			"range": pick(a.dice, []string{"2024", "2024-Q1", "2024-02"}), "comparison": pick(a.dice, []string{"yoy", "ytd"}),
		}
	}
	if a.chance(25) {
		a.paging()
	}
}

func outputs(columns []string) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = outputName(c)
	}
	return names
}

// partValue returns a value of a group that can be put together from parts.
func (a *asker) partValue() string {
	m := pick(a.dice, a.rawMeasures(isNumber)).Name
	if a.chance(60) {
		m = pick(a.dice, []string{"amount", "qty"})
	}
	condition := a.field(isText).Name + " = " + quoted(pick(a.dice, append([]string{"NEW", "x"}, texts...)))
	switch n := a.IntN(100); {
	case n < 45:
		return pick(a.dice, a.measures).Name
	case n < 60:
		return fmt.Sprintf("%s(%s) as %s", pick(a.dice, []string{"sum", "sum", "avg", "avg", "count", "min", "max"}), m, a.name("x"))
	case n < 66:
		return "count(*) as " + a.name("x")
	case n < 76:
		f := a.field(func(t value.Type) bool { return t.Kind != value.Boolean })
		return fmt.Sprintf("%s(%s) as %s", pick(a.dice, []string{"min", "max", "count", "countd"}), a.spelt(f), a.name("x"))
	case n < 86:
		return fmt.Sprintf("sum(if(%s, %s, %s)) as %s", condition, m, pick(a.dice, []string{"0", "null", "1"}), a.name("x"))
	case n < 92:
		return fmt.Sprintf("sum(%s) over () as %s", pick(a.dice, a.measures).Name, a.name("x"))
	}
	return fmt.Sprintf("sum(%s) / count(*) * 100 as %s", m, a.name("x"))
}

// between2 is a condition on a time whose bounds are, more often than not, those of periods.
func (a *asker) between2(f *semantic.Field) any {
	days := []string{"2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024", "2023", "2024-Q1", "2024-02", "2024-01", "2024-01-08", "2024-01-15", "this year", "last month"}
	switch a.IntN(4) {
	case 0:
		return compareOf(f.Name, pick(a.dice, []string{"=", "!=", ">=", "<", ">", "<="}), pick(a.dice, days))
	case 1:
		return compareOf(f.Name, pick(a.dice, []string{"in", "not in"}), []any{pick(a.dice, days), pick(a.dice, days)})
	}
	return compareOf(f.Name, pick(a.dice, []string{"[)", "[)", "[]", "(]"}), []any{pick(a.dice, days[:4]), pick(a.dice, days[1:5])})
}
