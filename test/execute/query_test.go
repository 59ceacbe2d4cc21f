package execute

import (
	"encoding/json"
	"fmt"
	"strings"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// asker makes random payloads over one model.
type asker struct {
	dice
	model    *semantic.Model
	fields   []*semantic.Field // no measures
	measures []*semantic.Field
	trees    []*semantic.Field           // views of hierarchies
	known    func(*semantic.Field) []any // values that the field has in the data
	names    int
	payload  payload
}

// payload is a query in JSON's shapes.
type payload map[string]any

func (p payload) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// ask returns a random payload.
func ask(d dice, m *semantic.Model, known func(*semantic.Field) []any) payload {
	a := &asker{dice: d, model: m, known: known, payload: payload{}}
	for _, f := range m.Fields() {
		switch {
		case f.Measure != nil:
			a.measures = append(a.measures, f)
		case f.Tree:
			a.trees = append(a.trees, f)
		default:
			a.fields = append(a.fields, f)
		}
	}
	a.query()
	return a.payload
}

func (a *asker) query() {
	multi := a.model.Multi != nil
	switch n := a.IntN(100); {
	case n < 30 && !multi:
		a.detail()
	case n < 35 && !multi:
		a.everything()
	case n < 42:
		a.payload["groupBy"] = a.groupKeys(1, 2)
		a.filters(true)
	default:
		a.grouped()
	}
	if a.chance(50) {
		a.payload["returnTotal"] = true
	}
	if a.chance(25) {
		a.paging()
	}
}

func (a *asker) paging() {
	switch a.IntN(4) {
	case 0:
		a.payload["start"], a.payload["limit"] = a.IntN(20), a.IntN(10)
	case 1:
		a.payload["page"], a.payload["pageSize"] = a.between(1, 4), a.IntN(10)
	case 2:
		a.payload["limit"] = a.IntN(5)
	case 3:
		a.payload["start"] = a.IntN(30)
	}
}

func (a *asker) name(prefix string) string {
	a.names++
	return fmt.Sprintf("%s%d", prefix, a.names)
}

// spelt returns one of the spellings of a field.
func (a *asker) spelt(f *semantic.Field) string {
	if rest, ok := strings.CutPrefix(f.Name, "item.place$"); ok && a.model.Multi == nil && a.chance(40) {
		return pick(a.dice, []string{"itemPlace$", "item_place$"}) + rest
	}
	return f.Name
}

func (a *asker) aliased(column string) string {
	if a.chance(25) {
		return column + " as " + a.name("x")
	}
	return column
}

// everything asks for all columns.
func (a *asker) everything() {
	a.filters(false)
	if a.chance(40) {
		a.payload["exColumns"] = []string{a.field(nil).Name, pick(a.dice, a.measures).Name}
	}
	if a.chance(50) {
		a.payload["orderBy"] = a.orders([]string{a.field(nil).Name, a.field(nil).Name})
	}
}

// detail asks for rows.
func (a *asker) detail() {
	var columns, orderable []string
	for range a.between(1, 5) {
		f := a.field(nil)
		columns = append(columns, a.aliased(a.spelt(f)))
	}
	for _, m := range some(a.dice, 0, 2, a.rawMeasures(nil)) {
		columns = append(columns, a.aliased(m.Name))
	}
	for range a.IntN(3) {
		columns = append(columns, a.calculated(a.rowExpr(2)))
	}
	distinct := a.chance(20)
	for _, c := range columns {
		orderable = append(orderable, outputName(c))
	}
	if distinct {
		a.payload["distinct"] = true
	} else {
		orderable = append(orderable, a.field(nil).Name, pick(a.dice, a.rawMeasures(nil)).Name)
	}
	a.filters(false)
	if a.chance(12) {
		fields := []string{a.field(nil).Name, a.field(nil).Name}
		var numbers []string
		for _, m := range some(a.dice, 1, 2, a.rawMeasures(isNumber)) {
			numbers = append(numbers, m.Name)
		}
		for range a.between(1, 3) {
			columns = append(columns, a.windowColumn(fields, numbers))
			orderable = append(orderable, outputName(columns[len(columns)-1]))
		}
	}
	a.payload["columns"] = columns
	if a.chance(60) {
		a.payload["orderBy"] = a.orders(orderable)
	}
	if len(columns) > 1 && a.payload["orderBy"] == nil && a.chance(10) {
		a.payload["exColumns"] = []string{outputName(columns[0])}
	}
}

// outputName is the key under which a column stands.
func outputName(column string) string {
	if i := strings.LastIndex(column, " as "); i >= 0 {
		return column[i+4:]
	}
	return column
}

// calculated adds a calculated field, or writes the expression as a column of its own.
func (a *asker) calculated(expression string) string {
	if a.chance(40) {
		return expression + " as " + a.name("x")
	}
	name := a.name("c")
	a.define(name, expression, "")
	return name
}

func (a *asker) define(name, expression, agg string) {
	c := map[string]any{"name": name, "expression": expression}
	if agg != "" {
		c["agg"] = agg
	}
	list, _ := a.payload["calculatedFields"].([]any)
	a.payload["calculatedFields"] = append(list, c)
}

// groupKeys returns entries of groupBy.
func (a *asker) groupKeys(low, high int) []any {
	var keys []any
	for range a.between(low, high) {
		f := a.spelt(a.field(nil))
		if a.chance(50) {
			keys = append(keys, f)
		} else {
			keys = append(keys, map[string]any{"field": f})
		}
	}
	return keys
}

// grouped asks for groups: by groupBy, or because an aggregate is asked for.
func (a *asker) grouped() {
	var columns, keyColumns, values []string
	var groupBy []any
	for range a.IntN(4) {
		f := a.spelt(a.field(nil))
		if a.chance(15) && a.model.Multi == nil {
			f = a.name("c")
			a.define(f, a.keyExpr(), "")
		}
		switch {
		case a.chance(15) && !strings.HasPrefix(f, "c"):
			groupBy = append(groupBy, f) // not selected
			continue
		case a.chance(60):
			groupBy = append(groupBy, f)
		}
		keyColumns = append(keyColumns, f)
	}
	if a.model.Multi == nil && a.chance(6) {
		keyColumns = append(keyColumns, pick(a.dice, a.trees).Name)
	}
	for range a.between(1, 4) {
		values = append(values, a.groupValue())
	}
	columns = append(append(columns, keyColumns...), values...)
	a.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })
	for i, c := range columns {
		if !strings.Contains(c, " ") {
			columns[i] = a.aliased(c)
		}
	}
	if a.chance(10) && len(groupBy) > 0 && a.model.Multi == nil {
		m := pick(a.dice, a.rawMeasures(nil))
		if m.Measure.Type.Numeric() {
			groupBy = append(groupBy, map[string]any{"field": m.Name, "agg": pick(a.dice, []string{"AVG", "max", "count", "Median"})})
			columns = append(columns, m.Name)
		}
	}
	if len(groupBy) > 0 {
		a.payload["groupBy"] = groupBy
	}
	windowed := a.model.Multi == nil && a.chance(10)
	if windowed {
		var numbers []string
		for _, m := range some(a.dice, 1, 2, a.measures) {
			if m.Type.Exact() {
				numbers = append(numbers, m.Name)
			}
		}
		for range a.between(1, 3) {
			if len(numbers)+len(keyColumns) > 0 {
				columns = append(columns, a.windowColumn(keyColumns, numbers))
			}
		}
	}
	a.payload["columns"] = columns
	var orderable []string
	for _, c := range columns {
		if !a.inexact(c) {
			orderable = append(orderable, outputName(c))
		}
	}
	if a.chance(8) {
		a.payload["distinct"] = true
	} else if a.model.Multi == nil {
		orderable = append(orderable, "count(*)", "rows", "amount", "sum(qty)")
	}
	if !windowed {
		a.filters(true)
	}
	if a.chance(40) {
		a.havings(orderable)
	}
	if a.chance(60) && len(orderable) > 0 {
		a.payload["orderBy"] = a.orders(orderable)
	}
	switch {
	case a.chance(7):
		a.payload["withSubtotals"] = true
	case a.chance(8) && len(orderable) > 0:
		by := pick(a.dice, orderable) + pick(a.dice, []string{"", " asc", " desc"})
		a.payload["topN"] = map[string]any{"by": by, "n": a.between(1, 5), "others": a.chance(70)}
	}
}

// inexact reports whether a column holds doubles, by which nothing is ordered.
func (a *asker) inexact(column string) bool {
	for _, word := range []string{"stddev", "var_"} {
		if strings.Contains(column, word) {
			return true
		}
	}
	f := a.model.Field(strings.Split(column, " ")[0])
	return f != nil && f.Type.Kind == value.Float
}

// groupValue returns a column that has one value a group.
func (a *asker) groupValue() string {
	switch n := a.IntN(100); {
	case n < 45:
		return pick(a.dice, a.measures).Name
	case n < 75:
		return a.aggregate() + " as " + a.name("x")
	case n < 80 && a.model.Multi == nil:
		name := a.name("c")
		a.define(name, a.rowNumber(2), pick(a.dice, []string{"sum", "avg", "max", "COUNT"}))
		return name
	}
	return a.calculated(a.groupExpr(2))
}

func (a *asker) orders(names []string) []any {
	var orders []any
	for _, n := range some(a.dice, 1, 2, names) {
		switch a.IntN(4) {
		case 0:
			orders = append(orders, map[string]any{"field": n, pick(a.dice, []string{"order", "dir", "direction"}): pick(a.dice, []string{"asc", "DESC", "Desc"})})
		case 1:
			orders = append(orders, map[string]any{"field": n, "order": "desc", "nullFirst": true})
		case 2:
			orders = append(orders, n)
		case 3:
			orders = append(orders, "-"+n)
		}
	}
	return orders
}

// field returns a field that is no measure, of a type that fits.
func (a *asker) field(fits func(value.Type) bool) *semantic.Field {
	for range 200 {
		if f := pick(a.dice, a.fields); fits == nil || fits(f.Type) {
			return f
		}
	}
	return nil
}

// rawMeasures returns the measures that have a value in a row.
func (a *asker) rawMeasures(fits func(value.Type) bool) []*semantic.Field {
	var list []*semantic.Field
	for _, m := range a.measures {
		if !m.Measure.AggregateOnly() && (fits == nil || fits(m.Measure.Type)) {
			list = append(list, m)
		}
	}
	return list
}
