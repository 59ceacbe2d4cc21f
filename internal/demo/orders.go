package demo

import "slices"

const orderCount = 20000

// orderStatus is how far an order has come.
type orderStatus int

const (
	pending orderStatus = iota
	paid
	shipped
	completed
	cancelled
)

var orderStatuses = []string{"PENDING", "PAID", "SHIPPED", "COMPLETED", "CANCELLED"}

// How far orders have come by their age.
var (
	freshStatus  = weighed(24, 38, 26, 5, 7)
	recentStatus = weighed(8, 16, 38, 30, 8)
	oldStatus    = weighed(2, 3, 4, 83, 8)
)

// order is one order; customer, store and channel are positions.
type order struct {
	id        string
	placed    moment
	day       int
	customer  int
	store     int
	channel   int
	promotion int // -1 if none
	status    orderStatus
	settled   bool // money came in, though it may have gone back
	untimed   bool // the time of the order was not recorded
	unknown   bool // the payment status was not recorded
	method    int  // position in payMethods

	firstLine, lineCount int

	quantity, amount, discount, freight int64
}

// payable is what the customer owes for the order.
func (o *order) payable() int64 { return o.amount + o.freight }

// takeOrders makes the orders in the order of time, without their lines and amounts.
func (s *shop) takeOrders() {
	rnd := newStream(orderStream)
	counts := make([]int, len(s.days))
	byBusyness := weigh(len(s.days), func(i int) int { return s.days[i].weight })
	for range orderCount {
		counts[byBusyness.pick(rnd)]++
	}
	taker := orderTaker{
		shop:      s,
		rnd:       rnd,
		customers: weigh(len(s.customers), func(i int) int { return s.customers[i].weight }),
		near:      storesByProvince(s.stores),
		active:    activePromotions(s.days, s.promotions),
	}
	nextID := dailyIDs("SO", s.days)
	s.orders = make([]order, 0, orderCount)
	for d, count := range counts {
		for _, second := range openingSeconds(rnd, count) {
			o := taker.order(d, second)
			o.id = nextID(d)
			s.orders = append(s.orders, o)
		}
	}
}

// openingSeconds returns n seconds of a day, earliest first.
func openingSeconds(rnd stream, n int) []moment {
	seconds := make([]moment, n)
	for i := range seconds {
		seconds[i] = clock(rnd)
	}
	slices.Sort(seconds)
	return seconds
}

type orderTaker struct {
	*shop
	rnd       stream
	customers weights
	near      [][]int // stores by province
	active    []int   // promotions by day
}

func (t *orderTaker) order(d int, second moment) order {
	rnd := t.rnd
	o := order{placed: at(d, second), day: d, customer: t.customers.pick(rnd), promotion: -1}
	o.store = rnd.below(len(t.stores))
	if rnd.chance(75) {
		o.store = pickFrom(rnd, t.near[t.shop.customers[o.customer].province])
	}
	channelWeights := weekdayChannels
	if weekday := t.days[d].date.Weekday(); weekday == 0 || weekday == 6 {
		channelWeights = weekendChannels
	}
	o.channel = channelWeights.pick(rnd)
	if t.active[d] >= 0 && rnd.chance(65) {
		o.promotion = t.active[d]
	}
	o.status = statusAt(rnd, len(t.days)-1-d)
	o.settled = o.status != pending && (o.status != cancelled || rnd.chance(30))
	o.untimed, o.unknown = rnd.chance(2), rnd.chance(2)
	o.method = onlineMethods.pick(rnd)
	if channels[o.channel].offline {
		o.method = offlineMethods.pick(rnd)
	}
	return o
}

// statusAt returns the status of an order that is so many days old.
func statusAt(rnd stream, age int) orderStatus {
	byAge := oldStatus
	switch {
	case age < 4:
		byAge = freshStatus
	case age < 15:
		byAge = recentStatus
	}
	return orderStatus(byAge.pick(rnd))
}

// paymentStatus returns the code, or nil where it was not recorded.
func (o *order) paymentStatus() any {
	switch {
	case o.unknown:
		return nil
	case !o.settled:
		return "UNPAID"
	case o.status == cancelled:
		return "REFUNDED"
	}
	return "PAID"
}

// promotionKey returns the key, or nil where there was none.
func (o *order) promotionKey() any {
	if o.promotion < 0 {
		return nil
	}
	return int64(o.promotion + 1)
}

func (s *shop) orderTable() Table {
	columns := []Column{
		text("order_id"), integer("date_key"), integer("customer_key"), integer("store_key"), integer("channel_key"),
		nullable(integer("promotion_key")), text("order_status"), nullable(text("payment_status")),
		nullable(timestamp("order_time")), integer("total_quantity"), cents("total_amount"), cents("discount_amount"),
		cents("freight_amount"), cents("pay_amount"),
	}
	return table("fact_order", []string{"order_id"}, columns, s.orders, func(row []any, _ int, o *order) {
		row[0], row[1], row[2] = o.id, s.days[o.day].key, int64(o.customer+1)
		row[3], row[4], row[5] = int64(o.store+1), int64(o.channel+1), o.promotionKey()
		row[6], row[7], row[8] = orderStatuses[o.status], o.paymentStatus(), nil
		if !o.untimed {
			row[8] = o.placed.time()
		}
		row[9], row[10], row[11] = o.quantity, o.amount, o.discount
		row[12], row[13] = o.freight, o.payable()
	})
}
