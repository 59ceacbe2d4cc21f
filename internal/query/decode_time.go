package query

import (
	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

var (
	topKeys  = []string{"by", "n", "others"}
	timeKeys = []string{"field", "grain", "comparison", "range", "targetMetrics"}

	grains      = []string{"day", "week", "month", "quarter", "year"}
	comparisons = []string{"yoy", "mom", "wow", "ytd", "mtd", "rolling_7d", "rolling_30d", "rolling_90d"}
)

// top reads topN. The order is descending unless by says otherwise: the largest come first.
func (d *decoder) top(n jsontree.Node, path string) (*Top, error) {
	if n.Kind != jsontree.Object {
		return nil, wrongType(path, "an object with the keys by and n", n)
	}
	if err := checkKeys(n, path, topKeys, nil); err != nil {
		return nil, err
	}
	by, ok := member(n, "by")
	if !ok {
		return nil, missingKey(path, "by")
	}
	t := &Top{}
	var err error
	if t.By, err = d.ranking(by, below(path, "by")); err != nil {
		return nil, err
	}
	count, ok := member(n, "n")
	if !ok {
		return nil, missingKey(path, "n")
	}
	number, err := integer(count, below(path, "n"))
	if err != nil {
		return nil, err
	}
	if t.N = *number; t.N < 1 {
		return nil, fault.Invalidf("out_of_range", below(path, "n"), "n must be 1 or more, not %d", t.N)
	}
	if others, ok := member(n, "others"); ok {
		t.Others, err = boolean(others, below(path, "others"))
	}
	return t, err
}

// ranking reads by: a name or an expression, the largest first, or an entry of orderBy with a direction of its own.
func (d *decoder) ranking(n jsontree.Node, path string) (Order, error) {
	if n.Kind == jsontree.String {
		text, err := str(n, path)
		if err != nil {
			return Order{}, err
		}
		o, err := ParseOrder(text)
		if err != nil {
			return o, fault.Under(path, err)
		}
		if _, err := ParseField(text); err == nil {
			o.Desc = true
		}
		return o, nil
	}
	list, err := d.orders(jsontree.Node{Kind: jsontree.Array, Items: []jsontree.Node{n}}, path)
	if err != nil {
		return Order{}, err
	}
	o := list[0]
	if _, given := member(n, "order"); !given {
		_, dir := member(n, "dir")
		_, direction := member(n, "direction")
		o.Desc = o.Desc || !dir && !direction
	}
	return o, nil
}

// timeWindow reads a period comparison.
func (d *decoder) timeWindow(n jsontree.Node, path string) (*TimeWindow, error) {
	if n.Kind != jsontree.Object {
		return nil, wrongType(path, "an object with the keys field, grain, comparison and range", n)
	}
	if err := checkKeys(n, path, timeKeys, nil); err != nil {
		return nil, err
	}
	t := &TimeWindow{}
	var err error
	if t.Field, err = required(n, path, "field"); err != nil {
		return nil, err
	}
	grain, err := oneOf(n, path, "grain", grains)
	if err != nil {
		return nil, err
	}
	comparison, err := oneOf(n, path, "comparison", comparisons)
	if err != nil {
		return nil, err
	}
	t.Grain, t.Comparison = Grain(grain), Comparison(comparison)
	if t.Range, err = d.timeRange(n, path); err != nil {
		return nil, err
	}
	if metrics, ok := member(n, "targetMetrics"); ok {
		t.Metrics, err = d.names(metrics, below(path, "targetMetrics"))
	}
	return t, err
}

func oneOf(n jsontree.Node, path, key string, words []string) (string, error) {
	word, err := required(n, path, key)
	if err != nil {
		return "", err
	}
	for _, w := range words {
		if w == word {
			return w, nil
		}
	}
	return "", unknownWord(below(path, key), key, word, words)
}

// timeRange reads a period such as "2024" or "last month", or its first and last day.
func (d *decoder) timeRange(n jsontree.Node, path string) (List, error) {
	path = below(path, "range")
	v, ok := member(n, "range")
	if !ok {
		return nil, fault.Invalidf("missing_key", path, "timeWindow needs a range, such as \"2024\" or [\"2024-01-01\", \"2024-12-31\"]")
	}
	items := []jsontree.Node{v}
	if v.Kind == jsontree.Array {
		items = v.Items
	}
	if len(items) != 1 && len(items) != 2 {
		return nil, wrongType(path, "a period, or its first and last day", v)
	}
	var list List
	for _, item := range items {
		text, err := str(item, path)
		if err != nil {
			return nil, err
		}
		list = append(list, Scalar{Kind: StringLiteral, Text: text})
	}
	return list, nil
}
