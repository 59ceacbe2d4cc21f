package datasource

import (
	"fmt"
	"strings"

	"parlance/internal/value"
)

// looks is what the values of a column of texts look like. Only what every value looks like becomes its type: a number
// is one only when the text can be had back from it, so that 007, +49… and 1,5 stay text, and dates are those of ISO 8601.
type looks struct {
	forms    uint64 // a bit for each form that occurs
	whole    int    // the most digits before the point
	fraction int    // the most digits after it
}

// The forms of a value, in the order in which they are tried; the bit of one is 1 << its place in valueForms.
const (
	formInteger = 1 << iota
	formFraction
	formExponent
	formTruth
	formDay
	formWall
	formInstant
	formOther
)

// valueForms are the conditions of the forms before formOther, on the value that %s stands for.
var valueForms = []string{
	`regexp_full_match(%s, '-?(0|[1-9][0-9]*)')`,
	`regexp_full_match(%s, '-?(0|[1-9][0-9]*)?\.[0-9]+')`,
	`regexp_full_match(%s, '-?[0-9]+(\.[0-9]+)?[eE][-+]?[0-9]+') AND isfinite(TRY_CAST(%[1]s AS DOUBLE))`,
	`lower(%s) IN ('true', 'false')`,
	`regexp_full_match(%s, '` + isoDay + `') AND TRY_CAST(%[1]s AS DATE) IS NOT NULL`,
	`regexp_full_match(%s, '` + isoDay + isoClock + `') AND TRY_CAST(%[1]s AS TIMESTAMP) IS NOT NULL`,
	`regexp_full_match(%s, '` + isoDay + isoClock + `(Z|[-+][0-9]{2}(:?[0-9]{2})?)') AND TRY_CAST(%[1]s AS TIMESTAMPTZ) IS NOT NULL`,
}

// plainText is true of most texts, and is found out faster than the forms: they begin neither with a digit nor with a sign.
const plainText = `ascii(%[1]s) NOT BETWEEN ascii('-') AND ascii('9') AND lower(%[1]s) NOT IN ('true', 'false')`

const (
	isoDay   = `[0-9]{4}-[0-9]{2}-[0-9]{2}`
	isoClock = `[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?`
)

// looksOf is an aggregate over the values of v that readLooks reads: the forms, and the digits before and after the point.
func looksOf(v string) string {
	var form strings.Builder
	fmt.Fprintf(&form, "CASE WHEN coalesce(%s, '') = '' THEN 0 WHEN "+plainText+" THEN %d", v, formOther)
	for i, condition := range valueForms {
		fmt.Fprintf(&form, " WHEN "+condition+" THEN %d", v, 1<<i)
	}
	fmt.Fprintf(&form, " ELSE %d END", formOther)
	return fmt.Sprintf("concat_ws(' ', coalesce(bit_or(%s), 0), coalesce(max(length(ltrim(split_part(%[2]s, '.', 1), '-'))), 0), "+
		"coalesce(max(length(split_part(%[2]s, '.', 2))), 0))", form.String(), v)
}

// readLooks reads a value of looksOf.
func readLooks(text string) (looks, error) {
	var l looks
	_, err := fmt.Sscan(text, &l.forms, &l.whole, &l.fraction)
	return l, err
}

const textColumn = "VARCHAR"

// native is the type of a column whose values look so.
func (l looks) native() string {
	within := func(forms uint64) bool { return l.forms&^forms == 0 }
	switch {
	case l.forms == 0:
		return textColumn
	case within(formInteger):
		return integerColumn(l.whole)
	case within(formInteger | formFraction):
		return decimalColumn(l.whole, l.fraction)
	case within(formInteger | formFraction | formExponent):
		return "DOUBLE"
	case within(formTruth):
		return "BOOLEAN"
	case within(formDay):
		return "DATE"
	case within(formDay | formWall):
		return "TIMESTAMP"
	case within(formInstant):
		return "TIMESTAMPTZ"
	}
	return textColumn
}

func integerColumn(digits int) string {
	const bigint = 18
	switch {
	case digits <= bigint:
		return "BIGINT"
	case digits <= value.MaxPrecision:
		return "HUGEINT"
	}
	return textColumn
}

// decimalColumn holds every value with all its digits; numbers that need more than 38 are text.
func decimalColumn(whole, fraction int) string {
	switch {
	case whole+fraction <= smallDecimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", smallDecimal, fraction)
	case whole+fraction <= value.MaxPrecision:
		return fmt.Sprintf("DECIMAL(%d,%d)", value.MaxPrecision, fraction)
	}
	return textColumn
}

// csvColumns are the columns of all files of a table, in the order in which they were met.
type csvColumns []csvColumn

type csvColumn struct {
	name  string
	looks looks
}

// add adds what was found in one file.
func (c *csvColumns) add(name string, l looks) {
	for i := range *c {
		if old := &(*c)[i]; strings.EqualFold(old.name, name) {
			old.looks = looks{old.looks.forms | l.forms, max(old.looks.whole, l.whole), max(old.looks.fraction, l.fraction)}
			return
		}
	}
	*c = append(*c, csvColumn{name, l})
}

// native is the type of a column.
func (c csvColumns) native(name string) string {
	for _, known := range c {
		if strings.EqualFold(known.name, name) {
			return known.looks.native()
		}
	}
	return textColumn
}
