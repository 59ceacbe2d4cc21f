package question

// declines returns why the question cannot be answered at all: it commands, or asks for the future or for reasons. A
// mild command counts only where it opens the question.
func declines(tokens []token) marker {
	opening := true
	for i := 0; i < len(tokens); {
		m, n := longestAt(tokens, i)
		switch m {
		case destroyer, forecast, reason, personal:
			return m
		case command:
			if opening && !plural(tokens[i].text) {
				return m // orders by month order nothing
			}
		}
		opening = opening && polite[tokens[i].fold]
		i += max(n, 1)
	}
	return noMark
}

// polite are the words that may stand before a command.
var polite = words("please|can|could|would|will|you|i|want|to|like|now|just|hey|hi|hello|go|ahead|and|then|kindly|请|帮|我|给|把|将|你|您|麻烦|想|要|现|在|就")

// longestAt returns the longest word of the grammar at i; a meaningless one is noMark with its length.
func longestAt(tokens []token, i int) (marker, int) {
	for n := min(longestMark, len(tokens)-i); n > 0; n-- {
		key := phrase(tokens[i : i+n])
		if m := marks[key]; len(m) > 0 {
			return m[0], n
		}
		if _, ok := meaningless[key]; ok {
			return noMark, n
		}
	}
	return noMark, 0
}
