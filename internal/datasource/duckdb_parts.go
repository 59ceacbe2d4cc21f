package datasource

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// part is a column that a folder's name says of all files in it: year=2024.
type part struct {
	column string
	value  string
	null   bool
}

// partOf reads a folder's name.
func partOf(name string) (part, bool) {
	const nothing = "__HIVE_DEFAULT_PARTITION__" // what those who write such folders call null
	column, value, ok := strings.Cut(name, "=")
	if !ok || column == "" {
		return part{}, false
	}
	if plain, err := url.PathUnescape(value); err == nil {
		value = plain
	}
	return part{column: column, value: value, null: value == nothing || value == ""}, true
}

// sameColumns reports whether the folders of two files say the same columns.
func sameColumns(a, b []part) bool {
	return slices.EqualFunc(a, b, func(x, y part) bool { return x.column == y.column })
}

// learnParts finds the types of the columns that the folders say, as those of CSV are found.
func learnParts(ctx context.Context, conn *duckdb.Conn, t folderTable) (columns csvColumns, err error) {
	for i, p := range t.files[0].parts {
		values := make([]string, len(t.files))
		for j, f := range t.files {
			values[j] = "(" + f.parts[i].literal() + ")"
		}
		rows, err := selectText(ctx, conn, "SELECT "+looksOf("v")+" FROM (VALUES "+strings.Join(values, ", ")+") AS given(v)")
		if err != nil {
			return nil, err
		}
		l, err := readLooks(rows[0][0])
		if err != nil {
			return nil, err
		}
		columns.add(p.column, l)
	}
	return columns, nil
}

func (p part) literal() string {
	if p.null {
		return "NULL"
	}
	return duckText(p.value)
}
