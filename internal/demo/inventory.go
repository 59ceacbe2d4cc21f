package demo

// stock is what a store has of a product at the end of a quarter.
type stock struct {
	day, product, store int
	onHand, reserved    int64
}

// countStock makes the snapshots: at the end of every quarter, every pair of product and store that is stocked has
// its row, also when nothing is left. The dates stand in order.
func (s *shop) countStock() {
	rnd := newStream(inventoryStream)
	shelf := s.stockedPairs(rnd)
	for d := range s.days {
		if !s.endsQuarter(d) {
			continue
		}
		for i := range shelf {
			shelf[i].day = d
			shelf[i].trade(rnd)
		}
		s.stocks = append(s.stocks, shelf...)
	}
}

func (s *shop) endsQuarter(d int) bool {
	next := s.days[d].date.AddDate(0, 0, 1)
	return next.Day() == 1 && quarter(next) != quarter(s.days[d].date)
}

// stockedPairs returns the pairs with what they hold before the first quarter: each product stands in three to seven
// stores.
func (s *shop) stockedPairs(rnd stream) []stock {
	var pairs []stock
	order := make([]int, len(s.stores))
	for i := range order {
		order[i] = i
	}
	for p := range productCount {
		rnd.shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, st := range order[:rnd.between(3, 7)] {
			pairs = append(pairs, stock{product: p, store: st, onHand: int64(rnd.between(20, 160))})
		}
	}
	return pairs
}

// trade moves the stock by a quarter: some is sold, and what runs low is mostly filled up again.
func (st *stock) trade(rnd stream) {
	st.onHand -= st.onHand * int64(rnd.between(20, 75)) / 100
	if st.onHand < 25 && rnd.chance(85) {
		st.onHand += int64(rnd.between(40, 180))
	}
	if rnd.chance(2) {
		st.onHand = 0
	}
	st.reserved = st.onHand * int64(rnd.below(25)) / 100
}

func (s *shop) inventoryTable() Table {
	columns := []Column{
		integer("snapshot_key"), integer("date_key"), integer("product_key"), integer("store_key"),
		integer("quantity_on_hand"), integer("quantity_reserved"), integer("quantity_available"),
		cents("unit_cost"), cents("inventory_value"),
	}
	return table("fact_inventory_snapshot", []string{"snapshot_key"}, columns, s.stocks, func(row []any, i int, st *stock) {
		cost := s.products[st.product].cost
		row[0], row[1], row[2], row[3] = int64(i+1), s.days[st.day].key, int64(st.product+1), int64(st.store+1)
		row[4], row[5], row[6] = st.onHand, st.reserved, st.onHand-st.reserved
		row[7], row[8] = cost, st.onHand*cost
	})
}
