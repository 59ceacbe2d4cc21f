package question

import (
	"fmt"
	"strings"
	"time"

	"parlance/internal/query"
	"parlance/internal/value"
)

// sentenceHan is the sentence in Chinese: time, conditions, groups, numbers, order.
func (d *draft) sentenceHan() string {
	var parts []string
	var times []string
	for _, p := range d.spans {
		times = append(times, p.wordsHan())
	}
	if len(times) > 0 {
		parts = append(parts, strings.Join(times, "和"))
	}
	if len(d.days) > 0 {
		var days []string
		for _, day := range d.days {
			days = append(days, dayNamesHan[day])
		}
		parts = append(parts, strings.Join(days, "或"))
	}
	for _, f := range d.filters {
		parts = append(parts, f.wordsHan())
	}
	for _, t := range append(d.rowTest[:len(d.rowTest):len(d.rowTest)], d.having...) {
		parts = append(parts, t.wordsHan())
	}
	what := strings.Join(d.numbers(), "、")
	if groups := d.groupNames(); len(groups) > 0 {
		what = "按" + strings.Join(groups, "、") + "统计" + what
	}
	parts = append(parts, what)
	if d.against != nil {
		parts = append(parts, earlierHan[d.against.comparison])
	}
	if rank := d.rankWordsHan(); rank != "" {
		parts = append(parts, rank)
	}
	return strings.Join(parts, "，") + "（" + calledModel(d.model, d.lang) + "）。"
}

var earlierHan = map[query.Comparison]string{
	query.YearOnYear: "与上年同期对比", query.MonthOnMonth: "与上月对比", query.WeekOnWeek: "与上周对比",
}

var dayNamesHan = map[time.Weekday]string{
	time.Monday: "星期一", time.Tuesday: "星期二", time.Wednesday: "星期三", time.Thursday: "星期四", time.Friday: "星期五",
	time.Saturday: "星期六", time.Sunday: "星期日",
}

func (d *draft) rankWordsHan() string {
	if d.order == nil {
		if d.limit > 0 {
			return fmt.Sprintf("取前%d个", d.limit)
		}
		return ""
	}
	first, end := "从低到高", "最低"
	if d.order.desc {
		first, end = "从高到低", "最高"
	}
	by := d.phraseOf(d.order.by)
	if d.limit > 0 {
		return fmt.Sprintf("取%s%s的%d个", by, end, d.limit)
	}
	return "按" + by + first
}

func (p period) wordsHan() string {
	first, last := p.ends()
	switch {
	case p.to.IsZero():
		return first + "起"
	case p.from.IsZero():
		return "截至" + last
	case first == last:
		return first
	}
	return first + "至" + last
}

func (f filter) wordsHan() string {
	is := "为"
	if f.not {
		is = "不为"
	}
	if f.field.Type.Kind == value.Boolean {
		if f.not {
			return "非" + called(f.field, chinese)
		}
		return "仅" + called(f.field, chinese)
	}
	return called(f.field, chinese) + is + strings.Join(f.labels(chinese), "或")
}

var comparisonWordsHan = map[query.Op]string{
	query.Greater: "大于", query.GreaterEqual: "不小于", query.Less: "小于", query.LessEqual: "不大于", query.Equal: "等于",
}

func (t trial) wordsHan() string {
	if t.op == query.ClosedInterval {
		return fmt.Sprintf("%s在%s到%s之间", t.text, t.a, t.b)
	}
	return t.text + comparisonWordsHan[t.op] + t.a
}
