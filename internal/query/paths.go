package query

import "strconv"

// entries are the paths of the first entries of a list: most lists are no longer.
type entries [16]string

func entriesOf(list string) entries {
	var all entries
	for i := range all {
		all[i] = list + "[" + strconv.Itoa(i) + "]"
	}
	return all
}

var (
	columnEntries = entriesOf("columns")
	groupEntries  = entriesOf("groupBy")
	orderEntries  = entriesOf("orderBy")
	sliceEntries  = entriesOf("slice")
)

// Entry returns the path of a list's entry: columns[3].
func Entry(list string, i int) string {
	if i < len(entries{}) {
		switch list {
		case "columns":
			return columnEntries[i]
		case "groupBy":
			return groupEntries[i]
		case "orderBy":
			return orderEntries[i]
		case "slice":
			return sliceEntries[i]
		}
	}
	return list + "[" + strconv.Itoa(i) + "]"
}
