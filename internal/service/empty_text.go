package service

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// texts says which texts of a comparison no row has, and which ones may have been meant.
func (e *emptiness) texts(f *semantic.Field, c *query.Compare) {
	wanted := query.List{}
	switch v := c.Value.(type) {
	case query.Scalar:
		wanted = query.List{v}
	case query.List:
		wanted = v[:min(len(v), emptyReasons)]
	case query.FieldRef:
	}
	for _, s := range wanted {
		if s.Kind == query.StringLiteral {
			e.text(f, s.Text)
		}
	}
}

func (e *emptiness) text(f *semantic.Field, text string) {
	if found, ok := e.matching(e.ctx, e.target, f, query.Equal, text, 1); len(found) > 0 || !ok {
		return
	}
	switch {
	case f.Role == semantic.TimeGrain:
		if least, most, ok := e.covers(f); ok {
			e.missing(f, text, []string{least, most})
		}
	case f.Dictionary != nil && f.Role != semantic.CodeLabel:
		e.absent(f, text, closestCodes(f.Dictionary, text))
	default:
		e.missing(f, text, e.likely(e.ctx, e.target, f, text))
	}
}

// missing says that a field does not have a text. Among texts that begin with digits, such as months, what they cover says
// more than which ones look alike.
func (e *emptiness) missing(f *semantic.Field, text string, values []string) {
	if len(values) > 0 && counting(text) && !slices.ContainsFunc(values, func(v string) bool { return !counting(v) }) {
		if least, most := slices.Min(values), slices.Max(values); text < least || text > most {
			e.add("%s covers %s…%s, and the filter asks for %s", f.Name, least, most, fault.Clip(text))
			return
		}
	}
	e.absent(f, text, fault.Closest(text, values))
}

func (e *emptiness) absent(f *semantic.Field, text string, closest []string) {
	if len(closest) == 0 {
		e.add("%s has no value %s", f.Name, strconv.Quote(fault.Clip(text)))
		return
	}
	e.add("%s has no value %s; closest: %s", f.Name, strconv.Quote(fault.Clip(text)), strings.Join(closest, ", "))
}

func counting(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsDigit(r)
}
