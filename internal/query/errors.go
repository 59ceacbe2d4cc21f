package query

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"parlance/internal/fault"
)

// shown is how many characters of a caller's text an error repeats.
const shown = 80

func clip(text string) string {
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}

// syntaxError is an error of expression text; pos is a byte, and people count characters from 1.
func syntaxError(text string, pos int, got, format string, args ...any) error {
	at := utf8.RuneCountInString(text[:pos]) + 1
	message := fmt.Sprintf(format, args...)
	return fault.Invalidf("bad_expression", "", "%s at position %d of %q", message, at, clip(text)).With(func(e *fault.Error) {
		e.Got = clip(got)
	})
}

func unexpectedText(text string, pos int, got string) error {
	return syntaxError(text, pos, got, "Unexpected %q", clip(got))
}

func unterminated(text string, pos int) error {
	return syntaxError(text, pos, text[pos:], "A quote that is never closed")
}

func notAName(text string, pos int, name string) error {
	return syntaxError(text, pos, name, "%q is not a name, which has letters, digits, _, $ and points,", clip(name))
}

func malformedNumber(text string, pos int) error {
	got, _, _ := strings.Cut(text[pos:], " ")
	return syntaxError(text, pos, got, "Malformed number %q", clip(got))
}

func emptyText(what string) error {
	return fault.Invalidf("bad_expression", "", "%s is empty", what)
}

func textTooLong(what, text string) error {
	return fault.Invalidf("expression_too_long", "", "%s has %d bytes; at most %d are allowed", what, len(text), maxText)
}

func nulCharacter(path string) error {
	return fault.Invalidf("bad_value", path, "The text holds a NUL character, which is not allowed")
}

func notUTF8(path string) error {
	return fault.Invalidf("bad_value", path, "The text is not valid UTF-8")
}

func badAlias(alias string) error {
	return fault.Invalidf("bad_alias", "",
		"%q cannot be a name: it must begin with a letter and have only letters, digits and _, at most %d of them", clip(alias), maxAlias,
	).With(func(e *fault.Error) { e.Got = clip(alias) })
}

// unexpectedToken says what stands where something else should; wanted is "" where nothing may follow.
func unexpectedToken(text string, t token, wanted string) error {
	got := text[t.pos:t.end]
	switch {
	case t.kind == endToken:
		return syntaxError(text, t.pos, "", "Expected %s, but the text ends", wanted)
	case wanted == "":
		return syntaxError(text, t.pos, got, "Unexpected %q", clip(got))
	}
	return syntaxError(text, t.pos, got, "Expected %s, got %q", wanted, clip(got))
}

func missingAs(text string, t token) error {
	err := fault.As(unexpectedToken(text, t, ""))
	err.Hint = `an alias follows the word as: "sum(x) as y"`
	return err
}

func tooDeep(text string, pos int) error {
	return complexity(syntaxError(text, pos, "", "The expression nests more than %d levels deep", maxNesting))
}

func tooComplex(text string, pos int) error {
	return complexity(syntaxError(text, pos, "", "The expression has more than %d operators or %d parts", maxOperators, maxNodes))
}

func complexity(err error) error {
	return fault.As(err).With(func(e *fault.Error) { e.Reason = "expression_too_complex" })
}

func chained(text string, t token) error {
	err := fault.As(syntaxError(text, t.pos, t.text, "A second comparison %q", t.text))
	err.Hint = `comparisons do not chain: write "a < b and b < c", or use parentheses`
	return err
}

func looseNot(text string, t token) error {
	err := fault.As(syntaxError(text, t.pos, t.text, "Unexpected %q", t.text))
	err.Hint = `write "not" within an operand in parentheses: a = (not b)`
	return err
}

func notAFunction(text string, t token) error {
	return syntaxError(text, t.pos, t.text, "%q is a field and cannot be called", clip(t.text))
}

func notAField(text string) error {
	return fault.Invalidf("bad_field", "", "%q is a constant, not a field", clip(text)).With(func(e *fault.Error) {
		e.Got = clip(text)
		e.Hint = "name a field, an alias or an aggregate such as sum(x)"
	})
}

func ambiguousMinus(text string, t token) error {
	err := fault.As(syntaxError(text, t.pos, t.text, "Unexpected %q after a minus that means descending", t.text))
	err.Hint = "to order by a negative value, put it in parentheses"
	return err
}

func directionTwice(text string, t token) error {
	return syntaxError(text, t.pos, t.text, "A second direction %q after the minus", t.text)
}

func emptyFrame(text string, t token) error {
	return syntaxError(text, t.pos, "", "The window frame ends before it begins")
}
