package datasource

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"parlance/internal/relation"
)

// Tables have comments on newer servers only.
const clickHouseCommented = "SELECT toString(count()) FROM system.columns WHERE database = 'system' AND table = 'tables' AND name = 'comment'"

// The columns of a table come in its own order.
const clickHouseListing = `SELECT table, engine, table_comment, comment, name, type FROM (
		SELECT table, name, type, comment, rowNumberInAllBlocks() AS place FROM system.columns WHERE database = ?
	) ANY INNER JOIN (
		SELECT name AS table, engine, %s AS table_comment FROM system.tables WHERE database = ?
	) USING table ORDER BY table, place`

const clickHouseTables = "SELECT name, engine, engine_full, sorting_key FROM system.tables WHERE database = ? ORDER BY name"

// clickHousePart reads the table whose parts a Distributed one puts together.
var clickHousePart = regexp.MustCompile(`^Distributed\(\s*[^,]+,\s*[^,]*,\s*'?([^',)]+)'?`)

// schema lists no table that is only a part of another, nor what a view keeps its rows in. A sorting key is an index
// and not a promise: rows may share it.
func (d *clickHouse) schema(ctx context.Context, l *lister) (*relation.Schema, error) {
	name := l.schema
	if name == "" {
		if err := l.each(ctx, "SELECT currentDatabase()", nil, func(cells []string) { name = strings.Clone(cells[0]) }); err != nil {
			return nil, err
		}
	}
	comment := "''"
	if err := l.each(ctx, clickHouseCommented, nil, func(cells []string) {
		if cells[0] != "0" {
			comment = "comment"
		}
	}); err != nil {
		return nil, err
	}
	if err := l.columns(ctx, fmt.Sprintf(clickHouseListing, comment), []any{name, name}); err != nil {
		return nil, err
	}
	sorting, whole := map[string][]string{}, map[string]string{}
	err := l.each(ctx, clickHouseTables, []any{name}, func(cells []string) {
		sorting[cells[0]] = sortingColumns(cells[3])
		if part := clickHousePart.FindStringSubmatch(cells[2]); part != nil {
			whole[cells[0]] = part[1]
		}
		if strings.HasPrefix(cells[0], ".inner") {
			delete(l.tables, cells[0])
		}
	})
	for name, t := range l.tables {
		key := sorting[name]
		if part, ok := whole[name]; ok {
			key = sorting[part]
		}
		if len(key) > 0 {
			t.Indexes = [][]string{key}
		}
	}
	for _, part := range whole {
		delete(l.tables, part)
	}
	return &relation.Schema{Access: relation.Sorted}, err
}

// sortingColumns returns the columns of a sorting key up to the first that is an expression.
func sortingColumns(key string) []string {
	var columns []string
	for part := range strings.SplitSeq(key, ",") {
		part = strings.Trim(strings.TrimSpace(part), "`")
		if part == "" || strings.ContainsAny(part, "() ") {
			break
		}
		columns = append(columns, part)
	}
	return columns
}
