package question

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// sentence restates the draft with its dates and filters resolved.
func (d *draft) sentence() string {
	if d.lang == chinese {
		return d.sentenceHan()
	}
	var b strings.Builder
	b.WriteString(upper(enumerate(d.numbers(), " and ")))
	if groups := d.groupNames(); len(groups) > 0 {
		b.WriteString(" by " + enumerate(groups, " and "))
	}
	var times []string
	for _, p := range d.spans {
		times = append(times, p.words())
	}
	if len(times) > 0 {
		b.WriteString(", " + enumerate(times, " and "))
	}
	if len(d.days) > 0 {
		b.WriteString(", on " + enumerate(d.dayNames(), " or "))
	}
	if wheres := d.wheres(); len(wheres) > 0 {
		b.WriteString(", where " + enumerate(wheres, " and "))
	}
	if d.against != nil {
		b.WriteString(", each beside " + earlier[d.against.comparison])
	}
	b.WriteString(d.rankWords())
	b.WriteString(" (" + calledModel(d.model, d.lang) + ").")
	return b.String()
}

// earlier are the stretches of time that a comparison looks back to.
var earlier = map[query.Comparison]string{
	query.YearOnYear: "the same time a year earlier", query.MonthOnMonth: "the month before", query.WeekOnWeek: "the week before",
}

// numbers returns the names of all numbers of the answer.
func (d *draft) numbers() []string {
	var list []string
	if !d.alone {
		for _, a := range d.asks {
			list = append(list, lower(d.phraseOf(a)))
		}
	}
	for _, x := range d.derived {
		list = append(list, x.text)
	}
	return list
}

func (d *draft) groupNames() []string {
	var list []string
	if d.against != nil {
		list = append(list, periodNames[d.lang][d.against.grain])
	}
	for _, g := range d.groups {
		list = append(list, lower(g.text))
	}
	return list
}

var periodNames = map[language]map[query.Grain]string{
	english: {query.YearGrain: "year", query.QuarterGrain: "quarter", query.MonthGrain: "month", query.WeekGrain: "week", query.DayGrain: "day"},
	chinese: {query.YearGrain: "年", query.QuarterGrain: "季度", query.MonthGrain: "月", query.WeekGrain: "周", query.DayGrain: "日"},
}

func (d *draft) wheres() []string {
	var list []string
	for _, f := range d.filters {
		list = append(list, f.words())
	}
	for _, t := range append(d.rowTest[:len(d.rowTest):len(d.rowTest)], d.having...) {
		list = append(list, t.words())
	}
	return list
}

// words says a filter: customer type is VIP.
func (f filter) words() string {
	is := " is "
	if f.not {
		is = " is not "
	}
	if f.field.Type.Kind == value.Boolean {
		return "it" + is + lower(f.field.Caption)
	}
	return lower(called(f.field, english)) + is + enumerate(f.labels(english), " or ")
}

// labels returns the values of a filter as people call them.
func (f filter) labels(lang language) []string {
	list := make([]string, len(f.values))
	for i, v := range f.values {
		list[i] = calledValue(f.field, v, lang)
	}
	return list
}

func (d *draft) rankWords() string {
	if d.order == nil {
		if d.limit > 0 {
			return fmt.Sprintf(", the first %d", d.limit)
		}
		return ""
	}
	first := "lowest"
	if d.order.desc {
		first = "highest"
	}
	by := lower(d.phraseOf(d.order.by))
	switch {
	case d.limit == 1:
		return fmt.Sprintf(", only the one with the %s %s", first, by)
	case d.limit > 1:
		return fmt.Sprintf(", only the %d with the %s %s", d.limit, first, by)
	}
	return fmt.Sprintf(", %s %s first", first, by)
}

func (d *draft) dayNames() []string {
	var list []string
	for _, day := range d.days {
		list = append(list, day.String()+"s")
	}
	return list
}

// words says a period by its first and its last day.
func (p period) words() string {
	first, last := p.ends()
	switch {
	case p.to.IsZero():
		return "from " + first + " on"
	case p.from.IsZero():
		return "up to " + last
	case first == last:
		return "on " + first
	}
	return "from " + first + " to " + last
}

// ends returns the first and the last day of a period.
func (p period) ends() (first, last string) {
	return p.from.Format(time.DateOnly), p.to.AddDate(0, 0, -1).Format(time.DateOnly)
}

var comparisonWords = map[query.Op]string{
	query.Greater: "is more than", query.GreaterEqual: "is at least", query.Less: "is less than", query.LessEqual: "is at most", query.Equal: "is",
}

func (t trial) words() string {
	if t.op == query.ClosedInterval {
		return fmt.Sprintf("%s is between %s and %s", lower(t.text), t.a, t.b)
	}
	return fmt.Sprintf("%s %s %s", lower(t.text), comparisonWords[t.op], t.a)
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
	text := a.text
	if d.lang == english {
		text = lower(text)
		if (a.agg == semantic.CountDistinct || a.agg == semantic.Count) && !strings.HasSuffix(text, "s") {
			text = pluralOf(text)
		}
	}
	return fmt.Sprintf(aggregates[d.lang][a.agg], text)
}

// pluralOf makes the plural of an English noun.
func pluralOf(noun string) string {
	switch n := len(noun); {
	case n > 1 && strings.HasSuffix(noun, "y") && !strings.ContainsRune("aeiou", rune(noun[n-2])):
		return noun[:n-1] + "ies"
	case hasAnySuffix(noun, "s", "x", "ch", "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// lower takes the capital off a caption, unless it is an abbreviation.
func lower(text string) string { return recase(text, unicode.ToLower) }

func upper(text string) string { return recase(text, unicode.ToUpper) }

func recase(text string, to func(rune) rune) string {
	runes := []rune(text)
	if len(runes) > 1 && unicode.IsUpper(runes[0]) && (unicode.IsUpper(runes[1]) || unicode.IsDigit(runes[1])) || len(runes) == 0 {
		return text
	}
	runes[0] = to(runes[0])
	return string(runes)
}

// enumerate joins words with commas and a last connective.
func enumerate(words []string, last string) string {
	if len(words) < 2 || last == "、" {
		return strings.Join(words, last)
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + last + words[n]
}

func (d *draft) sayPart(part []filter, a ask) string {
	if d.lang == chinese {
		var conds []string
		for _, f := range part {
			conds = append(conds, f.wordsHan())
		}
		return strings.Join(conds, "且") + "的" + d.phraseOf(a) + "占比（%）"
	}
	var conds []string
	for _, f := range part {
		conds = append(conds, f.words())
	}
	return "share in percent of " + lower(d.phraseOf(a)) + " where " + enumerate(conds, " and ")
}
