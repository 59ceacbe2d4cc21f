package query

import (
	"maps"
	"slices"
	"strings"
)

// The words below are those that people and programs use for one of ours in other query languages. A word is here only
// where it has one meaning; errors name that meaning, and nothing is accepted by them.

// meantKeys maps keys that people send for a key of ours; it holds only where the object has that key.
var meantKeys = map[string]string{
	"filter": "slice", "filters": "slice", "where": "slice", "conditions": "slice", "condition": "slice",
	"select": "columns", "fields": "columns", "dimensions": "columns", "measures": "columns", "metrics": "columns",
	"group": "groupBy", "groups": "groupBy", "groupingby": "groupBy",
	"sort": "orderBy", "sortby": "orderBy", "order": "orderBy", "sorting": "orderBy", "ordering": "orderBy",
	"exclude": "exColumns", "excludecolumns": "exColumns", "excludedcolumns": "exColumns",
	"offset": "start", "skip": "start", "top": "limit", "rows": "limit", "maxrows": "limit", "rowlimit": "limit", "size": "pageSize",
	"perpage": "pageSize", "calculated": "calculatedFields", "computedfields": "calculatedFields", "computed": "calculatedFields",
	"includetotal": "returnTotal", "includetotals": "returnTotal", "withtotals": "returnTotal", "returntotals": "returnTotal",
	"unique":   "distinct",
	"operator": "op", "operation": "op", "comparator": "op", "values": "value", "val": "value",
	"column": "field", "name": "field", "key": "field", "dimension": "field", "member": "field", "property": "field",
	"aggregation": "agg", "aggregate": "agg", "function": "agg", "func": "agg",
	"alias": "name", "as": "name", "expr": "expression", "formula": "expression", "sql": "expression",
	"orderby": "windowOrderBy", "frame": "windowFrame", "partition": "partitionBy",
}

var meantOps = index(map[string]string{
	"=":  "equals|equal|equal to|equals to|is equal to|is|on|＝|exact|exactly|iequals",
	"!=": "not equal|not equals|not equal to|does not equal|neq|is not|isnt|!==|=!|≠|not|noteq|different|differs from",
	">":  "greater than|greater|more than|above|over|after|bigger than|higher than|is greater than|＞|is after",
	">=": "greater than or equal|greater than or equal to|greater than equal|greater than equals|greater or equal|greater or equals|" +
		"greater equal|ge|=>|≥|at least|not less than|min|minimum|since|on or after|greaterthanorequals|geq|no less than",
	"<": "less than|less|lower than|below|under|before|smaller than|fewer than|is less than|＜|is before",
	"<=": "less than or equal|less than or equal to|less than equal|less than equals|less or equal|less or equals|less equal|le|=<|≤|" +
		"at most|not more than|max|maximum|on or before|not greater than|lessthanorequals|leq|no more than|up to",
	"in":             "any of|one of|is in|is one of|in list|is any of|anyof|oneof|among|member of|includes any|belongs to",
	"not in":         "none of|not one of|is not in|is not one of|not any of|not in list|!in|notanyof|noneof",
	"like":           "contain|containing|include|includes|ilike|icontains|has|has text|substring|*=|has substring|text contains|like any case",
	"not like":       "does not contain|doesnt contain|notcontains|not ilike|not include|not includes|does not include|!like|!contains",
	"left_like":      "ends with|end with|endswith|ends|suffix|has suffix|ending with|iendswith",
	"right_like":     "starts with|start with|startswith|begins with|beginswith|begins|prefix|has prefix|starting with|istartswith",
	"not left_like":  "does not end with|not endswith|notendswith",
	"not right_like": "does not start with|not startswith|notstartswith|does not begin with",
	"is null":        "null|isnull|missing|not exists|does not exist|not set|notset|unset|is missing|= null|is none",
	"is not null":    "notnull|not null|exists|is set|is not missing|has value|not missing|not none|is not none|!= null|present",
	"[]":             "btw|is between|between inclusive|inclusive between|in between|from to",
})

var meantDirections = index(map[string]string{
	"desc": "descending|descend|decreasing|down|descent|high to low|highest|highest first|largest first|newest first|reverse|reversed|dsc|des",
	"asc":  "ascending|ascend|increasing|up|low to high|lowest|lowest first|smallest first|oldest first|ascd",
})

var meantGrains = index(map[string]string{
	"day": "days|daily|date|d", "week": "weeks|weekly|w", "month": "months|monthly|mon", "quarter": "quarters|quarterly|q|qtr",
	"year": "years|yearly|annual|annually|y",
})

var meantComparisons = index(map[string]string{
	"yoy": "year over year|year on year|yearoveryear|yearonyear|previous year|prior year|last year|same period last year",
	"mom": "month over month|month on month|monthovermonth|monthonmonth|previous month|prior month",
	"wow": "week over week|week on week|weekoverweek|weekonweek|previous week|prior week",
	"ytd": "year to date|yeartodate", "mtd": "month to date|monthtodate",
	"rolling_7d":  "rolling 7|rolling 7 days|rolling7d|last 7 days|7d|moving 7d|rolling week",
	"rolling_30d": "rolling 30|rolling 30 days|rolling30d|last 30 days|30d|moving 30d", "rolling_90d": "rolling 90|rolling 90 days|rolling90d|last 90 days|90d|moving 90d",
})

var meantFunctions = index(map[string]string{
	"count_distinct": "nunique|uniq|unique|unique count|count unique|countunique|n distinct|distinct|dcount|approx count distinct|uniqexact|" +
		"uniquecount|num unique|cardinality|count dist|cntd|uniques",
	"sum": "total|summation|summ|add up|sumof|sum of|totalof", "avg": "avrg|averageof|avgof|averge|avarage", "count": "cnt|countof|number of|num|rowcount|tally",
	"max": "highest|largest|maxi|maxof|maximum of", "min": "lowest|smallest|minof|minimum of", "group_concat": "string concat|concat agg|wm concat|joined|group join",
})

// index turns the lists of words into a table from word to meaning.
func index(lists map[string]string) map[string]string {
	table := map[string]string{}
	for meaning, words := range lists {
		for _, w := range strings.Split(words, "|") {
			table[squeezed(w)] = meaning
		}
	}
	return table
}

// squeezed is a word without case, blanks and separators; symbols stay.
func squeezed(word string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '\t', '\'', '.':
			return -1
		}
		return r
	}, strings.ToLower(word))
}

// meantBy returns the meaning of a word; a sign that squeezing would lose is looked up as it is.
func meantBy(table map[string]string, word string) string {
	if meaning, ok := table[strings.TrimSpace(word)]; ok {
		return meaning
	}
	return table[squeezed(word)]
}

// MeantOperator returns the operator that a word of another language stands for, or "".
func MeantOperator(word string) string {
	if op, ok := ParseOp(word); ok {
		return op.String()
	}
	plain := strings.TrimPrefix(word, "$")
	if op, ok := opsBySqueezed[squeezed(plain)]; ok {
		return op.String()
	}
	return meantBy(meantOps, plain)
}

// opsBySqueezed finds the operators by their words, however these are put together: startsWith, STARTS-WITH.
var opsBySqueezed = squeezedOps()

func squeezedOps() map[string]Op {
	table := map[string]Op{}
	for word, op := range opsByWord {
		table[squeezed(word)] = op
	}
	return table
}

// MeantDirection returns asc or desc for a word that stands for it, or "".
func MeantDirection(word string) string {
	switch lower := strings.ToLower(strings.TrimSpace(word)); lower {
	case "asc", "desc":
		return lower
	case "-1":
		return "desc"
	case "1", "+1":
		return "asc"
	}
	return meantDirections[squeezed(word)]
}

// MeantFunction returns the function that a word of another language stands for, or "".
func MeantFunction(word string) string {
	if known := CanonicalFunction(squeezed(word)); IsAggregate(known) {
		return known
	}
	return meantFunctions[squeezed(word)]
}

// MeantKey returns the key that a key of another language stands for, or "".
func MeantKey(key string) string { return meantKeys[squeezed(key)] }

// Keys returns the keys of a payload.
func Keys() []string { return append([]string{"format"}, payloadKeys...) }

// IsKey reports whether a payload has the key.
func IsKey(key string) bool { return slices.Contains(payloadKeys, key) || key == "format" }

// IsCondition reports whether a text is an expression that is true or false by its form, such as a > 5.
func IsCondition(text string) bool {
	e, err := ParseExpr(text)
	if err != nil {
		return false
	}
	switch e := e.(type) {
	case *Binary:
		return e.Op < Add
	case *In, *Between, *Like, *IsNull:
		return true
	}
	return false
}

// OpSpellings returns every word that spells an operator.
func OpSpellings() []string { return slices.Sorted(maps.Keys(opsByWord)) }
