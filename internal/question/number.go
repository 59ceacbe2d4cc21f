package question

import (
	"math/big"
	"strings"
)

// scales are the words that multiply a number.
var scales = map[string]int64{
	"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "hundred": 100, "dozen": 12,
	"grand": 1e3, "百": 100, "千": 1e3, "万": 1e4, "w": 1e4, "亿": 1e8,
}

var numerals = map[string]int64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"hundred": 100, "thousand": 1000, "million": 1e6, "dozen": 12,
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "俩": 2, "仨": 3,
}

// numberAt reads a number that starts at i and returns where it ends; ok is false when there is none.
func numberAt(tokens []token, i int) (n *big.Rat, end int, ok bool) {
	for i < len(tokens) && strings.Contains("$¥€£", tokens[i].fold) {
		i++
	}
	if i >= len(tokens) {
		return nil, i, false
	}
	switch t := tokens[i]; {
	case t.digit:
		n, ok = new(big.Rat).SetString(t.fold)
		if !ok || len(t.fold) > 30 {
			return nil, i, false
		}
		i++
	case t.han:
		return hanNumberAt(tokens, i)
	case t.fold == "half" && i+2 < len(tokens) && tokens[i+1].fold == "a" && scales[tokens[i+2].fold] >= 1000:
		return new(big.Rat).SetFrac64(scales[tokens[i+2].fold], 2), i + 3, true
	case t.fold == "a" && i+1 < len(tokens) && isOneOf(tokens[i+1].fold, "hundred", "thousand", "million", "billion", "dozen"):
		n = new(big.Rat).SetInt64(1)
		i++
	case numerals[t.fold] > 0:
		return spelt(tokens, i)
	default:
		return nil, i, false
	}
	for range 2 { // 1 hundred thousand, 3 千 万
		if i >= len(tokens) || scales[tokens[i].fold] == 0 {
			break
		}
		n.Mul(n, new(big.Rat).SetInt64(scales[tokens[i].fold]))
		i++
	}
	return n, i, true
}

// spelt reads an English number in words: five, twenty five, two hundred and fifty thousand.
func spelt(tokens []token, i int) (n *big.Rat, end int, ok bool) {
	var whole, part int64
	for end = i; end < len(tokens) && end-i < 8; end++ {
		switch w := tokens[end].fold; {
		case w == "and" && end > i && end+1 < len(tokens) && part >= 100 && numerals[tokens[end+1].fold] > 0 && numerals[tokens[end+1].fold] < 100:
		case isOneOf(w, "hundred", "dozen"):
			part = max(part, 1) * scales[w]
		case isOneOf(w, "thousand", "million", "billion", "k", "grand"):
			whole += max(part, 1) * scales[w]
			part = 0
		case tokens[end].han || numerals[w] == 0 || part%10 != 0 && part > 0 || part > 0 && part < 100 && numerals[w] >= 10 || part == 10:
			return new(big.Rat).SetInt64(whole + part), end, end > i
		default:
			part += numerals[w]
		}
	}
	return new(big.Rat).SetInt64(whole + part), end, end > i
}

// hanNumberAt reads a Chinese number: 三, 十二, 一百二十, 两千万, 三万五.
func hanNumberAt(tokens []token, i int) (n *big.Rat, end int, ok bool) {
	var high, whole, section, digit int64
	start := i
	sum := func() *big.Rat { return new(big.Rat).SetInt64(high + whole + section + digit) }
	for ; i < len(tokens) && tokens[i].han && high < 1e15; i++ {
		switch w := tokens[i].fold; {
		case numerals[w] > 0:
			if digit > 0 {
				return sum(), i, true
			}
			digit = numerals[w]
		case w == "零" && i > start:
		case w == "十":
			section += max(digit, 1) * 10
			digit = 0
		case (w == "百" || w == "千") && digit > 0:
			section += digit * scales[w]
			digit = 0
		case w == "万" && section+digit > 0 && whole == 0:
			whole, section, digit = (section+digit)*scales[w], 0, 0
		case w == "亿" && whole+section+digit > 0 && high == 0:
			high, whole, section, digit = (whole+section+digit)*scales[w], 0, 0, 0
		default:
			return sum(), i, sum().Sign() > 0
		}
	}
	return sum(), i, sum().Sign() > 0
}

// smallAt reads a whole number from 1 to 1000.
func smallAt(tokens []token, i int) (n, end int, ok bool) {
	x, end, ok := numberAt(tokens, i)
	if !ok || small(x) == 0 {
		return 0, i, false
	}
	return small(x), end, true
}

// plain writes a number as JSON does.
func plain(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(10), "0")
}

// small returns a whole number from 1 to 1000, or 0.
func small(n *big.Rat) int {
	if !n.IsInt() || n.Sign() <= 0 || n.Cmp(big.NewRat(1000, 1)) > 0 {
		return 0
	}
	return int(n.Num().Int64())
}
