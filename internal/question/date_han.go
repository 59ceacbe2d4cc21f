package question

import "parlance/internal/semantic"

// yearAndPart reads a year and what follows it: 2024, 2024-03-05, 2023 Q2, 2024年3月5日, 2024年第一季度, 去年下半年.
func (a *almanac) yearAndPart(i int) (period, int, bool) {
	y, at, ok := a.year(i)
	if !ok {
		return period{}, i, false
	}
	if joined := a.fold(at); (joined == "-" || joined == "/" || joined == ".") && a.tokens[i].digit {
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

// hanPart reads what follows a year in Chinese: 3月, 3月5日, 1到3月, 第一季度, 上半年, 前三个月.
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
	if p, end, ok := a.hanStretch(y, i); ok {
		return p, end, true
	}
	at := i
	if a.fold(at) == "第" {
		at++
	}
	n, end, ok := a.whole(at)
	switch {
	case !ok && len(a.fold(i)) == 2 && a.fold(i)[0] == 'q':
		if part, end, ok := a.part(i); ok {
			return part(y), end, true
		}
		return period{}, i, false
	case !ok:
		return period{}, i, false
	case n <= 4 && a.phrase(end, 2) == "季 度":
		return quarterOf(y, n), end + 2, true
	case n <= 12 && at == i && a.fold(end) == "月":
		return a.hanMonth(y, n, end+1)
	case n <= 12 && at == i && isOneOf(a.fold(end), "-", "到", "至", "~"):
		if m, after, ok := a.whole(end + 1); ok && m > n && m <= 12 && a.fold(after) == "月" {
			return period{from: monthOf(y, n).from, to: monthOf(y, m).to}, a.past(after+1, "份"), true
		}
	}
	return period{}, i, false
}

// hanMonth reads what follows 3月: 份, or a day.
func (a *almanac) hanMonth(y, m, at int) (period, int, bool) {
	at = a.past(at, "份")
	if d, after, ok := a.whole(at); ok && isOneOf(a.fold(after), "日", "号") {
		p, ok := dayOf(y, m, d)
		return p, after + 1, ok
	}
	return monthOf(y, m), at, true
}

// hanStretch reads the ends of a year: 前三个月, 最后一个季度.
func (a *almanac) hanStretch(y, i int) (period, int, bool) {
	first := a.fold(i) == "前"
	at := i + 1
	if a.phrase(i, 2) == "最 后" {
		at = i + 2
	} else if !first {
		return period{}, i, false
	}
	n, at, ok := a.whole(at)
	if !ok {
		return period{}, i, false
	}
	at = a.past(at, "个")
	g, known := units[a.fold(at)]
	if !known || g == semantic.Year || g == semantic.Week {
		return period{}, i, false
	}
	at++
	if g == semantic.Quarter {
		at = a.past(at, "度")
	}
	whole := yearOf(y)
	if first {
		return period{from: whole.from, to: moved(whole.from, g, n)}, at, true
	}
	return period{from: moved(whole.to, g, -n), to: whole.to}, at, true
}

// past returns the place behind a word, if it stands at i.
func (a *almanac) past(i int, word string) int {
	if a.fold(i) == word {
		return i + 1
	}
	return i
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
	{"这 一 周", semantic.Week, 0},
	{"本 星 期", semantic.Week, 0},
	{"这 个 星 期", semantic.Week, 0},
	{"上 上 周", semantic.Week, 2},
	{"上 一 周", semantic.Week, 1},
	{"上 周", semantic.Week, 1},
	{"上 个 星 期", semantic.Week, 1},
	{"上 星 期", semantic.Week, 1},
	{"本 月", semantic.Month, 0},
	{"这 个 月", semantic.Month, 0},
	{"这 月", semantic.Month, 0},
	{"当 月", semantic.Month, 0},
	{"上 上 个 月", semantic.Month, 2},
	{"上 一 个 月", semantic.Month, 1},
	{"上 个 月", semantic.Month, 1},
	{"上 月", semantic.Month, 1},
	{"本 季 度", semantic.Quarter, 0},
	{"本 季", semantic.Quarter, 0},
	{"这 个 季 度", semantic.Quarter, 0},
	{"上 一 个 季 度", semantic.Quarter, 1},
	{"上 个 季 度", semantic.Quarter, 1},
	{"上 一 季 度", semantic.Quarter, 1},
	{"上 季 度", semantic.Quarter, 1},
}

// hanToDate are the Chinese words for a period up to today.
var hanToDate = map[string]semantic.Grain{
	"年 初 至 今": semantic.Year, "年 初 到 现 在": semantic.Year, "今 年 至 今": semantic.Year, "本 年 至 今": semantic.Year, "月 初 至 今": semantic.Month, "本 月 至 今": semantic.Month,
	"本 季 度 至 今": semantic.Quarter, "本 周 至 今": semantic.Week,
}

// relativeHan reads 今天, 上个月, 最近30天, 近三个月, 年初至今.
func (a *almanac) relativeHan(i int) (period, int, bool) {
	for text, g := range hanToDate {
		if n := (len([]rune(text)) + 1) / 2; a.phrase(i, n) == text {
			return a.toDate(g), i + n, true
		}
	}
	for _, near := range hanNear {
		n := (len([]rune(near.text)) + 1) / 2
		if a.phrase(i, n) == near.text {
			return a.shifted(near.unit, -near.back), i + n, true
		}
	}
	at := i
	switch {
	case isOneOf(a.phrase(i, 2), "最 近", "过 去", "近 来", "前 面"):
		at += 2
	case a.fold(i) == "近":
		at++
	default:
		return period{}, i, false
	}
	at = a.past(at, "的")
	if a.phrase(at, 2) == "半 年" {
		return a.recent(semantic.Month, 6), at + 2, true
	}
	n, at, ok := smallAt(a.tokens, at)
	if !ok {
		return period{}, i, false
	}
	at = a.past(at, "个")
	if a.phrase(at, 2) == "星 期" {
		return a.recent(semantic.Week, n), at + 2, true
	}
	g, known := units[a.fold(at)]
	if !known || !a.tokens[at].han {
		return period{}, i, false
	}
	at++
	if g == semantic.Quarter {
		at = a.past(at, "度")
	}
	return a.recent(g, n), at, true
}
