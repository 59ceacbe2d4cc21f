package demo

import (
	"testing"
	"time"
)

func TestPaymentsSettleOrders(t *testing.T) {
	orders, payments := load(t, "fact_order"), load(t, "fact_payment")
	byID := orders.rowsBy("order_id")
	received, count := map[string]int64{}, map[string]int{}
	amount, status := payments.ints("pay_amount"), payments.texts("pay_status")
	for i, id := range payments.texts("order_id") {
		count[id]++
		received[id] += amount[i]
		if (status[i] == "FAILED") != (amount[i] == 0) || amount[i] < 0 {
			t.Fatalf("payment %v: a failed one, and no other, brings nothing", payments.rows[i])
		}
		o := byID[id]
		if o[orders.at("customer_key")] != payments.rows[i][payments.at("customer_key")] {
			t.Fatalf("payment %v is another customer's", payments.rows[i])
		}
		paid := payments.rows[i][payments.at("pay_time")].(time.Time)
		if dateKey(paid) != payments.cellInt(i, "date_key") || dateKey(paid) < o[orders.at("date_key")].(int64) {
			t.Fatalf("payment %v of order %v", payments.rows[i], o)
		}
		if placed, ok := o[orders.at("order_time")].(time.Time); ok && paid.Before(placed) {
			t.Fatalf("payment %v came before its order", payments.rows[i])
		}
	}
	several, none := 0, 0
	for i, id := range orders.texts("order_id") {
		checkSettlement(t, orders, i, received[id])
		switch {
		case count[id] == 0:
			none++
		case count[id] > 1:
			several++
		}
	}
	if several < 1000 || none < 1000 {
		t.Errorf("%d orders have several payments, %d none", several, none)
	}
}

// checkSettlement compares what came in with the order's two statuses.
func checkSettlement(t *testing.T, orders *frame, i int, received int64) {
	t.Helper()
	due := orders.cellInt(i, "pay_amount")
	if received != 0 && received != due {
		t.Fatalf("order %v: %d came in of %d", orders.rows[i], received, due)
	}
	settled := received == due
	switch status := orders.rows[i][orders.at("order_status")]; status {
	case "PENDING":
		if settled {
			t.Fatalf("pending order %v is paid", orders.rows[i])
		}
	case "PAID", "SHIPPED", "COMPLETED":
		if !settled {
			t.Fatalf("order %v is not paid", orders.rows[i])
		}
	}
	want := "UNPAID"
	if settled {
		want = "PAID"
		if orders.rows[i][orders.at("order_status")] == "CANCELLED" {
			want = "REFUNDED"
		}
	}
	if got := orders.rows[i][orders.at("payment_status")]; got != nil && got != want {
		t.Fatalf("order %v: payment status %v, want %s", orders.rows[i], got, want)
	}
}

func TestReturnsComeFromLines(t *testing.T) {
	type lineID struct {
		order string
		line  int64
	}
	lines, returns := load(t, "fact_sales"), load(t, "fact_return")
	sold := map[lineID]int{}
	for i, id := range lines.texts("order_id") {
		sold[lineID{id, lines.cellInt(i, "order_line_no")}] = i
	}
	seen := map[lineID]bool{}
	for i, id := range returns.texts("order_id") {
		at := lineID{id, returns.cellInt(i, "order_line_no")}
		l, known := sold[at]
		if !known || seen[at] {
			t.Fatalf("return %v: line known %v, returned before %v", returns.rows[i], known, seen[at])
		}
		seen[at] = true
		for _, column := range []string{"product_key", "customer_key", "store_key"} {
			if returns.cellInt(i, column) != lines.cellInt(l, column) {
				t.Fatalf("return %v has another %s than its line", returns.rows[i], column)
			}
		}
		quantity, all := returns.cellInt(i, "return_quantity"), lines.cellInt(l, "quantity")
		amount, paid := returns.cellInt(i, "return_amount"), lines.cellInt(l, "sales_amount")
		if quantity < 1 || quantity > all || amount < 1 || amount > paid || quantity == all && amount != paid {
			t.Fatalf("return %v of line %v", returns.rows[i], lines.rows[l])
		}
		came := returns.rows[i][returns.at("return_time")].(time.Time)
		if dateKey(came) != returns.cellInt(i, "date_key") || dateKey(came) <= lines.cellInt(l, "date_key") {
			t.Fatalf("return %v of line %v", returns.rows[i], lines.rows[l])
		}
		if lines.rows[l][lines.at("order_status")] != "COMPLETED" {
			t.Fatalf("return %v of an order that is not completed", returns.rows[i])
		}
	}
}

func TestStockIsCountedForEveryPairOnEveryDate(t *testing.T) {
	f := load(t, "fact_inventory_snapshot")
	type pair struct{ product, store int64 }
	dates, pairs := map[int64]int{}, map[pair]int{}
	onDate := map[int64]int64{}
	for i := range f.rows {
		key, hand := f.cellInt(i, "date_key"), f.cellInt(i, "quantity_on_hand")
		reserved, available := f.cellInt(i, "quantity_reserved"), f.cellInt(i, "quantity_available")
		dates[key]++
		onDate[key] += hand
		pairs[pair{f.cellInt(i, "product_key"), f.cellInt(i, "store_key")}]++
		if reserved < 0 || available < 0 || hand != reserved+available {
			t.Fatalf("stock %v does not add up", f.rows[i])
		}
		if f.cellInt(i, "inventory_value") != hand*f.cellInt(i, "unit_cost") {
			t.Fatalf("stock %v has a wrong value", f.rows[i])
		}
	}
	if len(dates) != 12 || dates[20241231] == 0 || dates[20220331] == 0 {
		t.Errorf("snapshot dates: %v", dates)
	}
	for p, n := range pairs {
		if n != len(dates) {
			t.Fatalf("%v has %d rows on %d dates", p, n, len(dates))
		}
	}
	if len(dates)*len(pairs) != len(f.rows) {
		t.Errorf("%d rows of %d pairs on %d dates", len(f.rows), len(pairs), len(dates))
	}
	totals := map[int64]bool{}
	for _, hand := range onDate {
		totals[hand] = true
	}
	if len(totals) < len(dates)/2 {
		t.Errorf("stock hardly moves: %v", onDate)
	}
}

func TestEveryTeamSellsByItself(t *testing.T) {
	f := load(t, "fact_team_sales")
	for id := range load(t, "dim_team").rowsBy("team_id") {
		if f.counts("team_id")[id] < 100 {
			t.Errorf("team %v has %d rows", id, f.counts("team_id")[id])
		}
	}
	for i := range f.rows {
		if f.cellInt(i, "sales_amount") <= 0 || f.cellInt(i, "sales_count") <= 0 {
			t.Fatalf("team sales %v", f.rows[i])
		}
	}
}
