package query

import (
	"slices"
	"strings"
)

// functionAliases maps the names that people type to the names of the language. A name that means different things
// in different systems (stddev, log, dayofweek) is not here: the resolver refuses it and offers the clear ones.
var functionAliases = map[string]string{
	"countd":         "count_distinct",
	"countdistinct":  "count_distinct",
	"distinct_count": "count_distinct",
	"distinctcount":  "count_distinct",
	"average":        "avg",
	"mean":           "avg",
	"minimum":        "min",
	"maximum":        "max",
	"string_agg":     "group_concat",
	"listagg":        "group_concat",
	"groupconcat":    "group_concat",
	"stddevpop":      "stddev_pop",
	"stddevsamp":     "stddev_samp",
	"varpop":         "var_pop",
	"varsamp":        "var_samp",

	"iif":    "if",
	"iff":    "if",
	"ifnull": "coalesce",
	"nvl":    "coalesce",

	"len":              "length",
	"char_length":      "length",
	"character_length": "length",
	"substr":           "substring",
	"mid":              "substring",
	"ucase":            "upper",
	"toupper":          "upper",
	"lcase":            "lower",
	"tolower":          "lower",

	"ceiling":    "ceil",
	"pow":        "power",
	"dayofmonth": "day",
}

// aggregates are the functions that turn many rows into one value (decision 48), in the order that errors show them.
var aggregates = []string{
	"sum", "avg", "count", "count_distinct", "min", "max", "group_concat",
	"stddev_pop", "stddev_samp", "var_pop", "var_samp", "median",
}

// CanonicalFunction returns a function's name in lower case, an alias replaced by what it stands for. A name that
// the language does not have is returned all the same.
func CanonicalFunction(name string) string {
	lower := strings.ToLower(name)
	if canonical, ok := functionAliases[lower]; ok {
		return canonical
	}
	return lower
}

// IsCall reports whether a text is the call of a function, such as sum(x), with an alias or without.
func IsCall(text string) bool {
	if !strings.Contains(text, "(") {
		return false
	}
	c, err := ParseColumn(text)
	_, call := c.Expr.(*Call)
	return err == nil && call
}

// IsAggregate reports whether a canonical function name is an aggregate.
func IsAggregate(name string) bool { return slices.Contains(aggregates, name) }

// reserved are the words that stand for themselves in an expression; a field of such a name is written in backquotes.
var reserved = map[string]bool{
	"and": true, "or": true, "not": true, "in": true, "between": true, "is": true, "null": true, "like": true,
	"case": true, "when": true, "then": true, "else": true, "end": true, "true": true, "false": true, "distinct": true,
}

// isReserved reports whether a name is one of them, in whatever case.
func isReserved(name string) bool {
	const longest = 16 // and more than the longest of them is in any spelling
	return len(name) <= longest && reserved[strings.ToLower(name)]
}
