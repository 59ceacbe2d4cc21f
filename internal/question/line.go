package question

import (
	"strings"
	"time"

	"parlance/internal/semantic"
)

// line is a question made ready for all models: its tokens, and every run of them as a key.
type line struct {
	tokens []token
	runs   [][]run // runs[i][n-1] is the run of n tokens from i

	rootHashes []uint32 // of the first word of each run
	lang       language

	hints   Hints
	follows bool // the question may speak of the one before it
	read    []calendarDates
	grammar []grammarAt
	texts   map[[2]int]string
}

// text returns a run of tokens as written.
func (l *line) text(from, to int) string {
	if to == from+1 {
		return l.tokens[from].text
	}
	text, ok := l.texts[[2]int{from, to}]
	if !ok {
		text = asWritten(l.tokens[from:to])
		l.texts[[2]int{from, to}] = text
	}
	return text
}

// calendarDates are the periods of the question as calendars with one today and one first day of the week read them.
type calendarDates struct {
	today time.Time
	week  time.Weekday
	at    [][]sense // by token
}

// dates returns the periods that start at each token, read once for all models of one calendar.
func (l *line) dates(c semantic.Calendar, now time.Time) [][]sense {
	a := almanacOf(l, c, now)
	for _, d := range l.read {
		if d.today.Equal(a.today) && d.week == a.week {
			return d.at
		}
	}
	d := calendarDates{a.today, a.week, make([][]sense, len(l.tokens))}
	for i := range l.tokens {
		d.at[i] = a.periodsAt(i)
	}
	l.read = append(l.read, d)
	return d.at
}

// run is a run of tokens as the vocabularies look it up.
type run struct {
	key  string
	root string // the key made of the roots of its words
	hash uint32 // of the key
}

func lineOf(tokens []token, lang language) *line {
	l := &line{tokens: tokens, runs: make([][]run, len(tokens)), lang: lang, texts: map[[2]int]string{}}
	for i := range tokens {
		l.runs[i] = runsFrom(tokens[i:min(i+maxPhrase, len(tokens))])
		l.rootHashes = append(l.rootHashes, hashOf(l.runs[i][0].root))
	}
	return l
}

// runsFrom returns the runs that begin with the first token, shortest first.
func runsFrom(tokens []token) []run {
	var key, roots strings.Builder
	list := make([]run, len(tokens))
	for n, t := range tokens {
		if n > 0 {
			key.WriteByte(' ')
			roots.WriteByte(' ')
		}
		key.WriteString(t.word)
		if t.han || t.digit {
			roots.WriteString(t.word)
		} else {
			roots.WriteString(root(t.word))
		}
		list[n] = run{key: key.String(), root: roots.String()}
		list[n].hash = hashOf(list[n].key)
	}
	return list
}

// turns reports whether the question says by its first or last words that it goes on from the one before.
func (l *line) turns() bool {
	goesOn := func(i int) bool {
		for n := min(longestMark, len(l.runs[i])); n > 0; n-- {
			for _, m := range marks[l.runs[i][n-1].key] {
				if m == turnTo || m == also || m == ofThem || m == and && i == 0 {
					return true
				}
			}
		}
		return false
	}
	if goesOn(0) || goesOn(len(l.tokens)-1) {
		return true
	}
	for i := range l.tokens {
		for n := min(longestMark, len(l.runs[i])); n > 0; n-- {
			for _, m := range marks[l.runs[i][n-1].key] {
				if m == ofThem {
					return true
				}
			}
		}
	}
	return false
}

// fragment reports whether the question is no more than the name of a number.
func (l *line) fragment(models []Asked) bool {
	if len(l.tokens) > maxPhrase {
		return false
	}
	whole := l.runs[0][len(l.tokens)-1]
	for _, m := range models {
		if m.means(whole.key, measure) {
			return true
		}
	}
	return false
}

// rootKey returns the key of a phrase made of the roots of its words.
func rootKey(tokens []token) string {
	runs := runsFrom(tokens)
	return runs[len(runs)-1].root
}
