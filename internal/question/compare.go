package question

import (
	"math/big"
	"strings"

	"parlance/internal/query"
)

// comparisons are the phrases that stand before a number.
var comparisons = phraseOps(map[query.Op]string{
	query.Greater:      "more than|over|above|greater than|exceeding|exceed|exceeded|higher than|larger than|bigger than|>|in excess of|upwards of|north of|beyond|surpassing|that exceed|超过|大于|高于|多于|超出|大过|突破",
	query.GreaterEqual: "at least|no less than|not less than|>=|≥|不低于|不少于|不小于|至少|大于等于|达到|达|minimum of|a minimum of|or greater than|starting at|from at least|起码|满",
	query.Less:         "less than|under|below|fewer than|lower than|smaller than|<|cheaper than|short of|低于|小于|少于|不到|不足|未达到|没到|未到|没有达到",
	query.LessEqual:    "at most|no more than|not more than|up to|<=|≤|不超过|不高于|不多于|不大于|至多|小于等于|maximum of|a maximum of|not over|not above|not exceeding|最多",
	query.Equal:        "exactly|equal to|equals|=|等于",
})

// afterNumber are the phrases that stand behind it.
var afterNumber = phraseOps(map[query.Op]string{
	query.GreaterEqual: "or more|and more|or above|and above|or over|and over|or higher|and up|or greater|plus|以上|及以上|或以上|或更多|起|开外",
	query.LessEqual:    "or less|or fewer|or below|and below|or under|or lower|以下|及以下|以内|或以下|之内",
})

func phraseOps(list map[query.Op]string) map[string]query.Op {
	table := map[string]query.Op{}
	for op, phrases := range list {
		for p := range strings.SplitSeq(phrases, "|") {
			table[phrase(tokenise(p))] = op
		}
	}
	return table
}

const longestComparison = 4

// comparisonsAt returns the comparisons with a number that start at i: more than 5, 20万以上, between 5 and 10. Where
// a unit follows the number, the comparison with and without it is returned.
func (v *Vocabulary) comparisonsAt(tokens []token, i int) []sense {
	var found []sense
	emit := func(c comparison, end int) {
		found = append(found, sense{kind: test, from: i, to: end, cost: costWord, test: &c})
		if n := v.unitAt(tokens, end); n > 0 {
			found = append(found, sense{kind: test, from: i, to: end + n, cost: costWord, test: &c})
		}
	}
	for n := min(longestComparison, len(tokens)-i); n > 0; n-- {
		op, ok := comparisons[phrase(tokens[i:i+n])]
		if !ok {
			continue
		}
		if x, end, ok := numberAt(tokens, i+n); ok {
			emit(comparison{op: op, a: plain(x)}, end)
		}
	}
	if x, end, ok := numberAt(tokens, i); ok {
		end += v.unitAt(tokens, end)
		for n := min(longestComparison, len(tokens)-end); n > 0; n-- {
			if op, ok := afterNumber[phrase(tokens[end:end+n])]; ok {
				emit(comparison{op: op, a: plain(x)}, end+n)
			}
		}
	}
	if c, end, ok := v.betweenAt(tokens, i); ok {
		emit(c, end)
	}
	return found
}

// betweenAt reads between 5 and 10, 5到10之间. Two whole numbers that could be years are no amounts.
func (v *Vocabulary) betweenAt(tokens []token, i int) (comparison, int, bool) {
	start := i
	led := i < len(tokens) && (tokens[i].fold == "between" || tokens[i].fold == "在")
	if led {
		start++
	}
	low, at, ok := numberAt(tokens, start)
	if !ok {
		return comparison{}, i, false
	}
	at += v.unitAt(tokens, at)
	if at >= len(tokens) || !isOneOf(tokens[at].fold, "and", "to", "到", "至", "-") {
		return comparison{}, i, false
	}
	high, end, ok := numberAt(tokens, at+1)
	if !ok {
		return comparison{}, i, false
	}
	if scaled := scales[tokens[end-1].fold]; scaled > 1 && scales[tokens[at-1].fold] == 0 {
		if more := new(big.Rat).Mul(low, new(big.Rat).SetInt64(scaled)); more.Cmp(high) < 0 {
			low = more // between 5 and 10 thousand
		}
	}
	end += v.unitAt(tokens, end)
	if closed := end+1 < len(tokens) && phrase(tokens[end:end+2]) == "之 间"; closed {
		end += 2
	} else if !led || tokens[i].fold == "在" {
		return comparison{}, i, false
	}
	return comparison{op: query.ClosedInterval, a: plain(low), b: plain(high)}, end, true
}

// unitAt returns how many tokens of a unit or measure word stand at i.
func (v *Vocabulary) unitAt(tokens []token, i int) int {
	for n := min(3, len(tokens)-i); n > 0; n-- {
		if p := phrase(tokens[i : i+n]); classifiers[p] || v.units[p] {
			return n
		}
	}
	return 0
}

func isOneOf(word string, words ...string) bool {
	for _, w := range words {
		if word == w {
			return true
		}
	}
	return false
}

// ranksAt returns the ranks that start at i: top 5, 前五名, 5 highest, 最高的3个; and a number that stands alone.
func (v *Vocabulary) ranksAt(tokens []token, i int) []sense {
	var found []sense
	emit := func(m marker, n, end int) {
		found = append(found, sense{kind: mark, from: i, to: end, cost: costMark, mark: m, n: n})
	}
	numbered := func(at int) (n, end int) {
		x, end, ok := numberAt(tokens, at)
		if !ok || small(x) == 0 {
			return 0, at
		}
		return small(x), end
	}
	if m, known := ranks[tokens[i].fold]; known {
		n, end := numbered(i + 1)
		if n > 0 || !tokens[i].han {
			emit(m, n, end+v.classifierAt(tokens, end))
		}
	}
	if i+1 < len(tokens) && tokens[i].fold == "倒" && tokens[i+1].fold == "数" {
		at := i + 2
		if at < len(tokens) && tokens[at].fold == "第" {
			at++
		}
		if n, end := numbered(at); n > 0 {
			emit(rankBottom, n, end+v.classifierAt(tokens, end))
		}
	}
	if n, end := numbered(i); n > 0 {
		emit(number, n, end+v.classifierAt(tokens, end))
		for _, m := range superlativesAt(tokens, end) {
			emit(m.mark, n, m.to)
		}
	}
	for _, m := range superlativesAt(tokens, i) {
		at := m.to
		if at < len(tokens) && tokens[at].fold == "的" {
			at++
		}
		if n, end := numbered(at); n > 0 {
			emit(m.mark, n, end+v.classifierAt(tokens, end))
		}
	}
	return found
}

var ranks = map[string]marker{"top": rankTop, "bottom": rankBottom, "前": rankTop, "后": rankBottom}

func (v *Vocabulary) classifierAt(tokens []token, i int) int {
	if i < len(tokens) && tokens[i].han && classifiers[tokens[i].word] {
		return 1
	}
	return 0
}

// superlativesAt returns the ranks that a superlative at i stands for when a number is beside it.
func superlativesAt(tokens []token, i int) []sense {
	if i > 0 && tokens[i-1].fold == "at" {
		return nil // at least
	}
	for n := min(2, len(tokens)-i); n > 0; n-- {
		for _, m := range marks[phrase(tokens[i:i+n])] {
			switch m {
			case most, moreIn:
				return []sense{{mark: rankTop, to: i + n}}
			case least, fewest:
				return []sense{{mark: rankBottom, to: i + n}}
			}
		}
	}
	return nil
}
