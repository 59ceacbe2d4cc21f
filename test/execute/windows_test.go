package execute

import (
	"fmt"
	"strings"
)

// windowColumn returns a column over a window: of the rows, or of the groups whose keys and values are given.
func (a *asker) windowColumn(keys, values []string) string {
	name := a.name("w")
	function := a.windowFunction(values)
	var partition, order []string
	if len(keys) > 0 && a.chance(50) {
		partition = []string{pick(a.dice, keys)}
	}
	ranked := strings.HasSuffix(function, "()") || strings.HasPrefix(function, "l")
	if ranked || a.chance(50) {
		order = some(a.dice, 1, 2, append(append([]string{}, keys...), values...))
	}
	frame := ""
	if !ranked && len(order) > 0 && a.chance(30) {
		frame = pick(a.dice, []string{
			"rows between 2 preceding and current row", "rows between unbounded preceding and 1 following",
			"rows between 1 preceding and 1 following", "rows between current row and unbounded following",
		})
	}
	if a.chance(30) && a.model.Multi == nil {
		a.payload["slice"] = append(a.slice(), compareOf(name, pick(a.dice, []string{"<=", ">", "!="}), a.between(0, 5)))
	}
	if a.chance(50) {
		return fmt.Sprintf("%s over (%s) as %s", function, overText(partition, order, frame), name)
	}
	c := map[string]any{"name": name, "expression": function, "partitionBy": partition}
	if partition == nil {
		c["partitionBy"] = []string{}
	}
	var orders []any
	for _, o := range order {
		orders = append(orders, map[string]any{"field": o, "order": "desc"})
	}
	if orders != nil {
		c["windowOrderBy"] = orders
	}
	if frame != "" {
		c["windowFrame"] = frame
	}
	list, _ := a.payload["calculatedFields"].([]any)
	a.payload["calculatedFields"] = append(list, c)
	return name
}

func (a *asker) slice() []any {
	slice, _ := a.payload["slice"].([]any)
	return slice
}

func (a *asker) windowFunction(values []string) string {
	if len(values) == 0 || a.chance(40) {
		return pick(a.dice, []string{"rank()", "dense_rank()", "row_number()"})
	}
	v := pick(a.dice, values)
	return fmt.Sprintf(pick(a.dice, []string{"sum(%s)", "avg(%s)", "count(%s)", "min(%s)", "max(%s)", "lag(%s)", "lead(%s)"}), v)
}

func overText(partition, order []string, frame string) string {
	var parts []string
	if len(partition) > 0 {
		parts = append(parts, "partition by "+strings.Join(partition, ", "))
	}
	if len(order) > 0 {
		parts = append(parts, "order by "+strings.Join(order, ", ")+" desc")
	}
	if frame != "" {
		parts = append(parts, frame)
	}
	return strings.Join(parts, " ")
}
