package demo

// line is one line of an order; order and product are positions.
type line struct {
	order, product int
	number         int64
	quantity       int64
	price          int64 // cents
	discount       int64
}

// sales is what the customer pays for the line, tax included.
func (l *line) sales() int64 { return l.quantity*l.price - l.discount }

var (
	lineCounts    = weighed(8, 11, 13, 13, 12, 11, 9, 7, 6, 4, 3, 3) // one line, two lines, …
	vipLineCounts = weighed(3, 7, 10, 13, 13, 12, 11, 10, 8, 5, 4, 4)
	quantities    = weighed(50, 27, 12, 6, 3, 2)
	foodQuantity  = weighed(22, 24, 18, 12, 8, 6, 4, 3, 2, 1)
)

// fillOrders makes the lines of every order and adds up its amounts.
func (s *shop) fillOrders() {
	rnd := newStream(lineStream)
	sh := newShelves(s.products)
	s.lines = make([]line, 0, orderCount*6)
	for i := range s.orders {
		o := &s.orders[i]
		o.firstLine = len(s.lines)
		s.addLines(rnd, &sh, i)
		o.lineCount = len(s.lines) - o.firstLine
		for _, l := range s.lines[o.firstLine:] {
			o.quantity += l.quantity
			o.amount += l.sales()
			o.discount += l.discount
		}
		o.freight = freight(rnd, o)
	}
}

func (s *shop) addLines(rnd stream, sh *shelves, position int) {
	o := &s.orders[position]
	loyal := s.customers[o.customer].kind == vip
	counts := lineCounts
	if loyal {
		counts = vipLineCounts
	}
	rate := int64(0) // hundredths of a per cent
	switch {
	case o.promotion >= 0:
		rate = s.promotions[o.promotion].rate
	case loyal && rnd.chance(40):
		rate = 500
	}
	date := s.days[o.day].date
	for n := range counts.pick(rnd) + 1 {
		p := sh.pick(rnd, int(date.Month())-1)
		for s.hasLine(o, p) {
			p = sh.pick(rnd, int(date.Month())-1)
		}
		l := line{order: position, product: p, number: int64(n + 1), price: s.products[p].priceIn(date.Year())}
		l.quantity = quantity(rnd, &s.products[p])
		if rate > 0 && rnd.chance(75) {
			l.discount = share(l.quantity*l.price, rate, 10000)
		}
		s.lines = append(s.lines, l)
	}
}

// hasLine reports whether the order that is being filled has the product already.
func (s *shop) hasLine(o *order, product int) bool {
	for _, l := range s.lines[o.firstLine:] {
		if l.product == product {
			return true
		}
	}
	return false
}

func quantity(rnd stream, p *product) int64 {
	switch {
	case categories[p.category].name == "Food":
		return int64(foodQuantity.pick(rnd) + 1)
	case p.price >= 80000:
		return int64(1 + rnd.below(100)/88)
	}
	return int64(quantities.pick(rnd) + 1)
}

// freight is free over the counter and from 500.00 on.
func freight(rnd stream, o *order) int64 {
	if channels[o.channel].offline || o.amount >= 50000 {
		return 0
	}
	return int64(rnd.between(8, 15)) * 100
}

func (s *shop) salesTable() Table {
	columns := []Column{
		integer("sales_key"), text("order_id"), integer("order_line_no"), integer("date_key"), integer("product_key"),
		integer("customer_key"), integer("store_key"), integer("channel_key"), nullable(integer("promotion_key")),
		text("order_status"), text("payment_method"), integer("quantity"), cents("unit_price"), cents("discount_amount"),
		cents("sales_amount"), cents("cost_amount"), cents("profit_amount"), cents("tax_amount"),
	}
	return table("fact_sales", []string{"sales_key"}, columns, s.lines, func(row []any, i int, l *line) {
		o, p := &s.orders[l.order], &s.products[l.product]
		sales, cost := l.sales(), l.quantity*p.cost
		rate := categories[p.category].taxRate
		row[0], row[1], row[2], row[3] = int64(i+1), o.id, l.number, s.days[o.day].key
		row[4], row[5], row[6], row[7] = p.key, int64(o.customer+1), int64(o.store+1), int64(o.channel+1)
		row[8], row[9], row[10] = o.promotionKey(), orderStatuses[o.status], payMethods[o.method]
		row[11], row[12], row[13], row[14] = l.quantity, l.price, l.discount, sales
		row[15], row[16], row[17] = cost, sales-cost, share(sales, rate, 100+rate)
	})
}
