package execute

import (
	"os"
	"strings"
	"testing"
)

// wrongElsewhere lists the cases that semantic layers get wrong: the archive and the query of testdata/cases that hold
// each, or a file of tests and the test in it.
var wrongElsewhere = []struct{ row, archive, query string }{
	{row: "1:N join", archive: "one-to-many", query: "by-customer"},
	{row: "chasm", archive: "chasm", query: "by-customer"},
	{row: "role-playing", archive: "role-playing", query: "both-roles"},
	{row: "duplicate dimension key", archive: "duplicate-key", query: "by-caption"},
	{row: "overlapping nodes", archive: "overlapping-nodes", query: "two-overlapping"},
	{row: "ancestor rollup", archive: "ancestor-rollup", query: "rollup"},
	{row: "total of averages", archive: "totals", query: "of-averages"},
	{row: "total of distinct counts", archive: "totals", query: "of-distinct-counts"},
	{row: "count of a column", archive: "totals", query: "count-of-a-column"},
	{row: "stock", archive: "stock", query: "the-month"},
	{row: "ratio at every grain", archive: "totals", query: "ratio-at-every-grain"},
	{row: "policy turns LEFT into INNER", archive: "policies", query: "left-without-the-dimension"},
	{row: "empty policy", archive: "policies", query: "empty-totals"},
	{row: "hidden field as a probe", archive: "policies", query: "probe-slice"},
	{row: "mask by alias", archive: "policies", query: "mask-alias"},
	{row: "cache and identity", archive: "policies", query: "same-south"},
	{row: "misplaced filter", archive: "filters", query: "a-filter-too-deep"},
	{row: "OR over a range", archive: "filters", query: "or-over-a-range"},
	{row: "negation and null", archive: "filters", query: "negation-keeps-null"},
	{row: "in [] from an empty selection", archive: "filters", query: "in-nothing"},
	{row: "like 50%", archive: "filters", query: "like-is-literal"},
	{row: "last day of a range", archive: "filters", query: "last-day-of-a-range"},
	{row: "time zone and DST", archive: "daylight-saving", query: "a-day-of-23-hours"},
	{row: "month attribute", archive: "month-attribute", query: "calendar"},
	{row: "year on year with a gap", archive: "year-on-year", query: "a-gap"},
	{row: "ties and paging", archive: "paging", query: "second-page"},
	{row: "money", archive: "numbers", query: "money"},
	{row: "big ids", archive: "numbers", query: "big-ids"},
	{row: "division", archive: "numbers", query: "division"},
	{row: "silent sample", archive: "paging", query: "a-limit-says-so"},
	{row: "injection", archive: "injection", query: "a-quote-is-data"},
	{row: "refresh with a broken file", archive: "../../internal/app/reload_test.go", query: "TestReloadServesTheNewModelsAndKeepsTheOldOnesWhenTheyAreBad"},
}

func TestEveryCaseIsHeld(t *testing.T) {
	for _, c := range wrongElsewhere {
		file, wanted := "testdata/cases/"+c.archive+".txtar", "\n-- query "+c.query+" "
		if strings.HasSuffix(c.archive, ".go") {
			file, wanted = c.archive, "\nfunc "+c.query+"("
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), wanted) {
			t.Errorf("%s: %s has no %s: %v", c.row, c.archive, c.query, err)
		}
	}
}
