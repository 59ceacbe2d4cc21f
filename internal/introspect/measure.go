package introspect

import (
	"slices"

	"parlance/internal/relation"
	"parlance/internal/value"
)

var (
	// moneyWords make a decimal of two digits money.
	moneyWords = []string{"amount", "amt", "price", "cost", "total", "subtotal", "revenue", "fee", "fees", "tax", "salary", "pay", "payment", "discount", "profit", "freight", "charge", "balance", "sales", "value", "budget", "spend", "income", "expense", "wage", "money", "net", "gross"}
	// ratioWords make a number no money, whatever it is a ratio of.
	ratioWords = []string{"rate", "ratio", "percent", "percentage", "pct", "factor", "score", "rating", "share"}
	// averagedWords make a sum of a number senseless.
	averagedWords = []string{"price", "rate", "ratio", "percent", "percentage", "pct", "avg", "average", "mean", "median", "score", "rating", "temperature", "temp", "factor", "speed", "latency", "share", "humidity", "pressure", "density", "per"}
	// codeWords, at the end of a name, make a number no quantity.
	codeWords = []string{"id", "key", "sk", "fk", "code", "no", "nr", "num", "number", "year", "month", "day", "week", "quarter", "hour", "minute", "weekday", "zip", "postcode", "phone", "fax", "version", "status", "state", "flag", "type", "kind", "level", "rank", "position", "seq", "sequence", "sort", "order", "index", "lat", "latitude", "lon", "lng", "longitude", "age", "line", "floor", "mask", "port", "sku", "ean", "isbn", "date", "time", "timestamp", "grade", "class", "priority", "uuid", "guid"}
	// levelWords tell how much there is at a time, which is not added up over times.
	levelWords = []string{"stock", "hand", "balance", "inventory", "headcount", "available", "reserved", "outstanding"}
)

// aggregation returns how a column is added up. It is false for what is no quantity: keys, codes, places in an order.
func (w *world) aggregation(t *relation.Table, c relation.Column) (string, bool) {
	list := words(c.Name)
	if !shown(c) || !c.Type.Numeric() || len(list) == 0 || slices.Contains(t.Primary, c.Name) {
		return "", false
	}
	for _, l := range w.links[t] {
		if slices.Contains(l.columns, c.Name) {
			return "", false
		}
	}
	switch {
	case slices.Contains(codeWords, list[len(list)-1]) || len(t.Primary) == 0 && len(list) == 1 && slices.Contains(keySuffixes, list[0]):
		return "", false
	case list[0] == "max" || list[0] == "maximum" || list[0] == "highest":
		return "max", true
	case list[0] == "min" || list[0] == "minimum" || list[0] == "lowest":
		return "min", true
	case hasWord(list, averagedWords) || list[0] == "unit" && len(list) > 1:
		return "avg", true
	}
	return "sum", true
}

func measure(scope names, c relation.Column, agg string) *field {
	f := attribute(scope, c, "measure")
	f.agg = agg
	if agg == "avg" {
		f.remark = "an average of rows; for one that is weighted write an expression over sums"
	}
	return f
}

// count makes the measure that counts rows.
func count(scope names, t *relation.Table) *field {
	about := subject(t.Name)
	if len(about) == 0 {
		about = []string{"row"}
	}
	about = append(slices.Clone(about), "count")
	return &field{name: scope.field(about, "row"), agg: "count", caption: sentence(about)}
}

// levels marks the sums that look like stocks.
func (m *model) levels() {
	for _, f := range m.measures {
		if f.agg == "sum" && m.time != "" && (hasWord(words(f.column), levelWords) || hasWord(words(m.table.Name), []string{"snapshot", "snapshots"})) {
			f.remark = "if it is a level and no flow, add: additivity: {over: " + m.time + ", use: last}"
		}
	}
}

var (
	eventWords = []string{"order", "ordered", "sale", "sales", "sold", "invoice", "transaction", "trade", "event", "posting", "booking", "payment", "pay", "paid", "business", "snapshot", "visit", "entry", "date", "day", "time"}
	otherWords = []string{"update", "updated", "modified", "changed", "deleted", "due", "expiry", "expires", "expired", "birth", "birthday", "end", "until", "closed", "required", "loaded", "sync", "synced", "arrival"}
)

// when returns the date dimension or date attribute that relative times most likely speak of, or "".
func (m *model) when() string {
	best, found := 0, ""
	about := subject(m.table.Name)
	consider := func(name string, list []string, score int, nullable bool) {
		if hasWord(list, about) {
			score += 4
		}
		if hasWord(list, eventWords) {
			score += 2
		}
		if hasWord(list, otherWords) {
			score -= 5
		}
		if hasWord(list, []string{"created"}) {
			score++
		}
		if !nullable {
			score += 2
		}
		if score > best {
			best, found = score, name
		}
	}
	for _, d := range m.dimensions {
		if d.date {
			consider(d.name, role(d.link), 12, d.nullable)
		}
	}
	for _, f := range m.attributes {
		if f.kind == value.Date || f.kind == value.Timestamp {
			consider(f.name, words(f.column), 6, f.nullable)
		}
	}
	return found
}
