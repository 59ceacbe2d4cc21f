package plan

import "strconv"

// names are the names of the first columns and tables of a statement, by their letter: most statements have no more.
type names [32]string

func namesOf(letter string) names {
	var list names
	for i := range list {
		list[i] = letter + strconv.Itoa(i)
	}
	return list
}

var (
	tableNames     = namesOf("t")
	rowNames       = namesOf("r")
	keyNames       = namesOf("k")
	aggregateNames = namesOf("a")
	outputNames    = namesOf("c")
)

// of returns the i-th name.
func (n *names) of(i int) string {
	if i < len(n) {
		return n[i]
	}
	return n[0][:1] + strconv.Itoa(i)
}
