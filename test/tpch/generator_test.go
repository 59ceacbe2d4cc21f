package tpch

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// column returns the values of a column.
func (t table) column(tb testing.TB, name string) []any {
	tb.Helper()
	at := slices.IndexFunc(strings.Fields(t.columns), func(c string) bool { return strings.HasPrefix(c, name+":") })
	if at < 0 {
		tb.Fatalf("%s has no column %s", t.name, name)
	}
	values := make([]any, len(t.rows))
	for i, row := range t.rows {
		values[i] = row[at]
	}
	return values
}

func TestTheSameScaleGivesTheSameRows(t *testing.T) {
	one, other := generate(defaultScale), generate(defaultScale)
	for name := range one {
		if !slices.EqualFunc(one[name].rows, other[name].rows, slices.Equal[[]any]) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestScale(t *testing.T) {
	for scale, want := range map[float64]map[string]int{
		0.001: {"region": 5, "nation": 25, "supplier": 50, "customer": 150, "part": 200, "partsupp": 800, "orders": 1500},
		0.01:  {"region": 5, "nation": 25, "supplier": 100, "customer": 1500, "part": 2000, "partsupp": 8000, "orders": 15_000},
	} {
		tables := generate(scale)
		for name, rows := range want {
			if got := len(tables[name].rows); got != rows {
				t.Errorf("%s has %d rows at scale %v, not %d", name, got, scale, rows)
			}
		}
		if lines := len(tables["lineitem"].rows); lines < 3*want["orders"] || lines > 5*want["orders"] {
			t.Errorf("%d lines at scale %v", lines, scale)
		}
	}
}

func TestEveryKeyIsFound(t *testing.T) {
	tables := generate(defaultScale)
	for _, c := range []struct{ table, columns, target, keys string }{
		{"nation", "n_regionkey", "region", "r_regionkey"},
		{"supplier", "s_nationkey", "nation", "n_nationkey"},
		{"customer", "c_nationkey", "nation", "n_nationkey"},
		{"partsupp", "ps_partkey", "part", "p_partkey"},
		{"partsupp", "ps_suppkey", "supplier", "s_suppkey"},
		{"orders", "o_custkey", "customer", "c_custkey"},
		{"lineitem", "l_orderkey", "orders", "o_orderkey"},
		{"lineitem", "l_partkey l_suppkey", "partsupp", "ps_partkey ps_suppkey"},
	} {
		known := map[string]bool{}
		for _, key := range tables[c.target].joined(t, c.keys) {
			if known[key] {
				t.Errorf("%s has the key %s twice", c.target, key)
			}
			known[key] = true
		}
		for _, key := range tables[c.table].joined(t, c.columns) {
			if !known[key] {
				t.Fatalf("%s points to %s %s, which is not there", c.table, c.target, key)
			}
		}
	}
}

// joined returns the values of some columns, row by row.
func (t table) joined(tb testing.TB, names string) []string {
	tb.Helper()
	list := make([]string, len(t.rows))
	for name := range strings.FieldsSeq(names) {
		for i, v := range t.column(tb, name) {
			list[i] += fmt.Sprint(v, " ")
		}
	}
	return list
}

// TestLinesAndOrders checks what the benchmark says of an order and its lines: the order's price and status follow from
// them, and they are shipped after the order and before they are received.
func TestLinesAndOrders(t *testing.T) {
	tables := generate(defaultScale)
	type sum struct {
		price int64
		state map[any]bool
		first time.Time
	}
	sums := map[any]sum{}
	lines := tables["lineitem"]
	keys, prices, discounts, taxes := lines.column(t, "l_orderkey"), lines.column(t, "l_extendedprice"), lines.column(t, "l_discount"), lines.column(t, "l_tax")
	states, shipped, received := lines.column(t, "l_linestatus"), lines.column(t, "l_shipdate"), lines.column(t, "l_receiptdate")
	for i, key := range keys {
		s := sums[key]
		if s.state == nil {
			s = sum{state: map[any]bool{}, first: shipped[i].(time.Time)}
		}
		exact := prices[i].(int64) * (100 - discounts[i].(int64)) * (100 + taxes[i].(int64))
		s.price += exact / 10_000
		if exact%10_000 >= 5000 {
			s.price++
		}
		s.state[states[i]] = true
		if at := shipped[i].(time.Time); at.Before(s.first) {
			s.first = at
		}
		if !received[i].(time.Time).After(shipped[i].(time.Time)) {
			t.Fatalf("line %d is received before it is shipped", i)
		}
		sums[key] = s
	}
	orders := tables["orders"]
	totals, statuses, dates := orders.column(t, "o_totalprice"), orders.column(t, "o_orderstatus"), orders.column(t, "o_orderdate")
	for i, key := range orders.column(t, "o_orderkey") {
		s := sums[key]
		status := "P"
		if len(s.state) == 1 {
			status = map[bool]string{true: "O", false: "F"}[s.state["O"]]
		}
		if totals[i] != s.price || statuses[i] != status || !s.first.After(dates[i].(time.Time)) {
			t.Fatalf("order %v: %v %v %v, of lines %+v", key, totals[i], statuses[i], dates[i], s)
		}
	}
}
