package execute

import (
	"fmt"
	"strings"
)

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// factModel writes a model over a table of rows.
func factModel(d dice, model, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: %s\nsource: {table: %s, key: [id, sub]}\ntimezone: %s\n", model, name, pick(d, zones))
	if d.chance(50) {
		fmt.Fprintf(&b, "default_order: [%s]\n", strings.Join(some(d, 1, 2, []string{"-qty", "word", "item$caption", "-day"}), ", "))
	}
	b.WriteString(`dimensions:
  - name: item
    table: item
    join: {item: id}
    id: id
    label: name
    attributes:
      - {name: kind, column: kind, dictionary: kind}
      - {name: price, column: price}
      - {name: since, column: since}
    dimensions:
      - name: place
        alias: itemPlace
        table: place
        join: {place: code}
        id: code
        label: title
        attributes: [{name: size, column: size}]
  - {name: place, table: place, join: {place: code}, id: code, label: title, attributes: [{name: size, column: size}]}
  - name: team
    table: team
    join: {team: id}
    id: id
    label: name
    attributes: [{name: level, column: level}]
    hierarchy: @tree
  - {name: ordered, table: cal, join: {ordered: k}, id: k, label: day, type: date, attributes: [{name: ym, column: ym}, {name: holiday, column: holiday}]}
  - {name: shipped, table: cal, join: {shipped: k}, id: k, label: day, type: date, attributes: [{name: ym, column: ym}]}
attributes:
  - {name: id, column: id}
  - {name: sub, column: sub}
  - {name: word, column: word}
  - {name: kind, column: kind, dictionary: kind}
  - {name: ok, column: ok}
  - {name: day, column: day}
  - {name: at, column: at}
  - {name: zoned, column: zoned}
  - {name: flags, column: flags}
  - {name: big, column: big}
measures:
`)
	for _, m := range some(d, 6, len(measures), measures) {
		b.WriteString("  - " + m + "\n")
	}
	for _, m := range requiredMeasures {
		b.WriteString("  - " + m + "\n")
	}
	return b.String()
}

// requiredMeasures are in every model, since others are made of them.
var requiredMeasures = []string{
	"{name: amount, column: amount, agg: sum, type: money}",
	"{name: qty, column: qty, agg: sum}",
	"{name: rows, agg: count}",
}

var measures = []string{
	"{name: cost, column: cost, agg: sum}",
	"{name: fine, column: fine, agg: sum}",
	"{name: avgAmount, column: amount, agg: avg}",
	"{name: avgFine, column: fine, agg: avg}",
	"{name: least, column: amount, agg: min}",
	"{name: most, column: cost, agg: max}",
	"{name: lastDay, column: day, agg: max}",
	"{name: middle, column: qty, agg: median}",
	"{name: middleCost, column: cost, agg: median}",
	"{name: words, column: word, agg: count}",
	"{name: kinds, column: kind, agg: count_distinct}",
	"{name: items, column: item, agg: count_distinct}",
	"{name: wordList, column: word, agg: group_concat}",
	"{name: spread, column: qty, agg: stddev_samp}",
	"{name: variance, column: amount, agg: var_pop}",
	"{name: okAmount, column: amount, agg: sum, filter: \"ok\"}",
	"{name: newRows, agg: count, filter: \"kind = 'NEW' and item$price > 3\"}",
	"{name: newWords, column: word, agg: count_distinct, filter: \"kind != 'NEW'\"}",
	"{name: notOkCost, column: cost, agg: avg, filter: \"not ok\"}",
	"{name: stock, column: qty, agg: sum, additivity: {over: ordered, use: last}}",
	"{name: opening, column: amount, agg: sum, additivity: {over: day, use: first}}",
	"{name: series, column: qty, agg: sum, additivity: {over: at, use: last, per: [item]}}",
	"{name: seriesOf, column: cost, agg: avg, additivity: {over: shipped, use: last, per: [place, kind]}}",
	"{name: each, expression: \"amount / rows\"}",
	"{name: rate, expression: \"amount / qty * 100\", type: percent}",
	"{name: share, expression: \"sum(if(ok, amount, 0)) / amount\"}",
	"{name: both, expression: \"amount + qty * 2\"}",
}

// multi adds a model that sees both facts side by side.
func (w *world) multi(d dice) {
	share := some(d, 1, 3, []string{
		"item: item", "place: place", "date: {Sale: ordered, Other: shipped}", "ship: {Sale: shipped, Other: shipped}",
	})
	w.files["multi.yaml"] = `model: Both
facts: [Sale, Other]
share: {` + strings.Join(share, ", ") + `}
measures:
  - {name: sales, of: Sale.amount}
  - {name: saleRows, of: Sale.rows}
  - {name: pieces, of: Sale.qty}
  - {name: others, of: Other.amount}
  - {name: otherRows, of: Other.rows}
  - {name: otherPieces, of: Other.qty}
`
	w.models = append(w.models, "Both")
}
