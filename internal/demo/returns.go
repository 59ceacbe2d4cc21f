package demo

import (
	"cmp"
	"slices"
)

const (
	returnCount  = 5000
	returnWithin = 30 // days
)

var (
	returnReasons = []string{"DEFECTIVE", "NOT_AS_DESCRIBED", "WRONG_ITEM", "WRONG_SIZE", "CHANGED_MIND", "LATE_DELIVERY"}
	plainReasons  = weighed(30, 22, 10, 0, 28, 10)
	sizedReasons  = weighed(10, 18, 8, 38, 20, 6)

	returnStatuses      = []string{"REQUESTED", "APPROVED", "CLOSED", "REJECTED"}
	recentReturnStatus  = weighed(48, 34, 12, 6)
	settledReturnStatus = weighed(1, 2, 89, 8)
)

// returned is part or all of an order line that came back.
type returned struct {
	id       string
	line     int
	came     moment
	reason   string
	exchange bool
	status   string
	quantity int64
	amount   int64 // cents
}

// takeReturns makes the returns: of lines of completed orders whose customer and product still have a row, each line
// at most once.
func (s *shop) takeReturns() {
	rnd := newStream(returnStream)
	candidates := s.returnable()
	rnd.shuffle(len(candidates), func(i, j int) { candidates[i], candidates[j] = candidates[j], candidates[i] })
	for _, position := range candidates {
		if len(s.returns) == returnCount {
			break
		}
		if rnd.below(5) < categories[s.products[s.lines[position].product].category].returned {
			s.returns = append(s.returns, s.newReturn(rnd, position))
		}
	}
	slices.SortFunc(s.returns, func(a, b returned) int {
		return cmp.Or(cmp.Compare(a.came, b.came), cmp.Compare(a.line, b.line))
	})
	nextID := dailyIDs("RT", s.days)
	for i := range s.returns {
		s.returns[i].id = nextID(s.returns[i].came.day())
	}
}

// returnable returns the positions of the lines that can come back before the data ends.
func (s *shop) returnable() []int {
	var positions []int
	for i, l := range s.lines {
		o := &s.orders[l.order]
		if o.status == completed && o.day < len(s.days)-1 && o.customer < customerCount && l.product < productCount {
			positions = append(positions, i)
		}
	}
	return positions
}

func (s *shop) newReturn(rnd stream, position int) returned {
	l := &s.lines[position]
	placed := s.orders[l.order].day
	last := len(s.days) - 1
	day := placed + rnd.between(1, min(returnWithin, last-placed))
	reasons := plainReasons
	if categories[s.products[l.product].category].name == "Clothing" {
		reasons = sizedReasons
	}
	statuses := settledReturnStatus
	if last-day < 10 {
		statuses = recentReturnStatus
	}
	quantity := l.quantity
	if quantity > 1 && rnd.chance(60) {
		quantity = int64(rnd.between(1, int(quantity)))
	}
	return returned{
		line:     position,
		came:     at(day, clock(rnd)),
		reason:   returnReasons[reasons.pick(rnd)],
		exchange: rnd.chance(25),
		status:   returnStatuses[statuses.pick(rnd)],
		quantity: quantity,
		amount:   share(l.sales(), quantity, l.quantity),
	}
}

func (s *shop) returnTable() Table {
	columns := []Column{
		text("return_id"), text("order_id"), integer("order_line_no"), integer("date_key"), integer("product_key"),
		integer("customer_key"), integer("store_key"), text("return_reason"), text("return_type"), text("return_status"),
		timestamp("return_time"), integer("return_quantity"), cents("return_amount"),
	}
	return table("fact_return", []string{"return_id"}, columns, s.returns, func(row []any, _ int, r *returned) {
		l := &s.lines[r.line]
		o := &s.orders[l.order]
		row[0], row[1], row[2], row[3] = r.id, o.id, l.number, s.days[r.came.day()].key
		row[4], row[5], row[6] = int64(l.product+1), int64(o.customer+1), int64(o.store+1)
		row[7], row[8], row[9] = r.reason, "REFUND", r.status
		if r.exchange {
			row[8] = "EXCHANGE"
		}
		row[10], row[11], row[12] = r.came.time(), r.quantity, r.amount
	})
}
