package demo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRowCounts(t *testing.T) {
	want := map[string]int{
		"dim_date": 1096, "dim_category_group": 3, "dim_category": 5, "dim_product": 500, "dim_customer": 1000,
		"dim_store": 50, "dim_channel": 10, "dim_promotion": 30, "dim_team": 9, "team_closure": 22,
		"fact_order": 20000, "fact_return": 5000,
	}
	for name, n := range want {
		if got := len(load(t, name).rows); got != n {
			t.Errorf("%s has %d rows, want %d", name, got, n)
		}
	}
	ranges := map[string][2]int{
		"fact_sales": {108000, 112000}, "fact_payment": {20000, 25000},
		"fact_inventory_snapshot": {20000, 40000}, "fact_team_sales": {5000, 10000},
	}
	for name, r := range ranges {
		if got := len(load(t, name).rows); got < r[0] || got > r[1] {
			t.Errorf("%s has %d rows, want %d to %d", name, got, r[0], r[1])
		}
	}
	if got := len(Tables()); got != len(want)+len(ranges) {
		t.Errorf("there are %d tables, want %d", got, len(want)+len(ranges))
	}
}

func TestEveryDayStandsInTheCalendar(t *testing.T) {
	dates := load(t, "dim_date").rowsBy("full_date")
	for d := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2025; d = d.AddDate(0, 0, 1) {
		if dates[d] == nil {
			t.Errorf("%v is missing", d)
		}
	}
	// Hand-written rows: a leap day, a Sunday, and a Monday that ISO counts to the next year.
	for _, want := range [][]any{
		{int64(20240229), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), int64(2024), int64(1), int64(2), "February", "2024-02", "2024-Q1", "2024-W09", int64(4), false},
		{int64(20220102), time.Date(2022, 1, 2, 0, 0, 0, 0, time.UTC), int64(2022), int64(1), int64(1), "January", "2022-01", "2022-Q1", "2021-W52", int64(7), true},
		{int64(20241230), time.Date(2024, 12, 30, 0, 0, 0, 0, time.UTC), int64(2024), int64(4), int64(12), "December", "2024-12", "2024-Q4", "2025-W01", int64(1), false},
	} {
		if diff := cmp.Diff(want, dates[want[1]]); diff != "" {
			t.Error(diff)
		}
	}
}

// TestValuesThatTheModelsName checks columns whose values are a closed set: exactly those stand there.
func TestValuesThatTheModelsName(t *testing.T) {
	for column, want := range map[string]string{
		"dim_category.category_name":   "Electronics Clothing Home Food Beauty",
		"dim_product.category_name":    "Electronics Clothing Home Food Beauty",
		"dim_customer.customer_type":   "VIP NORMAL NEW",
		"dim_customer.gender":          "MALE FEMALE <nil>",
		"dim_customer.member_level":    "GOLD SILVER BRONZE NONE",
		"dim_store.store_type":         "DIRECT FRANCHISE",
		"dim_channel.channel_type":     "ONLINE OFFLINE",
		"dim_promotion.promotion_type": "DISCOUNT COUPON MEMBER CLEARANCE",
		"fact_order.order_status":      "PENDING PAID SHIPPED COMPLETED CANCELLED",
		"fact_order.payment_status":    "PAID UNPAID REFUNDED <nil>",
		"fact_sales.order_status":      "PENDING PAID SHIPPED COMPLETED CANCELLED",
		"fact_sales.payment_method":    "ALIPAY WECHAT CARD CASH",
		"fact_payment.pay_method":      "ALIPAY WECHAT CARD CASH",
		"fact_payment.pay_channel":     "APP WEB MINI_PROGRAM POS",
		"fact_payment.pay_status":      "SUCCESS FAILED",
		"fact_return.return_reason":    "DEFECTIVE NOT_AS_DESCRIBED WRONG_ITEM WRONG_SIZE CHANGED_MIND LATE_DELIVERY",
		"fact_return.return_type":      "REFUND EXCHANGE",
		"fact_return.return_status":    "REQUESTED APPROVED CLOSED REJECTED",
	} {
		table, name, _ := strings.Cut(column, ".")
		expected, got := map[string]bool{}, map[string]bool{}
		for _, word := range strings.Fields(want) {
			expected[word] = true
		}
		for v := range load(t, table).counts(name) {
			got[fmt.Sprint(v)] = true
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s: %s", column, diff)
		}
	}
}

func TestCustomerTypesAreExact(t *testing.T) {
	want := map[any]int{"VIP": 100, "NORMAL": 300, "NEW": 600}
	if diff := cmp.Diff(want, load(t, "dim_customer").counts("customer_type")); diff != "" {
		t.Error(diff)
	}
}

func TestCustomersLookLikePeople(t *testing.T) {
	f := load(t, "dim_customer")
	if got := len(f.counts("phone")); got != 1000 {
		t.Errorf("there are %d phone numbers, want one a customer", got)
	}
	for _, phone := range f.texts("phone") {
		if !strings.HasPrefix(phone, "125-55") || len(phone) != len("125-5500-0000") {
			t.Fatalf("phone %s is not a fictitious one", phone)
		}
	}
	names := f.counts("customer_name")
	if len(names) == 1000 || len(names) < 800 {
		t.Errorf("%d different names: want some namesakes and no more", len(names))
	}
	for _, p := range []string{"Guangdong", "Zhejiang"} {
		if f.counts("province")[p] == 0 {
			t.Errorf("nobody lives in %s", p)
		}
	}
}

// TestCitiesLieInOneProvince holds for customers and stores together.
func TestCitiesLieInOneProvince(t *testing.T) {
	home := map[string]string{}
	for _, name := range []string{"dim_customer", "dim_store"} {
		f := load(t, name)
		places := f.texts("province")
		for i, city := range f.texts("city") {
			if home[city] == "" {
				home[city] = places[i]
			}
			if home[city] != places[i] {
				t.Errorf("%s lies in %s and in %s", city, home[city], places[i])
			}
		}
	}
	if len(home) < 30 {
		t.Errorf("there are only %d cities", len(home))
	}
}

func TestProducts(t *testing.T) {
	f := load(t, "dim_product")
	categories := load(t, "dim_category").rowsBy("category_key")
	if got := len(f.counts("product_name")); got != 500 {
		t.Errorf("there are %d product names, want 500", got)
	}
	price, cost, key, name := f.ints("unit_price"), f.ints("unit_cost"), f.ints("category_key"), f.texts("category_name")
	brand, full := f.texts("brand"), f.texts("product_name")
	for i := range f.rows {
		if price[i] < 10_00 || price[i] > 3000_00 || cost[i] <= 0 || cost[i] >= price[i] {
			t.Fatalf("product %d: price %d, cost %d", i+1, price[i], cost[i])
		}
		if categories[key[i]][1] != name[i] {
			t.Fatalf("product %d: category %d is not %s", i+1, key[i], name[i])
		}
		if !strings.HasPrefix(full[i], brand[i]+" ") {
			t.Fatalf("product %d: %s is not of brand %s", i+1, full[i], brand[i])
		}
	}
	if got := len(f.counts("sub_category_name")); got != 25 {
		t.Errorf("there are %d subcategories, want 25", got)
	}
	if got := len(f.counts("brand")); got != 30 {
		t.Errorf("there are %d brands, want 30", got)
	}
}

func TestNamesOfStoresChannelsPromotionsAndTeamsAreTheirOwn(t *testing.T) {
	for table, column := range map[string]string{
		"dim_store": "store_name", "dim_channel": "channel_name", "dim_promotion": "promotion_name", "dim_team": "team_name",
	} {
		f := load(t, table)
		if got := len(f.counts(column)); got != len(f.rows) {
			t.Errorf("%s has %d names in %d rows", table, got, len(f.rows))
		}
	}
	f := load(t, "dim_promotion")
	for _, rate := range f.ints("discount_rate") {
		if rate <= 0 || rate >= 50_00 {
			t.Errorf("a promotion takes off %d hundredths of a per cent", rate)
		}
	}
}

func TestTeamsAreATreeOfDepthThree(t *testing.T) {
	f := load(t, "dim_team")
	parent, level := map[int64]int64{}, map[int64]int64{}
	for i, id := range f.ints("team_id") {
		parent[id], level[id] = f.ints("parent_id")[i], f.ints("team_level")[i]
	}
	deepest, roots := int64(0), 0
	for id, p := range parent {
		deepest = max(deepest, level[id])
		if p == 0 {
			roots++
		}
		if level[id] != level[p]+1 {
			t.Errorf("team %d of level %d stands below level %d", id, level[id], level[p])
		}
	}
	if roots != 1 || deepest != 3 {
		t.Errorf("%d roots, depth %d", roots, deepest)
	}
	want := map[[3]int64]bool{}
	for id := range parent {
		want[[3]int64{id, id, 0}] = true
		if p := parent[id]; p != 0 {
			want[[3]int64{p, id, 1}] = true
			if g := parent[p]; g != 0 {
				want[[3]int64{g, id, 2}] = true
			}
		}
	}
	got := map[[3]int64]bool{}
	for _, row := range load(t, "team_closure").rows {
		got[[3]int64{row[0].(int64), row[1].(int64), row[2].(int64)}] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
