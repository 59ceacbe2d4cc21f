package question

import (
	"time"

	"parlance/internal/semantic"
)

// toDates are the short words for a period up to today.
var toDates = map[string]semantic.Grain{
	"ytd": semantic.Year, "qtd": semantic.Quarter, "mtd": semantic.Month, "wtd": semantic.Week,
	"year to date": semantic.Year, "quarter to date": semantic.Quarter, "month to date": semantic.Month, "week to date": semantic.Week,
	"this year so far": semantic.Year, "so far this year": semantic.Year, "so far this month": semantic.Month, "this month so far": semantic.Month,
	"so far this quarter": semantic.Quarter, "this quarter so far": semantic.Quarter,
}

func (a *almanac) toDate(g semantic.Grain) period {
	return period{from: a.current(g).from, to: a.today.AddDate(0, 0, 1)}
}

// relative reads today, yesterday, this month, last quarter, last 30 days, year to date.
func (a *almanac) relative(i int) (period, int, bool) {
	switch a.fold(i) {
	case "today", "today's":
		return a.shifted(semantic.Day, 0), i + 1, true
	case "yesterday", "yesterday's":
		return a.shifted(semantic.Day, -1), i + 1, true
	}
	if a.phrase(i, 4) == "day before yesterday" || a.phrase(i, 3) == "day before yesterday" {
		return a.shifted(semantic.Day, -2), i + 3, true
	}
	for n := 4; n > 0; n-- {
		if g, ok := toDates[a.phrase(i, n)]; ok {
			return a.toDate(g), i + n, true
		}
	}
	back, recent, bare := 0, false, true
	switch a.fold(i) {
	case "this", "current":
	case "last", "previous", "prior":
		back, recent = 1, true
	case "past", "latest", "recent", "trailing", "preceding":
		recent, bare = true, false
	default:
		return period{}, i, false
	}
	if n, at, ok := smallAt(a.tokens, i+1); ok && recent && at < len(a.tokens) {
		if isOneOf(a.fold(at), "full", "complete", "calendar") {
			return period{}, i, false
		}
		if g, known := units[a.tokens[at].word]; known && !a.tokens[at].han {
			return a.recent(g, n), at + 1, true
		}
	}
	if i+1 >= len(a.tokens) || a.tokens[i+1].han {
		return period{}, i, false
	}
	if a.phrase(i+1, 2) == "half year" && recent {
		return a.recent(semantic.Month, 6), i + 3, true
	}
	g, known := units[a.tokens[i+1].word]
	switch {
	case !known || g == semantic.Day || a.tokens[i+1].fold == "daily" || plural(a.tokens[i+1].text):
		return period{}, i, false
	case !bare && a.fold(i) == "past":
		return a.recent(g, 1), i + 2, true
	case !bare:
		return period{}, i, false
	}
	return a.shifted(g, -back), i + 2, true
}

// ago reads two years ago, 3 months ago: the whole period that lies so far back.
func (a *almanac) ago(i int) (period, int, bool) {
	n, at, ok := smallAt(a.tokens, i)
	if !ok && isOneOf(a.fold(i), "a", "an") {
		n, at, ok = 1, i+1, true
	}
	if !ok || at >= len(a.tokens) || a.tokens[at].han || a.fold(at+1) != "ago" {
		return period{}, i, false
	}
	g, known := units[a.tokens[at].word]
	if !known {
		return period{}, i, false
	}
	return a.shifted(g, -n), at + 2, true
}

// bareDay reads a day without its year: the last one that has come.
func (a *almanac) bareDay(i int) (period, int, bool) {
	d, m, end, ok := a.dayMonth(i)
	if !ok {
		if m, end, ok = a.hanBareMonth(i); !ok {
			return period{}, i, false
		}
		var after int
		if d, after, ok = a.whole(end); !ok || !isOneOf(a.fold(after), "日", "号") {
			return period{}, i, false
		}
		end = after + 1
	}
	for y := a.today.Year(); y > a.today.Year()-9; y-- {
		if p, ok := dayOf(y, m, d); ok && !p.from.After(a.today) {
			p.assumed = true
			return p, end, true
		}
	}
	return period{}, i, false
}

func (a *almanac) hanBareMonth(i int) (m, end int, ok bool) {
	m, end, ok = a.whole(i)
	return m, end + 1, ok && m <= 12 && a.fold(end) == "月"
}

// barePart reads a month, quarter or half without its year. The year is that of the part it is listed with, or the last
// in which it has begun.
func (a *almanac) barePart(i int) (period, int, bool) {
	part, end, ok := a.part(i)
	if ok && a.fold(i) == "may" && (a.tokens[i].text != "May" || i == 0) {
		return period{}, i, false // the verb
	}
	if !ok {
		if part, end, ok = a.hanBarePart(i); !ok {
			return period{}, i, false
		}
	}
	if y, ok := a.listedYear(i, end); ok {
		return part(y), end, true
	}
	p := part(a.today.Year())
	if p.from.After(a.today) {
		p = part(a.today.Year() - 1)
	}
	p.assumed = true
	return p, end, true
}

func (a *almanac) hanBarePart(i int) (func(year int) period, int, bool) {
	if _, end, ok := a.hanPart(2000, i); ok && a.tokens[i].fold != "的" {
		return func(y int) period { p, _, _ := a.hanPart(y, i); return p }, end, true
	}
	return nil, i, false
}

// listedYear returns the year of the parts that a part is listed with: Q1 and Q2 2023, 2023 Q1 and Q2.
func (a *almanac) listedYear(start, end int) (int, bool) {
	for at := end; at < len(a.tokens); {
		joined := at
		for isOneOf(a.fold(joined), "and", "or", "vs", "versus", ",", "&", "to", "with", "compared", "和", "与", "跟", "对比") {
			joined++
		}
		if joined == at {
			break
		}
		if p, _, ok := a.partOfYear(joined); ok {
			return p.from.Year(), true
		}
		_, next, ok := a.part(joined)
		if !ok {
			break
		}
		at = next
	}
	at := start - 1
	for at > 0 && isOneOf(a.fold(at), "and", "or", "vs", "versus", ",", "&", "和", "与", "跟", "、", "to") {
		at--
	}
	for back := at; at < start-1 && back >= 0 && back > at-8; back-- {
		if p, end, ok := a.yearAndPart(back); ok && end == at+1 && p.unit != semantic.Year {
			return p.from.Year(), true
		}
		if p, end, ok := a.partOfYear(back); ok && end == at+1 {
			return p.from.Year(), true
		}
	}
	return 0, false
}

// weekdayAt reads a day of the week: on Saturdays, 周六.
func (a *almanac) weekdayAt(i int) (time.Weekday, int, bool) {
	if i >= len(a.tokens) {
		return 0, i, false
	}
	if !a.tokens[i].han {
		word := a.tokens[i].word
		for d, name := range weekdayNames {
			if word == name || len(word) >= 3 && a.tokens[i].fold == name[:3] && a.tokens[i].text[0] <= 'Z' {
				return time.Weekday(d), i + 1, true
			}
		}
		return 0, i, false
	}
	at := i
	switch {
	case isOneOf(a.phrase(i, 2), "星 期", "礼 拜"):
		at += 2
	case a.fold(i) == "周":
		at++
	default:
		return 0, i, false
	}
	if isOneOf(a.fold(at), "日", "天") {
		return time.Sunday, at + 1, true
	}
	for d, name := range []string{"", "一", "二", "三", "四", "五", "六"} {
		if d > 0 && a.fold(at) == name {
			return time.Weekday(d), at + 1, true
		}
	}
	return 0, i, false
}
