package service

import (
	"fmt"

	"parlance/internal/jsontree"
	"parlance/internal/result"
)

// summary says in one sentence what the rows of an answer show: how many there are, and the first one's value.
func summary(a *Answer) string {
	tree, err := jsontree.Parse(a.Items)
	switch {
	case err != nil:
		return ""
	case a.Total == 0:
		return "Nothing matches."
	case len(tree.Items) == 0:
		return counted(int(a.Total), "row") + "."
	}
	names, values := split(a.Columns, tree.Items[0])
	switch {
	case len(values) == 0:
		return counted(int(a.Total), "row") + "."
	case names == "":
		return values + "."
	case a.Total == 1:
		return fmt.Sprintf("%s: %s.", names, values)
	}
	return fmt.Sprintf("%d groups; the first is %s: %s.", a.Total, names, values)
}

// split words a row: its group on one side, its measures with their captions on the other.
func split(columns []result.Column, row jsontree.Node) (names, values string) {
	for _, c := range columns {
		cell, _ := row.Get(c.Key)
		text := cell.Text
		if cell.Kind == jsontree.Null {
			text = "none"
		}
		if c.Measure {
			values = join(values, captionOf(c)+" "+text)
		} else {
			names = join(names, text)
		}
	}
	return names, values
}

func captionOf(c result.Column) string {
	if c.Caption != "" {
		return c.Caption
	}
	return c.Key
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}
