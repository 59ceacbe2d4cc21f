package question

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// sentence restates the draft with its dates and filters resolved.
func (d *draft) sentence() string {
	if d.lang == chinese {
		return d.sentenceHan()
	}
	var b strings.Builder
	var asks, groups []string
	for _, a := range d.asks {
		asks = append(asks, d.phraseOf(a))
	}
	for _, g := range d.groups {
		groups = append(groups, g.text)
	}
	b.WriteString(enumerate(asks, " and "))
	if len(groups) > 0 {
		b.WriteString(" by " + enumerate(groups, " and "))
	}
	var times []string
	for _, p := range d.spans {
		times = append(times, p.words("from %s to %s", "from %s on", "up to %s"))
	}
	if len(times) > 0 {
		b.WriteString(", " + enumerate(times, " and "))
	}
	var wheres []string
	for _, f := range d.filters {
		is := " is "
		if f.not {
			is = " is not "
		}
		wheres = append(wheres, f.field.Caption+is+enumerate(f.stored(), " or "))
	}
	for _, t := range append(d.rowTest[:len(d.rowTest):len(d.rowTest)], d.having...) {
		wheres = append(wheres, t.words("%s between %s and %s"))
	}
	if len(wheres) > 0 {
		b.WriteString(", where " + enumerate(wheres, " and "))
	}
	if d.order != nil {
		first := "lowest"
		if d.order.desc {
			first = "highest"
		}
		b.WriteString(fmt.Sprintf(", %s %s first", first, d.phraseOf(d.order.by)))
	}
	if d.limit > 0 {
		b.WriteString(", only the first")
		if d.limit > 1 {
			b.WriteString(" " + strconv.Itoa(d.limit))
		}
	}
	b.WriteString(" (" + d.model.Caption + ").")
	return b.String()
}

func (d *draft) sentenceHan() string {
	var b strings.Builder
	var times, groups, asks, wheres []string
	for _, p := range d.spans {
		times = append(times, p.words("%s至%s", "%s起", "截至%s"))
	}
	for _, f := range d.filters {
		is := "为"
		if f.not {
			is = "不为"
		}
		wheres = append(wheres, f.field.Caption+is+strings.Join(f.stored(), "或"))
	}
	for _, t := range append(d.rowTest[:len(d.rowTest):len(d.rowTest)], d.having...) {
		wheres = append(wheres, t.words("%s在%s到%s之间"))
	}
	for _, g := range d.groups {
		groups = append(groups, g.text)
	}
	for _, a := range d.asks {
		asks = append(asks, d.phraseOf(a))
	}
	for _, part := range []string{strings.Join(times, "和"), strings.Join(wheres, "，")} {
		if part != "" {
			b.WriteString(part + "，")
		}
	}
	if len(groups) > 0 {
		b.WriteString("按" + strings.Join(groups, "、") + "统计")
	}
	b.WriteString(strings.Join(asks, "、"))
	if d.order != nil {
		first := "从低到高"
		if d.order.desc {
			first = "从高到低"
		}
		b.WriteString("，按" + d.phraseOf(d.order.by) + first)
	}
	if d.limit > 0 {
		b.WriteString(fmt.Sprintf("，前%d个", d.limit))
	}
	b.WriteString("（" + d.model.Caption + "）。")
	return b.String()
}

// words says a period by its first and its last day.
func (p period) words(closed, from, to string) string {
	first := p.from.Format(time.DateOnly)
	last := p.to.AddDate(0, 0, -1).Format(time.DateOnly)
	switch {
	case p.to.IsZero():
		return fmt.Sprintf(from, first)
	case p.from.IsZero():
		return fmt.Sprintf(to, last)
	}
	return fmt.Sprintf(closed, first, last)
}

// stored returns the values of a filter as the data has them.
func (f filter) stored() []string {
	list := make([]string, len(f.values))
	for i, v := range f.values {
		list[i] = v.Text
	}
	return list
}

func (t trial) words(between string) string {
	if t.op == query.ClosedInterval {
		return fmt.Sprintf(between, t.text, t.a, t.b)
	}
	return fmt.Sprintf("%s %s %s", t.text, t.op, t.a)
}

// aggregates are the words for an aggregation that is not the measure's own.
var aggregates = map[language]map[semantic.Agg]string{
	english: {
		semantic.Sum: "total %s", semantic.Avg: "average %s", semantic.Max: "highest single %s", semantic.Min: "lowest single %s",
		semantic.Median: "median %s", semantic.CountDistinct: "number of different %s", semantic.Count: "number of %s",
	},
	chinese: {
		semantic.Sum: "%s总和", semantic.Avg: "平均%s", semantic.Max: "单笔最高%s", semantic.Min: "单笔最低%s",
		semantic.Median: "%s中位数", semantic.CountDistinct: "不同%s的数量", semantic.Count: "%s数量",
	},
}

func (d *draft) phraseOf(a ask) string {
	if a.agg == "" {
		return a.text
	}
	return fmt.Sprintf(aggregates[d.lang][a.agg], a.text)
}
