package question

import (
	"fmt"
	"math/big"
	"strings"
)

// Table is an answer as a summary needs it. A null cell is absent.
type Table struct {
	Rows   []map[string]string
	Total  int64             // of groups, those not in Rows included
	Totals map[string]string // of the measures, over all groups
}

// Summary says in one sentence what the answer shows: the value, or the group that stands out and the total.
func (p *Proposal) Summary(t Table) string {
	words := summaries[p.Language]
	if len(t.Rows) == 0 {
		return words.nothing
	}
	if len(p.Keys) == 0 {
		var parts []string
		for _, v := range p.Values {
			parts = append(parts, fmt.Sprintf(words.value, v.Name, orNone(t.Rows[0], v.Key, words)))
		}
		return strings.Join(parts, words.comma) + words.stop
	}
	if len(p.Values) == 0 {
		return fmt.Sprintf(words.groups, t.Total) + words.stop
	}
	first := p.Values[0]
	at, leads := p.standsOut(t.Rows, first.Key)
	var b strings.Builder
	if t.Total > 1 {
		b.WriteString(fmt.Sprintf(words.groups, t.Total) + words.comma)
	}
	if leads {
		b.WriteString(words.highest)
	} else {
		b.WriteString(words.first)
	}
	var names []string
	for _, k := range p.Keys {
		names = append(names, orNone(t.Rows[at], k.Key, words))
	}
	b.WriteString(fmt.Sprintf(words.group, strings.Join(names, ", "), first.Name, orNone(t.Rows[at], first.Key, words)))
	if total, ok := t.Totals[first.Key]; ok && t.Total > 1 {
		b.WriteString(words.comma + fmt.Sprintf(words.total, total))
	}
	if shown := int64(len(t.Rows)); p.Query.Paging.Limit == nil && shown < t.Total {
		b.WriteString(words.comma + fmt.Sprintf(words.cut, shown))
	}
	b.WriteString(words.stop)
	return b.String()
}

// standsOut returns the row to tell about: the first of a ranking, otherwise the one with the highest number.
func (p *Proposal) standsOut(rows []map[string]string, key string) (at int, highest bool) {
	if p.ranked {
		return 0, false
	}
	var most *big.Rat
	for i, row := range rows {
		n, ok := new(big.Rat).SetString(row[key])
		if ok && (most == nil || n.Cmp(most) > 0) {
			most, at = n, i
		}
	}
	return at, most != nil
}

func orNone(row map[string]string, key string, words summaryWords) string {
	if text, ok := row[key]; ok {
		return text
	}
	return words.none
}

type summaryWords struct {
	nothing, value, groups, highest, first, group, total, cut, none, comma, stop string
}

var summaries = map[string]summaryWords{
	"en": {
		nothing: "Nothing matches.", value: "%s: %s", groups: "%d groups", highest: "the highest is ", first: "the first is ",
		group: "%s with %s %s", total: "overall %s", cut: "only the first %d are shown", none: "none", comma: ", ", stop: ".",
	},
	"zh": {
		nothing: "没有符合条件的数据。", value: "%s：%s", groups: "共%d组", highest: "最高的是", first: "第一的是",
		group: "%s，%s %s", total: "总体%s", cut: "只显示前%d组", none: "无", comma: "，", stop: "。",
	},
}
