package inspect

import (
	"fmt"
	"strings"

	"parlance/internal/semantic"
)

func counted(n any, noun string) string {
	if fmt.Sprint(n) == "1" {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// agreed returns the form of a verb that goes with a number of things.
func agreed(n int64, single, several string) string {
	if n == 1 {
		return single
	}
	return several
}

func have(n int64) string { return agreed(n, "has", "have") }

func times(n int64) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// named returns how messages call a source.
func named(src semantic.Source) string {
	switch {
	case src.SQL != "":
		return "the rows of its query"
	case src.Schema != "":
		return src.Schema + "." + src.Table
	}
	return src.Table
}

// keyText writes a key as a person would look for it: product_key 7, or shop 3 and day 2024-01-31.
func keyText(columns []string, values row) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		v := values[i]
		if v == "" {
			v = "null"
		}
		parts[i] = c + " " + v
	}
	return strings.Join(parts, " and ")
}

// nextKey writes the i-th key of a list; a single column is named by the first alone.
func nextKey(i int, columns []string, values row) string {
	if i > 0 && len(columns) == 1 && values[0] != "" {
		return values[0]
	}
	return keyText(columns, values)
}

// firstKeys writes keys of which one more than shown was read.
func firstKeys(columns []string, found []row) string {
	var first []string
	for i, r := range found[:min(len(found), shown)] {
		first = append(first, nextKey(i, columns, r))
	}
	return ended(first, int64(len(found)))
}

func oneOf(names []string) string { return strings.Join(names, " or ") }

// message tells which keys of a table stand more than once.
func (d duplicates) message(src semantic.Source) string {
	if d.keys == 1 && len(d.first) == 1 {
		return fmt.Sprintf("%s stands %s in %s", keyText(d.columns, d.first[0].values), times(d.first[0].times), named(src))
	}
	var first []string
	for i, k := range d.first {
		first = append(first, nextKey(i, d.columns, k.values)+" "+times(k.times))
	}
	return fmt.Sprintf("%d keys stand more than once in %s (%s)", d.keys, named(src), ended(first, d.keys))
}

// ended joins the first of some things and marks that there are more.
func ended(first []string, all int64) string {
	if int64(len(first)) < all {
		first = append(first, "…")
	}
	return strings.Join(first, ", ")
}

func sentence(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, "; ")
}
