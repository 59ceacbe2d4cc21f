package semantic

import (
	"strconv"
	"strings"
)

// String says a condition in words, an attribute as @name: store$province in @provinces.
func (c RowCondition) String() string {
	switch {
	case c.All != nil:
		return joinWords(c.All, " and ")
	case c.Any != nil:
		return joinWords(c.Any, " or ")
	case c.Field == nil:
		return "nothing"
	}
	text := c.Field.Name + " " + c.Op.String()
	switch {
	case c.Attribute != "":
		text += " @" + c.Attribute
	case len(c.Values) == 1:
		text += " " + c.Values[0].String()
	case len(c.Values) > 1:
		text += " " + c.Values.String()
	}
	if c.MaxDepth != nil {
		text += " max_depth " + strconv.FormatInt(*c.MaxDepth, 10)
	}
	return text
}

func joinWords(list []RowCondition, between string) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.String()
	}
	if len(words) == 1 {
		return words[0]
	}
	return "(" + strings.Join(words, between) + ")"
}

// String says how large a group must be.
func (g MinGroup) String() string {
	if g.Of == nil {
		return "no group"
	}
	return "at least " + strconv.FormatInt(g.N, 10) + " of " + g.Of.Name
}
