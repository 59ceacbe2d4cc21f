package question

// grammarAt is what the grammar makes of a token, for whatever model.
type grammarAt struct {
	marks   []sense // marks and harmless words, longest first
	tests   []sense // comparisons and ranks, without the units of any model
	numeric bool    // a unit may matter
}

// readGrammar reads what needs no vocabulary, once for all models.
func (l *line) readGrammar() {
	l.grammar = make([]grammarAt, len(l.tokens))
	none := &Vocabulary{}
	for i := range l.tokens {
		g := &l.grammar[i]
		g.tests = none.comparisonsAt(l.tokens, i)
		_, _, number := numberAt(l.tokens, i)
		g.numeric = number || len(g.tests) > 0 || isOneOf(l.tokens[i].fold, "between", "在")
		g.marks = append(none.ranksAt(l.tokens, i), l.marksAt(i)...)
	}
}

// marksAt returns the marks and the harmless words that start at i.
func (l *line) marksAt(i int) []sense {
	var found []sense
	for n := min(longestMark, len(l.runs[i])); n > 0; n-- {
		key := l.runs[i][n-1].key
		for _, m := range marks[key] {
			if m == command || (m == also || m == turnTo || m == ofThem) && !l.follows {
				continue
			}
			found = append(found, sense{kind: mark, from: i, to: i + n, cost: costMark, mark: m})
		}
		if sizeWords[key] {
			found = append(found, sense{kind: mark, from: i, to: i + n, cost: 2 * costMark, mark: sizeOfRow})
		}
		if _, ok := meaningless[key]; ok {
			found = append(found, sense{kind: harmless, from: i, to: i + n, cost: costMark})
		}
	}
	return found
}
