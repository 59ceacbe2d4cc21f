package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is how many bytes an expression may have (decision 67).
const maxText = 4096

type tokenKind uint8

const (
	endToken    tokenKind = iota
	wordToken             // a name, a keyword or a function
	quotedToken           // a name in backquotes, which is never a keyword
	numberToken
	stringToken
	symbolToken
)

// token is one word of an expression. Text is the name, the number as written, the string without its quotes or the
// symbol; word is what keywords and symbols are told by, and "" for names in backquotes, numbers and strings.
type token struct {
	kind     tokenKind
	text     string
	word     string
	pos, end int // bytes of the source
}

// lexer cuts a text into tokens, one at a time.
type lexer struct {
	text string
	pos  int
}

// symbols are tried in order, so that a longer one stands before its beginning.
var symbols = []string{"<=", ">=", "<>", "!=", "==", "&&", "||", "(", ")", ",", "+", "-", "*", "/", "%", "=", "<", ">", "!"}

// next returns the next token, or the reason why there is none.
func (l *lexer) next() (token, error) {
	l.space()
	start := l.pos
	if start == len(l.text) {
		return token{pos: start, end: start}, nil
	}
	r, _ := utf8.DecodeRuneInString(l.text[start:])
	switch {
	case nameStart(r):
		l.pos += nameLength(l.text[start:])
		text := l.text[start:l.pos]
		return token{wordToken, text, strings.ToLower(text), start, l.pos}, nil
	case r == '`':
		return l.quotedName()
	case r == '\'' || r == '"':
		return l.quotedText(byte(r))
	case asciiDigit(r), r == '.':
		return l.number()
	}
	for _, s := range symbols {
		if strings.HasPrefix(l.text[start:], s) {
			l.pos += len(s)
			return token{symbolToken, s, s, start, l.pos}, nil
		}
	}
	return token{}, unexpectedText(l.text, start, string(r))
}

func (l *lexer) space() {
	for l.pos < len(l.text) {
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		l.pos += size
	}
}

func (l *lexer) quotedName() (token, error) {
	start := l.pos
	name, _, closed := strings.Cut(l.text[start+1:], "`")
	if !closed {
		return token{}, unterminated(l.text, start)
	}
	if name == "" || nameLength(name) != len(name) {
		return token{}, notAName(l.text, start, name)
	}
	l.pos = start + len(name) + 2
	return token{kind: quotedToken, text: name, pos: start, end: l.pos}, nil
}

// quotedText reads a string; a quote within it is written twice.
func (l *lexer) quotedText(quote byte) (token, error) {
	var b strings.Builder
	for i := l.pos + 1; i < len(l.text); i++ {
		if l.text[i] != quote {
			b.WriteByte(l.text[i])
			continue
		}
		if i+1 < len(l.text) && l.text[i+1] == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		t := token{kind: stringToken, text: b.String(), pos: l.pos, end: i + 1}
		l.pos = i + 1
		return t, nil
	}
	return token{}, unterminated(l.text, l.pos)
}

// number reads 1, 1.5, .5 and 1e3; what follows must not be part of a name.
func (l *lexer) number() (token, error) {
	start := l.pos
	digits := l.digits()
	if l.pos < len(l.text) && l.text[l.pos] == '.' {
		l.pos++
		if l.digits() == 0 {
			return token{}, malformedNumber(l.text, start)
		}
		digits++
	}
	if digits > 0 && l.pos < len(l.text) && (l.text[l.pos] == 'e' || l.text[l.pos] == 'E') {
		l.pos++
		if l.pos < len(l.text) && (l.text[l.pos] == '+' || l.text[l.pos] == '-') {
			l.pos++
		}
		if l.digits() == 0 {
			return token{}, malformedNumber(l.text, start)
		}
	}
	r, _ := utf8.DecodeRuneInString(l.text[l.pos:])
	if nameStart(r) || unicode.IsDigit(r) || r == '.' {
		return token{}, malformedNumber(l.text, start)
	}
	return token{kind: numberToken, text: l.text[start:l.pos], pos: start, end: l.pos}, nil
}

func (l *lexer) digits() int {
	start := l.pos
	for l.pos < len(l.text) && asciiDigit(rune(l.text[l.pos])) {
		l.pos++
	}
	return l.pos - start
}

func asciiDigit(r rune) bool { return r >= '0' && r <= '9' }
func nameStart(r rune) bool  { return r == '_' || unicode.IsLetter(r) }
func namePart(r rune) bool   { return nameStart(r) || unicode.IsDigit(r) }

// nameLength returns how many bytes of the text's beginning are a name: parts of letters, digits and _ that do not
// begin with a digit, joined by $ or a point (product.category$caption).
func nameLength(text string) int {
	end := 0
	for {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !nameStart(r) {
			return max(0, end-1) // without the $ or point that no part follows
		}
		for namePart(r) {
			end += size
			r, size = utf8.DecodeRuneInString(text[end:])
		}
		if r != '$' && r != '.' {
			return end
		}
		end++
	}
}

// isName reports whether the text is one name and nothing else.
func isName(text string) bool { return text != "" && nameLength(text) == len(text) }
