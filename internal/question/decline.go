package question

// declines returns why the question cannot be answered at all: it commands, or asks for the future or for reasons. A
// mild command counts only where it opens the question.
func declines(tokens []token) marker {
	opening := true
	for i := 0; i < len(tokens); {
		m, n := grammarAt(tokens, i)
		switch m {
		case destroyer, forecast, reason, personal:
			return m
		case command:
			if opening {
				return m
			}
		}
		opening = opening && n > 0 && m == noMark
		i += max(n, 1)
	}
	return noMark
}

// grammarAt returns the longest word of the grammar at i; a meaningless one is noMark with its length.
func grammarAt(tokens []token, i int) (marker, int) {
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
