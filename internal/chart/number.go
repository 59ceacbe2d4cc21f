package chart

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"parlance/internal/value"
)

// unit is a step in which large numbers are told.
type unit struct {
	size float64
	name string
}

var (
	englishUnits = []unit{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "K"}}
	chineseUnits = []unit{{1e12, "万亿"}, {1e8, "亿"}, {1e4, "万"}}
)

// plainBelow is up to where a number is written out.
const plainBelow = 10_000

// compact returns a number as axes and marks show it: 1.2M, 3.4万, 12.5%.
func compact(v float64, style value.Style, chinese bool) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return none
	case style == value.Percent && math.Abs(v) < plainBelow:
		return short(v, 1) + "%"
	case math.Abs(v) < plainBelow-0.5:
		return short(v, places(math.Abs(v)))
	}
	units := englishUnits
	if chinese {
		units = chineseUnits
	}
	percent := ""
	if style == value.Percent {
		percent = "%"
	}
	if math.Abs(v) >= 1e16 {
		return strconv.FormatFloat(v, 'e', 1, 64) + percent
	}
	for i, u := range units {
		n := v / u.size
		if i > 0 && rounded(n) >= units[i-1].size/u.size { // 999,999 is 1M and not 1,000K
			n, u = v/units[i-1].size, units[i-1]
		}
		if rounded(n) >= 1 {
			return short(n, scaledPlaces(math.Abs(n))) + u.name + percent
		}
	}
	return short(v, 0) + percent
}

// rounded returns the size of a number as its unit will show it.
func rounded(n float64) float64 {
	scale := math.Pow10(scaledPlaces(math.Abs(n)))
	return math.Round(math.Abs(n)*scale) / scale
}

func scaledPlaces(n float64) int {
	switch {
	case n < 9.995:
		return 2
	case n < 99.95:
		return 1
	}
	return 0
}

// places returns the digits after the point by which a small number is told apart from its like.
func places(n float64) int {
	switch {
	case n == 0 || n >= 1000:
		return 0
	case n >= 100:
		return 1
	case n >= 0.1:
		return 2
	}
	return min(2-int(math.Floor(math.Log10(n))), 8)
}

// short writes a number with at most some digits after the point, without zeros at the end, in groups of thousands.
func short(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		text = "0"
	}
	return thousands(text)
}

// thousands puts commas between the thousands of a number's text.
func thousands(text string) string {
	sign, digits := "", text
	if strings.HasPrefix(text, "-") {
		sign, digits = "-", text[1:]
	}
	whole, fraction, dotted := strings.Cut(digits, ".")
	if strings.Trim(whole, "0123456789") != "" {
		return text
	}
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if dotted {
		b.WriteString("." + fraction)
	}
	return sign + b.String()
}

// Exact returns a number's text for people: in groups of thousands, with its unit, and to two digits after the point where
// it has more. What is no number stays as it is.
func Exact(text string, style value.Style, unit string) string {
	_, fraction, _ := strings.Cut(text, ".")
	n, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "eE/") {
		return clean(text)
	}
	digits := len(fraction)
	if small, _ := n.Float64(); digits > 2 {
		digits = 2
		if small = math.Abs(small); small != 0 && small < 0.1 {
			digits = min(places(small), len(fraction))
		}
	}
	told := thousands(n.FloatString(digits))
	if style == value.Percent {
		return told + "%"
	}
	if unit = clean(unit); unit != "" {
		return told + " " + unit
	}
	return told
}

// number reads a cell; NaN is none.
func number(c Cell) float64 {
	if c.Null {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(c.Text, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.Abs(v) > drawable:
		return math.NaN()
	case math.Abs(v) < 1/drawable:
		return 0
	}
	return v
}

// drawable is the size beyond which a number has no place on an axis.
const drawable = 1e60
