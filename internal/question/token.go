package question

import (
	"strings"
	"unicode"
)

// token is one word, number or sign of a question; a Chinese character stands alone, since the vocabulary decides
// which of them belong together.
type token struct {
	text  string // as written
	fold  string // in lower case
	word  string // folded and stemmed: what phrases are compared by
	digit bool   // a number
	han   bool
	glued bool // nothing stands between it and the token before

	guessed bool // fold and word are what a slip of the finger was taken for
}

type language uint8

const (
	english language = iota
	chinese
)

// tag returns the language's code.
func (l language) tag() string {
	if l == chinese {
		return "zh"
	}
	return "en"
}

// spoken reports whether there is any word that tells the language. Capitals do not: VIP and TOP are said in both.
func spoken(tokens []token) bool {
	for _, t := range tokens {
		if t.han || !t.digit && len(t.fold) > 1 && t.text != strings.ToUpper(t.text) {
			return true
		}
	}
	return false
}

// languageOf tells in which language to answer: Chinese as soon as a Chinese character is there.
func languageOf(tokens []token) language {
	for _, t := range tokens {
		if t.han {
			return chinese
		}
	}
	return english
}

// tokenise cuts text into tokens. It takes any bytes; what is neither word, number nor a sign that can matter is a
// boundary and nothing else.
func tokenise(text string) []token {
	runes := []rune(strings.ToValidUTF8(text, " "))
	for i, r := range runes {
		runes[i] = narrow(r)
	}
	var tokens []token
	glued := false
	for i := 0; i < len(runes); {
		n, t := next(runes, i)
		if n == 0 {
			i++
			glued = false
			continue
		}
		t.text, t.glued = string(runes[i:i+n]), glued
		if t.fold == "" {
			t.fold = strings.ToLower(t.text)
		}
		if t.word == "" {
			t.word = stem(t.fold)
		}
		tokens = append(tokens, t)
		i += n
		glued = true
	}
	return tokens
}

// narrow turns a full-width sign into the plain one.
func narrow(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	case r == 0x3000:
		return ' '
	}
	switch r {
	case '’', '‘':
		return '\''
	case '–', '—', '−':
		return '-'
	}
	return r
}

// next returns the token that starts at i and its length in runes, 0 for a boundary.
func next(runes []rune, i int) (int, token) {
	r := runes[i]
	switch {
	case unicode.Is(unicode.Han, r):
		return 1, token{han: true}
	case isDigit(r):
		n := digits(runes[i:])
		return n, token{digit: true, fold: strings.ReplaceAll(string(runes[i:i+n]), ",", "")}
	case unicode.IsLetter(r):
		n := word(runes[i:])
		fold := strings.TrimSuffix(strings.ToLower(string(runes[i:i+n])), "'s")
		return n, token{fold: fold}
	}
	return sign(runes, i)
}

// word returns the length of a word: letters with digits after them, and what an apostrophe ties to it.
func word(runes []rune) int {
	n := 0
	for n < len(runes) {
		r := runes[n]
		letter := unicode.IsLetter(r) && !unicode.Is(unicode.Han, r) || unicode.IsMark(r)
		tied := r == '\'' && n+1 < len(runes) && unicode.IsLetter(runes[n+1])
		if !letter && !isDigit(r) && !tied {
			break
		}
		n++
	}
	return n
}

// digits returns the length of a number: digits, thousands in groups of three, a fraction.
func digits(runes []rune) int {
	run := func(from int) int {
		for from < len(runes) && isDigit(runes[from]) {
			from++
		}
		return from
	}
	n := run(0)
	for n+3 < len(runes) && runes[n] == ',' && run(n+1) == n+4 {
		n += 4
	}
	if n+1 < len(runes) && runes[n] == '.' && isDigit(runes[n+1]) {
		n = run(n + 1)
	}
	return n
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// sign returns a sign that can matter: a comma, a comparison, a hyphen or slash between digits, or one that no rule
// knows and that must not be passed over.
func sign(runes []rune, i int) (int, token) {
	r := runes[i]
	between := i > 0 && i+1 < len(runes) && isDigit(runes[i-1]) && isDigit(runes[i+1])
	switch {
	case strings.ContainsRune(",;、，", r):
		return 1, token{word: ","}
	case r == '/' && !between:
		return 1, token{word: ","}
	case r == '-' && !between, r == '_', strings.ContainsRune("?!.:'\"`()[]{}。？！：“”《》「」…·", r):
		return 0, token{}
	case (r == '>' || r == '<') && i+1 < len(runes) && runes[i+1] == '=':
		return 2, token{}
	case unicode.IsSpace(r), unicode.IsControl(r), !unicode.IsGraphic(r):
		return 0, token{}
	}
	return 1, token{}
}

// phrase returns the key under which a run of tokens is looked up.
func phrase(tokens []token) string {
	if len(tokens) == 1 {
		return tokens[0].word
	}
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.word)
	}
	return b.String()
}

// asWritten returns a run of tokens as the question has it, blanks only between words.
func asWritten(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && !t.glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// spaced splits a name of the model into words: openTickets, ticket_status.
func spaced(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r == '_' || r == '.' || r == '$':
			b.WriteByte(' ')
			continue
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}
