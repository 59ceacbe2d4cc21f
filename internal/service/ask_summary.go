package service

import (
	"fmt"
	"math/big"
	"strings"

	"parlance/internal/chart"
	"parlance/internal/jsontree"
	"parlance/internal/question"
	"parlance/internal/value"
)

// summary says in one sentence what the rows show: the value; the group that stands out and the total; over time, the
// change from the first period to the last.
func (t told) summary() string {
	w := summaries[t.chinese]
	switch {
	case len(t.rows) == 0:
		return w.nothing
	case len(t.keys) == 0:
		return t.sentence(t.single(t.rows[0]), w)
	case len(t.values) == 0:
		return t.sentence([]string{fmt.Sprintf(w.groups, t.total)}, w)
	case len(t.rows) == 1 && t.total == 1:
		return t.name(0) + w.colon + t.sentence(t.single(t.rows[0]), w)
	}
	first := t.values[0]
	parts := []string{fmt.Sprintf(w.groups, t.total)}
	if shown := int64(len(t.rows)); shown < t.total && !t.cut {
		parts[0] = fmt.Sprintf(w.of, shown, t.total)
	}
	if at, high := t.leading(first); at >= 0 && !(high && t.cut) { // the highest may be among those that are left out
		phrase := w.first
		if high {
			phrase = w.highest
		}
		parts = append(parts, fmt.Sprintf(phrase, t.name(at), first.Name, first.amount(t.rows[at])+t.beside(at)))
	}
	if change := t.change(first); change != "" {
		parts = append(parts, change)
	}
	if total := t.totals[first.Key]; total.Kind == jsontree.Number {
		parts = append(parts, fmt.Sprintf(w.total, first.amount(t.totals)))
	}
	if t.cut {
		parts = append(parts, fmt.Sprintf(w.cut, len(t.rows)))
	}
	return t.sentence(parts, w)
}

// beside returns the second number of a row, in brackets.
func (t told) beside(at int) string {
	if len(t.values) < 2 {
		return ""
	}
	second := t.values[1]
	return fmt.Sprintf(summaries[t.chinese].beside, second.Name, second.amount(t.rows[at]))
}

func (t told) sentence(parts []string, w summaryWords) string {
	return strings.Join(parts, w.comma) + w.stop
}

func (t told) single(row map[string]jsontree.Node) []string {
	w := summaries[t.chinese]
	var parts []string
	for _, v := range t.values {
		parts = append(parts, v.Name+w.colon+v.amount(row))
	}
	return parts
}

// name returns the group of a row.
func (t told) name(at int) string {
	var names []string
	for _, k := range t.keys {
		name := k.label(t.rows[at])
		if name == "" {
			name = summaries[t.chinese].none
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// amount returns the number of a column for people.
func (c toldColumn) amount(row map[string]jsontree.Node) string {
	n := row[c.Key]
	if n.Kind != jsontree.Number {
		return "–"
	}
	if strings.HasSuffix(c.Key, "__ratio") {
		if r, ok := new(big.Rat).SetString(n.Text); ok {
			return signed(chart.Exact(r.Mul(r, big.NewRat(100, 1)).FloatString(1), value.Percent, ""))
		}
	}
	return chart.Exact(n.Text, c.Type.Style, c.Unit)
}

// leading returns the row to tell about: the first where the query ranks, otherwise the one with the highest number, which
// among several is told as such. Without any it is -1.
func (t told) leading(c toldColumn) (at int, highest bool) {
	q := t.proposal.Query
	if len(q.OrderBy) > 0 && q.Paging.Limit != nil || q.Top != nil {
		return 0, false
	}
	at = -1
	var most *big.Rat
	for i, row := range t.rows {
		if n := rational(row[c.Key]); n != nil && (most == nil || n.Cmp(most) > 0) {
			most, at = n, i
		}
	}
	return at, true
}

// change tells how a number went from the first period to the last, where the rows are periods in their course.
func (t told) change(c toldColumn) string {
	if len(t.keys) != 1 || t.keys[0].Kind != question.TimeColumn || t.cut || len(t.rows) < 2 {
		return ""
	}
	last := len(t.rows) - 1
	key := t.keys[0]
	for i := range last {
		if one, next := t.rows[i][key.Key], t.rows[i+1][key.Key]; !period(one) || !period(next) || one.Text >= next.Text {
			return ""
		}
	}
	from, to := rational(t.rows[0][c.Key]), rational(t.rows[last][c.Key])
	if from == nil || to == nil || from.Sign() <= 0 || c.Type.Style == value.Percent {
		return ""
	}
	growth := new(big.Rat).Sub(new(big.Rat).Quo(to, from), big.NewRat(1, 1))
	percent := signed(chart.Exact(growth.Mul(growth, big.NewRat(100, 1)).FloatString(1), value.Percent, ""))
	return fmt.Sprintf(summaries[t.chinese].change, t.name(0), t.name(last), percent)
}

// period reports whether a cell names a time whose text sorts as it does: 2024-03, 2024-Q1, or a year, which may be a number.
func period(n jsontree.Node) bool {
	return len(n.Text) >= len("2024") && n.Text[0] >= '0' && n.Text[0] <= '9' && (n.Kind == jsontree.String || n.Kind == jsontree.Number && len(n.Text) == len("2024"))
}

func signed(s string) string {
	if strings.HasPrefix(s, "-") {
		return s
	}
	return "+" + s
}

func rational(n jsontree.Node) *big.Rat {
	if n.Kind != jsontree.Number {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.Text)
	if !ok {
		return nil
	}
	return r
}

type summaryWords struct {
	nothing, groups, of, highest, first, beside, change, total, cut, none, colon, comma, stop string
}

// summaries are the words of summaries, of Chinese where true.
var summaries = map[bool]summaryWords{
	false: {
		nothing: "Nothing matches.", groups: "%d groups", of: "%d of %d groups", highest: "the highest is %s with %s %s", first: "the first is %s with %s %s", beside: " (%s %s)",
		change: "%s to %s: %s", total: "overall %s", cut: "only the first %d are shown", none: "none", colon: ": ", comma: ", ", stop: ".",
	},
	true: {
		nothing: "没有符合条件的数据。", groups: "共%d组", of: "取%d组（共%d组）", highest: "最高的是%s，%s %s", first: "第一的是%s，%s %s", beside: "（%s %s）",
		change: "%s至%s：%s", total: "总体 %s", cut: "只显示前%d组", none: "无", colon: "：", comma: "，", stop: "。",
	},
}
