package demo

import (
	"testing"
	"time"
)

// TestFactsPointToDimensions checks every key of every fact. Where rows may be missing, some are, and few.
func TestFactsPointToDimensions(t *testing.T) {
	targets := []struct {
		key, table string
	}{
		{"date_key", "dim_date"}, {"customer_key", "dim_customer"}, {"product_key", "dim_product"}, {"store_key", "dim_store"},
		{"channel_key", "dim_channel"}, {"promotion_key", "dim_promotion"}, {"team_id", "dim_team"}, {"category_key", "dim_category"},
		{"group_key", "dim_category_group"}, {"order_id", "fact_order"},
	}
	mayMiss := map[string]bool{
		"fact_order.customer_key": true, "fact_sales.customer_key": true, "fact_sales.product_key": true, "fact_payment.customer_key": true,
	}
	missed := 0
	for _, source := range Tables() {
		f := load(t, source.Name)
		for _, target := range targets {
			if !hasColumn(source, target.key) {
				continue
			}
			known := load(t, target.table).rowsBy(target.key)
			orphans := 0
			for v, n := range f.counts(target.key) {
				if v != nil && known[v] == nil {
					orphans += n
				}
			}
			if mayMiss[f.Name+"."+target.key] {
				missed++
				if orphans == 0 || orphans*20 > len(f.rows) {
					t.Errorf("%s.%s: %d of %d rows are orphans", f.Name, target.key, orphans, len(f.rows))
				}
			} else if orphans != 0 {
				t.Errorf("%s.%s: %d orphans", f.Name, target.key, orphans)
			}
		}
	}
	if missed != len(mayMiss) {
		t.Errorf("%d keys may miss, want %d", missed, len(mayMiss))
	}
}

func hasColumn(t Table, name string) bool {
	for _, c := range t.Columns {
		if c.Name == name {
			return true
		}
	}
	return false
}

func TestLineArithmetic(t *testing.T) {
	f := load(t, "fact_sales")
	quantity, price, discount := f.ints("quantity"), f.ints("unit_price"), f.ints("discount_amount")
	sales, cost, profit, tax := f.ints("sales_amount"), f.ints("cost_amount"), f.ints("profit_amount"), f.ints("tax_amount")
	product := f.ints("product_key")
	products := load(t, "dim_product").rowsBy("product_key")
	for i := range f.rows {
		if quantity[i] < 1 || price[i] < 10_00 || price[i] > 3000_00 || discount[i] < 0 || sales[i] <= 0 {
			t.Fatalf("line %d is out of bounds: %v", i+1, f.rows[i])
		}
		if sales[i] != quantity[i]*price[i]-discount[i] || profit[i] != sales[i]-cost[i] {
			t.Fatalf("line %d does not add up: %v", i+1, f.rows[i])
		}
		p := products[product[i]]
		if p == nil {
			continue
		}
		if unitCost := p[7].(int64); cost[i] != quantity[i]*unitCost {
			t.Fatalf("line %d costs %d, want %d times %d", i+1, cost[i], quantity[i], unitCost)
		}
		rate := int64(13)
		if p[3] == "Food" {
			rate = 9
		}
		// The tax is that of a price with tax, within half a cent.
		if off := 2 * (tax[i]*(100+rate) - sales[i]*rate); off > 100+rate || off <= -(100+rate) {
			t.Fatalf("line %d of %d has tax %d at %d per cent", i+1, sales[i], tax[i], rate)
		}
	}
}

// lineSums are what the lines of one order come to.
type lineSums struct{ lines, quantity, amount, discount int64 }

func TestOrdersAreTheSumOfTheirLines(t *testing.T) {
	lines, orders := load(t, "fact_sales"), load(t, "fact_order")
	byID := orders.rowsBy("order_id")
	shared := []string{"date_key", "customer_key", "store_key", "channel_key", "promotion_key", "order_status"}
	sums := map[string]lineSums{}
	number, quantity := lines.ints("order_line_no"), lines.ints("quantity")
	amount, discount := lines.ints("sales_amount"), lines.ints("discount_amount")
	for i, id := range lines.texts("order_id") {
		s := sums[id]
		s = lineSums{s.lines + 1, s.quantity + quantity[i], s.amount + amount[i], s.discount + discount[i]}
		sums[id] = s
		if number[i] != s.lines {
			t.Fatalf("order %s has line %d after %d", id, number[i], s.lines-1)
		}
		for _, column := range shared {
			if lines.rows[i][lines.at(column)] != byID[id][orders.at(column)] {
				t.Fatalf("a line of order %s has another %s", id, column)
			}
		}
	}
	freight, pay := orders.ints("freight_amount"), orders.ints("pay_amount")
	for i, id := range orders.texts("order_id") {
		got := lineSums{sums[id].lines, orders.cellInt(i, "total_quantity"), orders.cellInt(i, "total_amount"), orders.cellInt(i, "discount_amount")}
		if got != sums[id] || got.lines == 0 {
			t.Fatalf("order %s has %+v, its lines %+v", id, got, sums[id])
		}
		if freight[i] < 0 || pay[i] != got.amount+freight[i] {
			t.Fatalf("order %s is to be paid with %d", id, pay[i])
		}
	}
	if mean := sum(orders.ints("total_amount")) / int64(len(orders.rows)); mean < 2800_00 || mean > 3200_00 {
		t.Errorf("the mean order is %d cents", mean)
	}
}

func TestOrderTimeFallsOnOrderDate(t *testing.T) {
	f := load(t, "fact_order")
	i := f.at("order_time")
	for n, key := range f.ints("date_key") {
		if placed, ok := f.rows[n][i].(time.Time); ok && dateKey(placed) != key {
			t.Fatalf("order of %d was placed at %v", key, placed)
		}
	}
}

func dateKey(d time.Time) int64 { return int64(d.Year()*10000 + int(d.Month())*100 + d.Day()) }

func TestPromotionsRunOnTheDayOfTheOrder(t *testing.T) {
	f := load(t, "fact_order")
	promotions := load(t, "dim_promotion").rowsBy("promotion_key")
	for i, key := range f.ints("date_key") {
		p := promotions[f.rows[i][f.at("promotion_key")]]
		if p != nil && (key < dateKey(p[4].(time.Time)) || key > dateKey(p[5].(time.Time))) {
			t.Fatalf("order of %d has promotion %v", key, p)
		}
	}
}

// TestTradeFollowsTheCalendar checks growth, season and weekend by counting orders.
func TestTradeFollowsTheCalendar(t *testing.T) {
	dates := load(t, "dim_date").rowsBy("date_key")
	byYear, byMonth, weekend := map[int64]int{}, map[int64]int{}, map[bool]int{}
	perDay := load(t, "fact_order").counts("date_key")
	for key := range dates {
		if perDay[key] == 0 {
			t.Errorf("no order on %d", key)
		}
	}
	for key, n := range perDay {
		d := dates[key]
		byYear[d[2].(int64)] += n
		byMonth[d[4].(int64)] += n
		weekend[d[10].(bool)] += n
	}
	if byYear[2022] >= byYear[2023] || byYear[2023] >= byYear[2024] {
		t.Errorf("no growth: %v", byYear)
	}
	if byMonth[11] <= byMonth[8] || byMonth[6] <= byMonth[7] {
		t.Errorf("no season: %v", byMonth)
	}
	if weekend[true]*5 <= weekend[false]*2 {
		t.Errorf("no weekend effect: %v", weekend)
	}
}

func TestPopularProductsSellMost(t *testing.T) {
	most, all := 0, load(t, "fact_sales").counts("product_key")
	for _, n := range all {
		most = max(most, n)
	}
	if mean := len(load(t, "fact_sales").rows) / len(all); most < 3*mean {
		t.Errorf("the best seller has %d lines, the mean product %d", most, mean)
	}
	if len(all) < 500 {
		t.Errorf("only %d products were ever sold", len(all))
	}
}
