package question

import (
	"slices"
	"strconv"
	"strings"

	"parlance/internal/semantic"
)

var monthNames = []string{"", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

var weekdayNames = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

var units = map[string]semantic.Grain{
	"day": semantic.Day, "week": semantic.Week, "month": semantic.Month, "quarter": semantic.Quarter, "year": semantic.Year,
	"天": semantic.Day, "日": semantic.Day, "周": semantic.Week, "月": semantic.Month, "季": semantic.Quarter, "年": semantic.Year,
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

// pointAt reads one named or relative period that starts at i, the longest that the tokens allow.
func (a *almanac) pointAt(i int) (period, int, bool) {
	if lead := a.lead(i); lead > i {
		if p, end, ok := a.pointAt(lead); ok {
			return p, end, true
		}
	}
	for _, read := range []func(int) (period, int, bool){
		a.dayMonthYear, a.weekOfYear, a.stretchOfYear, a.partOfYear, a.yearAndPart, a.ago, a.relative, a.relativeHan, a.bareDay, a.barePart,
	} {
		if p, end, ok := read(i); ok {
			return p, end, true
		}
	}
	return period{}, i, false
}

// lead passes over words that only introduce a period: the, the year of, calendar year.
func (a *almanac) lead(i int) int {
	for _, words := range []string{"the calendar year", "the year of", "calendar year", "the month of", "month of", "the year", "year of", "year"} {
		n := strings.Count(words, " ") + 1
		if a.phrase(i, n) != words {
			continue
		}
		_, _, year := a.year(i + n)
		_, month := a.month(i + n)
		if month || year && !strings.Contains(words, "month") {
			return i + n
		}
	}
	if a.fold(i) == "the" {
		return i + 1
	}
	return i
}

// year reads a year: 2024, 2024年, 24年, this year, 去年.
func (a *almanac) year(i int) (y, end int, ok bool) {
	if i < len(a.tokens) && a.tokens[i].digit {
		y, err := strconv.Atoi(a.tokens[i].text)
		switch {
		case err != nil:
			return 0, i, false
		case len(a.tokens[i].text) == 2 && a.fold(i+1) == "年" && y >= 15 && y < 40:
			y += 2000
		case len(a.tokens[i].text) != 4 || y < 1900 || y > 2100:
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
	for n := 4; n >= 2; n-- {
		if back, ok := nearYears[a.phrase(i, n)]; ok {
			return a.today.Year() - back, i + n, true
		}
	}
	return 0, i, false
}

// nearYears are the words for a year near today, and how many years back it lies.
var nearYears = map[string]int{
	"this year": 0, "current year": 0, "last year": 1, "previous year": 1, "prior year": 1, "year before last": 2,
	"今 年": 0, "本 年": 0, "今 年 度": 0, "本 年 度": 0, "去 年": 1, "上 一 年": 1, "上 年": 1, "去 年 度": 1, "上 年 度": 1, "上 一 年 度": 1, "前 年": 2,
}

// whole reads a whole number of at most two digits, or a Chinese numeral.
func (a *almanac) whole(i int) (n, end int, ok bool) {
	if i < len(a.tokens) && (a.tokens[i].digit && len(a.tokens[i].text) <= 2 || a.tokens[i].han) {
		if x, end, ok := smallAt(a.tokens, i); ok {
			return x, end, true
		}
	}
	return 0, i, false
}

func (a *almanac) month(i int) (m int, ok bool) {
	word := a.fold(i)
	if len(word) < 3 {
		return 0, false
	}
	word = strings.TrimSuffix(word, "'s")
	m = slices.IndexFunc(monthNames, func(name string) bool {
		return name == word || word == "sept" && name == "september" || len(name) > 3 && name[:3] == word
	})
	return m, m > 0
}

// dayMonth reads March 15; 15 March; the 15th of March.
func (a *almanac) dayMonth(i int) (d, m, end int, ok bool) {
	d, at, numbered := a.ordinalDay(i)
	if numbered && a.fold(at) == "of" {
		at++
	}
	if m, ok = a.month(at); !ok {
		return 0, 0, i, false
	}
	at++
	if !numbered {
		if a.fold(at) == "the" {
			at++
		}
		if d, at, numbered = a.ordinalDay(at); !numbered {
			return 0, 0, i, false
		}
	}
	return d, m, at, true
}

// dayMonthYear reads March 15, 2024; 15 March 2024; 15th of March 2024.
func (a *almanac) dayMonthYear(i int) (period, int, bool) {
	d, m, at, ok := a.dayMonth(i)
	if !ok {
		return period{}, i, false
	}
	if isOneOf(a.fold(at), ",", "of", "in") {
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
	if i < len(a.tokens) && a.tokens[i].han {
		return 0, i, false
	}
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
	for isOneOf(a.fold(at), "of", "in", ",", "the", "year") && at-i < 6 {
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
	case word == "quarter" && len(a.fold(i+1)) == 1 && a.fold(i+1) >= "1" && a.fold(i+1) <= "4":
		return func(y int) period { return quarterOf(y, int(a.fold(i + 1)[0]-'0')) }, i + 2, true
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

// stretchOfYear reads the ends of a year: the last quarter of 2023, the first three months of 2024.
func (a *almanac) stretchOfYear(i int) (period, int, bool) {
	first := isOneOf(a.fold(i), "first", "initial")
	if !first && !isOneOf(a.fold(i), "last", "final") {
		return period{}, i, false
	}
	n, at := 1, i+1
	if x, end, ok := smallAt(a.tokens, at); ok {
		n, at = x, end
	}
	if at >= len(a.tokens) {
		return period{}, i, false
	}
	g, known := units[a.tokens[at].word]
	if !known || a.tokens[at].han || g == semantic.Year || g == semantic.Week || !isOneOf(a.fold(at+1), "of", "in") {
		return period{}, i, false
	}
	at += 2
	if a.fold(at) == "the" && a.fold(at+1) != "year" {
		at++
	}
	y, end, ok := a.year(at)
	if !ok {
		return period{}, i, false
	}
	whole := yearOf(y)
	if first {
		return period{from: whole.from, to: moved(whole.from, g, n)}, end, true
	}
	return period{from: moved(whole.to, g, -n), to: whole.to}, end, true
}

// weekOfYear reads week 5 of 2024, 2024-W05, 2024年第5周: the ISO week.
func (a *almanac) weekOfYear(i int) (period, int, bool) {
	if a.fold(i) == "week" {
		if n, at, ok := a.whole(i + 1); ok {
			if isOneOf(a.fold(at), "of", "in", ",") {
				at++
			}
			if y, end, ok := a.year(at); ok {
				return weekOf(y, n), end, weekIn(y, n)
			}
		}
		return period{}, i, false
	}
	y, at, ok := a.year(i)
	if !ok {
		return period{}, i, false
	}
	if a.fold(at) == "-" {
		at++
	}
	if w := a.fold(at); len(w) == 3 && w[0] == 'w' && isDigit(rune(w[1])) && isDigit(rune(w[2])) {
		n := int(w[1]-'0')*10 + int(w[2]-'0')
		return weekOf(y, n), at + 1, weekIn(y, n)
	}
	if a.fold(at) == "第" {
		if n, end, ok := a.whole(at + 1); ok && a.fold(end) == "周" && weekIn(y, n) {
			return weekOf(y, n), end + 1, true
		}
	}
	return period{}, i, false
}
