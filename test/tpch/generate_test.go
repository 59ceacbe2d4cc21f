// Package tpch asks the questions of the TPC-H benchmark of models over its schema, on every database, and compares the
// answers with those of hand-written SQL. The data is a generator's of its own: the benchmark's tables and vocabulary at
// a small scale, so distributed that every question has an answer.
package tpch

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// world is the generated data on its way into the tables.
type world struct {
	tables                             map[string]*table
	suppliers, customers, parts, sales int64 // how many there are; sales are orders
}

// generate makes the tables at a scale, of which 1 has 1,500,000 orders. The same scale always gives the same rows.
func generate(scale float64) map[string]*table {
	count := func(atOne float64, least int64) int64 { return max(least, int64(math.Round(atOne*scale))) }
	w := &world{
		tables:    schema(),
		suppliers: count(10_000, 50), customers: count(150_000, 150), parts: count(200_000, 200), sales: count(1_500_000, 1500),
	}
	w.places()
	w.sellers()
	w.buyers()
	w.goods()
	w.trade()
	return w.tables
}

func (w *world) add(table string, cells ...any) {
	w.tables[table].rows = append(w.tables[table].rows, cells)
}

func (w *world) places() {
	d := diceOf("places")
	for i, name := range regionNames {
		w.add("region", int64(i), name, d.text(5))
	}
	for i, n := range nations {
		w.add("nation", int64(i), n.name, n.region, d.text(5))
	}
}

// nationOf spreads keys over the nations evenly.
func nationOf(key int64) int64 { return key * 7 % int64(len(nations)) }

// phone starts with the code of a country.
func (d *dice) phone(nation int64) string {
	return fmt.Sprintf("%d-%d-%d-%d", nation+10, d.between(100, 999), d.between(100, 999), d.between(1000, 9999))
}

// sellers are the suppliers; of some, customers have complained.
func (w *world) sellers() {
	d := diceOf("supplier")
	for key := int64(1); key <= w.suppliers; key++ {
		comment := d.text(6)
		switch key % 25 {
		case 3:
			comment = d.around("Customer", "Complaints")
		case 11:
			comment = d.around("Customer", "Recommends")
		}
		nation := nationOf(key)
		w.add("supplier", key, fmt.Sprintf("Supplier#%09d", key), d.address(), nation, d.phone(nation), d.between(-99_999, 999_999), comment)
	}
}

func (w *world) buyers() {
	d := diceOf("customer")
	for key := int64(1); key <= w.customers; key++ {
		nation := nationOf(key/3 + d.between(0, 24))
		w.add("customer", key, fmt.Sprintf("Customer#%09d", key), d.address(), nation, d.phone(nation), d.between(-99_999, 999_999), d.of(segments), d.text(8))
	}
}

// sought changes parts, by the remainder of their key, into what questions ask for and a small scale has too few of.
var sought = map[int64]func(p *part){
	5:  func(p *part) { p.kind = "ECONOMY ANODIZED STEEL" },
	7:  func(p *part) { p.brand, p.container, p.size = "Brand#12", "SM CASE", 3 },
	13: func(p *part) { p.name = "forest " + p.name },
	17: func(p *part) { p.brand, p.container, p.size = "Brand#23", "MED BOX", 8 },
	25: func(p *part) { p.kind = "ECONOMY ANODIZED STEEL" },
	27: func(p *part) { p.brand, p.container, p.size = "Brand#34", "LG BOX", 12 },
	33: func(p *part) { p.name = "forest " + p.name },
	37: func(p *part) { p.kind, p.size = "LARGE PLATED BRASS", 15 },
}

type part struct {
	name, brand, kind, container string
	size                         int64
}

// goods are the parts, each from four suppliers.
func (w *world) goods() {
	d := diceOf("part")
	for key := int64(1); key <= w.parts; key++ {
		names := make([]string, 5)
		for i := range names {
			names[i] = d.of(colours)
		}
		p := part{
			name: strings.Join(names, " "), brand: fmt.Sprintf("Brand#%d%d", d.between(1, 5), d.between(1, 5)), size: d.between(1, 50),
			kind: strings.Join([]string{d.of(sizesOfType), d.of(finishes), d.of(metals)}, " "), container: d.of(packSizes) + " " + d.of(packs),
		}
		if change, ok := sought[key%40]; ok {
			change(&p)
		}
		w.add("part", key, p.name, "Manufacturer#"+p.brand[6:7], p.brand, p.kind, p.size, p.container, retail(key), d.text(3))
		for i := range int64(4) {
			w.add("partsupp", key, w.supplierOf(key, i), d.between(1, 9999), d.between(100, 100_000), d.text(10))
		}
	}
}

// retail is the price of a part in cents.
func retail(part int64) int64 { return 90_000 + part/10%20_001 + 100*(part%1000) }

// supplierOf is the i-th of the four suppliers of a part.
func (w *world) supplierOf(part, i int64) int64 {
	return (part-1+(part-1)/w.suppliers+i*(w.suppliers/4))%w.suppliers + 1
}

var (
	firstDay = time.Date(1992, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(1998, time.August, 2, 0, 0, 0, 0, time.UTC) // of an order
	asOf     = time.Date(1995, time.June, 17, 0, 0, 0, 0, time.UTC)  // what was received by then may have come back
)

// trade is the orders and their lines.
func (w *world) trade() {
	d := diceOf("orders")
	days := int64(lastDay.Sub(firstDay) / (24 * time.Hour))
	for i := range w.sales {
		key := i/8*32 + i%8 + 1
		customer := d.between(1, w.customers)
		if customer%3 == 0 { // a third of the customers never order
			customer--
		}
		date := firstDay.AddDate(0, 0, int(d.between(0, days)))
		lines := d.between(1, 7)
		least := int64(1)
		if i%500 == 250 { // a few orders are large
			lines, least = 7, 44
		}
		total, status := w.lines(d, key, date, lines, least)
		comment := d.text(6)
		if d.between(1, 25) == 1 {
			comment = d.around("special", "requests")
		}
		w.add("orders", key, customer, status, total, date, d.of(priorities), fmt.Sprintf("Clerk#%09d", d.between(1, max(1, w.sales/1500))), int64(0), comment)
	}
}

// lines adds the lines of an order, of at least some pieces each, and returns its price and its status.
func (w *world) lines(d *dice, order int64, date time.Time, n, least int64) (total int64, status string) {
	open := int64(0)
	for number := int64(1); number <= n; number++ {
		part, quantity := d.between(1, w.parts), d.between(least, 50)
		discount, tax := d.between(0, 10), d.between(0, 8)
		price := quantity * retail(part)
		shipped := date.AddDate(0, 0, int(d.between(1, 121)))
		committed := date.AddDate(0, 0, int(d.between(30, 90)))
		received := shipped.AddDate(0, 0, int(d.between(1, 30)))
		returned, state := "N", "F"
		if !received.After(asOf) {
			returned = d.of([]string{"A", "R"})
		}
		if shipped.After(asOf) {
			state = "O"
			open++
		}
		w.add("lineitem", order, part, w.supplierOf(part, d.between(0, 3)), number, quantity*100, price, discount, tax,
			returned, state, shipped, committed, received, d.of(instructions), d.of(modes), d.text(3))
		total += (price*(100-discount)*(100+tax) + 5000) / 10_000
	}
	switch open {
	case 0:
		return total, "F"
	case n:
		return total, "O"
	}
	return total, "P"
}
