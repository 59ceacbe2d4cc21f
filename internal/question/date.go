package question

import (
	"slices"
	"strconv"

	"parlance/internal/semantic"
)

var monthNames = []string{"", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var units = map[string]semantic.Grain{
	"day": semantic.Day, "week": semantic.Week, "month": semantic.Month, "quarter": semantic.Quarter, "year": semantic.Year,
	"天": semantic.Day, "日": semantic.Day, "周": semantic.Week, "月": semantic.Month, "季": semantic.Quarter, "年": semantic.Year,
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4}

// pointAt reads one named or relative period that starts at i, the longest that the tokens allow.
func (a *almanac) pointAt(i int) (period, int, bool) {
	if i < len(a.tokens) && (a.fold(i) == "the") {
		return a.pointAt(i + 1)
	}
	for _, read := range []func(int) (period, int, bool){a.dayMonthYear, a.partOfYear, a.yearAndPart, a.relative, a.relativeHan} {
		if p, end, ok := read(i); ok {
			return p, end, true
		}
	}
	return period{}, i, false
}

// year reads a year: 2024, 2024年, this year, 去年.
func (a *almanac) year(i int) (y, end int, ok bool) {
	if i < len(a.tokens) && a.tokens[i].digit && len(a.tokens[i].text) == 4 {
		y, err := strconv.Atoi(a.tokens[i].text)
		if err != nil || y < 1900 || y > 2100 {
			return 0, i, false
		}
		i++
		switch {
		case a.phrase(i, 2) == "年 度":
			i += 2
		case a.fold(i) == "年":
			i++
		}
		return y, i, true
	}
	for n := 2; n <= 3; n++ {
		if back, ok := nearYears[a.phrase(i, n)]; ok {
			return a.today.Year() - back, i + n, true
		}
	}
	return 0, i, false
}

// nearYears are the words for a year near today, and how many years back it lies.
var nearYears = map[string]int{
	"this year": 0, "current year": 0, "last year": 1, "previous year": 1,
	"今 年": 0, "本 年": 0, "去 年": 1, "上 一 年": 1, "上 年": 1, "前 年": 2,
}

// whole reads a whole number of at most two digits, or a Chinese numeral.
func (a *almanac) whole(i int) (n, end int, ok bool) {
	if i < len(a.tokens) && (a.tokens[i].digit && len(a.tokens[i].text) <= 2 || a.tokens[i].han) {
		if x, end, ok := numberAt(a.tokens, i); ok && small(x) > 0 {
			return small(x), end, true
		}
	}
	return 0, i, false
}

func (a *almanac) month(i int) (m int, ok bool) {
	word := a.fold(i)
	if len(word) < 3 {
		return 0, false
	}
	m = slices.IndexFunc(monthNames, func(name string) bool {
		return name == word || word == "sept" && name == "september" || len(name) > 3 && name[:3] == word
	})
	return m, m > 0
}

// dayMonthYear reads March 15, 2024; 15 March 2024; 15th of March 2024.
func (a *almanac) dayMonthYear(i int) (period, int, bool) {
	d, at, numbered := a.ordinalDay(i)
	if numbered && a.fold(at) == "of" {
		at++
	}
	m, ok := a.month(at)
	if !ok {
		return period{}, i, false
	}
	at++
	if !numbered {
		if d, at, numbered = a.ordinalDay(at); !numbered {
			return period{}, i, false
		}
	}
	if a.fold(at) == "," {
		at++
	}
	y, end, ok := a.year(at)
	if !ok {
		return period{}, i, false
	}
	p, ok := dayOf(y, m, d)
	return p, end, ok
}

func (a *almanac) ordinalDay(i int) (d, end int, ok bool) {
	d, end, ok = a.whole(i)
	if ok && isOneOf(a.fold(end), "st", "nd", "rd", "th") && a.tokens[end].glued {
		end++
	}
	return d, end, ok && d <= 31
}

// partOfYear reads a part that names its year afterwards: Q2 2023, first quarter of 2024, March last year.
func (a *almanac) partOfYear(i int) (period, int, bool) {
	part, at, ok := a.part(i)
	if !ok {
		return period{}, i, false
	}
	if isOneOf(a.fold(at), "of", "in", ",") {
		at++
	}
	y, end, ok := a.year(at)
	if !ok {
		return period{}, i, false
	}
	return part(y), end, true
}

// part reads a quarter, a half or a month without its year.
func (a *almanac) part(i int) (func(year int) period, int, bool) {
	switch word := a.fold(i); {
	case len(word) == 2 && word[0] == 'q' && word[1] >= '1' && word[1] <= '4':
		return func(y int) period { return quarterOf(y, int(word[1]-'0')) }, i + 1, true
	case len(word) == 2 && word[0] == 'h' && (word[1] == '1' || word[1] == '2'):
		return func(y int) period { return halfOf(y, int(word[1]-'0')) }, i + 1, true
	}
	if n, at, ok := a.ordinal(i); ok {
		switch {
		case a.fold(at) == "quarter" && n <= 4:
			return func(y int) period { return quarterOf(y, n) }, at + 1, true
		case a.fold(at) == "half" && n <= 2:
			return func(y int) period { return halfOf(y, n) }, at + 1, true
		}
	}
	if m, ok := a.month(i); ok {
		return func(y int) period { return monthOf(y, m) }, i + 1, true
	}
	return nil, i, false
}

func (a *almanac) ordinal(i int) (n, end int, ok bool) {
	if n, ok := ordinals[a.fold(i)]; ok {
		return n, i + 1, true
	}
	n, end, ok = a.whole(i)
	if ok && isOneOf(a.fold(end), "st", "nd", "rd", "th") {
		return n, end + 1, true
	}
	return 0, i, false
}

// yearAndPart reads a year and what follows it: 2024, 2024-03-05, 2023 Q2, 2024年3月5日, 2024年第一季度, 去年下半年.
func (a *almanac) yearAndPart(i int) (period, int, bool) {
	y, at, ok := a.year(i)
	if !ok {
		return period{}, i, false
	}
	if joined := a.fold(at); (joined == "-" || joined == "/") && a.tokens[i].digit {
		return a.dashed(y, i, at)
	}
	if part, end, ok := a.part(at); ok && a.tokens[i].digit {
		if _, _, again := a.year(end); !again {
			return part(y), end, true
		}
	}
	if p, end, ok := a.hanPart(y, at); ok {
		return p, end, true
	}
	if a.phrase(at, 2) == "全 年" {
		at += 2
	}
	return yearOf(y), at, true
}

// dashed reads 2024-03 and 2024-03-05; a year and a hyphen before another year is left to ranges.
func (a *almanac) dashed(y, i, at int) (period, int, bool) {
	m, end, ok := a.whole(at + 1)
	if !ok {
		return yearOf(y), at, true
	}
	if m > 12 {
		return period{}, i, false
	}
	if a.fold(end) != a.fold(at) {
		return monthOf(y, m), end, true
	}
	d, end, ok := a.whole(end + 1)
	if !ok {
		return period{}, i, false
	}
	p, ok := dayOf(y, m, d)
	return p, end, ok
}

// hanPart reads what follows a year in Chinese: 3月, 3月5日, 第一季度, 上半年.
func (a *almanac) hanPart(y, i int) (period, int, bool) {
	if a.fold(i) == "的" {
		i++
	}
	switch a.phrase(i, 3) {
	case "上 半 年":
		return halfOf(y, 1), i + 3, true
	case "下 半 年":
		return halfOf(y, 2), i + 3, true
	}
	at := i
	if a.fold(at) == "第" {
		at++
	}
	n, end, ok := a.whole(at)
	switch {
	case !ok:
		return period{}, i, false
	case n <= 4 && a.phrase(end, 2) == "季 度":
		return quarterOf(y, n), end + 2, true
	case n <= 12 && at == i && a.fold(end) == "月":
		end++
		if a.fold(end) == "份" {
			end++
		}
		d, after, ok := a.whole(end)
		if ok && isOneOf(a.fold(after), "日", "号") {
			p, ok := dayOf(y, n, d)
			return p, after + 1, ok
		}
		return monthOf(y, n), end, true
	}
	return period{}, i, false
}

// relative reads today, yesterday, this month, last quarter, last 30 days, year to date.
func (a *almanac) relative(i int) (period, int, bool) {
	switch a.fold(i) {
	case "today":
		return a.shifted(semantic.Day, 0), i + 1, true
	case "yesterday":
		return a.shifted(semantic.Day, -1), i + 1, true
	case "ytd":
		return period{from: a.current(semantic.Year).from, to: a.today.AddDate(0, 0, 1)}, i + 1, true
	}
	if a.phrase(i, 3) == "year to date" {
		return period{from: a.current(semantic.Year).from, to: a.today.AddDate(0, 0, 1)}, i + 3, true
	}
	back, recent := 0, false
	switch a.fold(i) {
	case "this", "current":
	case "last", "previous":
		back, recent = 1, true
	case "past":
		recent = true
	default:
		return period{}, i, false
	}
	if x, at, ok := numberAt(a.tokens, i+1); ok && recent && small(x) > 0 && at < len(a.tokens) {
		if g, known := units[a.tokens[at].word]; known && !a.tokens[at].han {
			return a.recent(g, small(x)), at + 1, true
		}
	}
	g, known := units[a.fold(i+1)]
	if !known || a.tokens[i+1].han || a.fold(i) == "past" || g == semantic.Day {
		return period{}, i, false
	}
	return a.shifted(g, -back), i + 2, true
}

// hanNear are the Chinese words for a period near today.
var hanNear = []struct {
	text string
	unit semantic.Grain
	back int
}{
	{"今 天", semantic.Day, 0},
	{"今 日", semantic.Day, 0},
	{"昨 天", semantic.Day, 1},
	{"昨 日", semantic.Day, 1},
	{"前 天", semantic.Day, 2},
	{"本 周", semantic.Week, 0},
	{"这 周", semantic.Week, 0},
	{"上 周", semantic.Week, 1},
	{"本 月", semantic.Month, 0},
	{"这 个 月", semantic.Month, 0},
	{"当 月", semantic.Month, 0},
	{"上 个 月", semantic.Month, 1},
	{"上 月", semantic.Month, 1},
	{"本 季 度", semantic.Quarter, 0},
	{"这 个 季 度", semantic.Quarter, 0},
	{"上 个 季 度", semantic.Quarter, 1},
	{"上 季 度", semantic.Quarter, 1},
}

// relativeHan reads 今天, 上个月, 最近30天, 近三个月.
func (a *almanac) relativeHan(i int) (period, int, bool) {
	for _, near := range hanNear {
		n := (len([]rune(near.text)) + 1) / 2
		if a.phrase(i, n) == near.text {
			return a.shifted(near.unit, -near.back), i + n, true
		}
	}
	at := i
	switch {
	case a.phrase(i, 2) == "最 近", a.phrase(i, 2) == "过 去":
		at += 2
	case a.fold(i) == "近":
		at++
	default:
		return period{}, i, false
	}
	x, at, ok := numberAt(a.tokens, at)
	if !ok || small(x) == 0 {
		return period{}, i, false
	}
	if a.fold(at) == "个" {
		at++
	}
	g, known := units[a.fold(at)]
	if !known || !a.tokens[at].han {
		return period{}, i, false
	}
	if g == semantic.Quarter && a.fold(at+1) == "度" {
		at++
	}
	return a.recent(g, small(x)), at + 1, true
}
