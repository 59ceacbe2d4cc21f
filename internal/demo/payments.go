package demo

import (
	"cmp"
	"slices"
)

var (
	payMethods     = []string{"ALIPAY", "WECHAT", "CARD", "CASH"}
	onlineMethods  = weighed(46, 38, 16, 0)
	offlineMethods = weighed(25, 30, 28, 17)

	partCounts = weighed(88, 10, 2) // one payment, two, three

	onlinePayChannels = []string{"APP", "WEB", "MINI_PROGRAM"}
)

// payment is one attempt to pay for an order. A failed one brought nothing in: its amount is 0.
type payment struct {
	id      string
	order   int
	method  int
	channel string
	failed  bool
	paid    moment
	amount  int64 // cents
}

// takePayments makes the payments. What came in for an order adds up to what it costs, or there is none.
func (s *shop) takePayments() {
	rnd := newStream(paymentStream)
	for i := range s.orders {
		o := &s.orders[i]
		channel := "POS"
		if !channels[o.channel].offline {
			channel = pickFrom(rnd, onlinePayChannels)
		}
		p := payment{order: i, method: o.method, channel: channel, paid: firstAttempt(rnd, o)}
		if rnd.chance(failurePercent(o)) {
			failed := p
			failed.failed = true
			s.payments = append(s.payments, failed)
			p.paid = later(rnd, p.paid)
		}
		if o.settled {
			s.payInParts(rnd, p, o)
		}
	}
	slices.SortStableFunc(s.payments, func(a, b payment) int { return cmp.Compare(a.paid, b.paid) })
	nextID := dailyIDs("PM", s.days)
	for i := range s.payments {
		s.payments[i].id = nextID(s.payments[i].paid.day())
	}
}

// failurePercent is how often a first attempt fails; unpaid orders often are so because of it.
func failurePercent(o *order) int {
	if o.settled {
		return 4
	}
	return 18
}

// firstAttempt is within minutes for most, within two days for a few, always within the data.
func firstAttempt(rnd stream, o *order) moment {
	delay := moment(rnd.between(20, 15*60))
	if !channels[o.channel].offline && rnd.chance(6) {
		delay = moment(rnd.between(1, 48)) * hour
	}
	return min(o.placed+delay, endOfData)
}

func later(rnd stream, m moment) moment { return min(m+moment(rnd.between(30, 900)), endOfData) }

// payInParts adds the payments that settle an order: mostly one, sometimes two or three.
func (s *shop) payInParts(rnd stream, p payment, o *order) {
	parts := partCounts.pick(rnd) + 1
	left := o.payable()
	for n := parts; n > 1; n-- {
		first := p
		first.amount = left * int64(rnd.between(30, 60)) / 100 / 100 * 100
		if first.amount == 0 {
			break
		}
		s.payments = append(s.payments, first)
		left -= first.amount
		p.paid = later(rnd, p.paid)
		if rnd.chance(50) {
			p.method = onlineMethods.pick(rnd)
		}
	}
	p.amount = left
	s.payments = append(s.payments, p)
}

func (s *shop) paymentTable() Table {
	columns := []Column{
		text("payment_id"), text("order_id"), integer("date_key"), integer("customer_key"), text("pay_method"),
		text("pay_channel"), text("pay_status"), timestamp("pay_time"), cents("pay_amount"),
	}
	return table("fact_payment", []string{"payment_id"}, columns, s.payments, func(row []any, _ int, p *payment) {
		o := &s.orders[p.order]
		row[0], row[1], row[2], row[3] = p.id, o.id, s.days[p.paid.day()].key, int64(o.customer+1)
		row[4], row[5], row[6] = payMethods[p.method], p.channel, "SUCCESS"
		if p.failed {
			row[6] = "FAILED"
		}
		row[7], row[8] = p.paid.time(), p.amount
	})
}
