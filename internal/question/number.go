package question

import (
	"math/big"
	"strings"
)

// scales are the words that multiply a number.
var scales = map[string]int64{
	"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "hundred": 100,
	"百": 100, "千": 1e3, "万": 1e4, "亿": 1e8,
}

var numerals = map[string]int64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100,
	"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
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
		var small int64
		if small, i, ok = hanNumber(tokens, i); !ok {
			return nil, i, false
		}
		n = new(big.Rat).SetInt64(small)
	case numerals[t.fold] > 0:
		n = new(big.Rat).SetInt64(numerals[t.fold])
		i++
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

// hanNumber reads a Chinese number below a hundred: 三, 十, 十二, 二十, 二十五.
func hanNumber(tokens []token, i int) (n int64, end int, ok bool) {
	digit := func(at int) int64 {
		if at < len(tokens) && tokens[at].han {
			return numerals[tokens[at].fold]
		}
		return 0
	}
	n = digit(i)
	if n > 0 {
		i++
	}
	if i < len(tokens) && tokens[i].fold == "十" {
		n = max(n, 1)*10 + digit(i+1)
		if digit(i+1) > 0 {
			i++
		}
		i++
	}
	return n, i, n > 0
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
