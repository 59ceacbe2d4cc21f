package tpch

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/catalog"
	"parlance/internal/inspect"
)

// broken are tables that are not what the model of the folder of that name says.
var broken = []table{
	{name: "bad_line", columns: "id:i code:s? place:i amount:d", rows: [][]any{
		{int64(1), "a", int64(1), int64(1000)},
		{int64(2), "a", int64(2), int64(2000)},
		{int64(2), "b", int64(1), int64(3000)}, // the key again
		{int64(4), nil, int64(1), int64(4000)}, // points nowhere
		{int64(5), "z", int64(9), int64(5000)}, // to what is not there
	}, sharded: true},
	{name: "bad_offer", columns: "code:s place:i", rows: [][]any{
		{"a", int64(1)}, {"a", int64(1)}, {"a", int64(2)}, {"b", int64(1)},
	}},
	{name: "bad_place", columns: "place:i name:s", rows: [][]any{{int64(1), "north"}, {int64(2), "south"}}},
}

// findings is what an inspection of the broken tables says, on every engine.
var findings = []string{
	"error duplicate_key: Lines: id 2 stands twice in bad_line, where it is the model's key: " +
		"if the 2 rows are copies, sums are too high, for they hold amount 50.00 of 150.00 (33.3%); " +
		"a page may repeat one such row and lose another, and totals of filtered windows may count them more often",
	"error duplicate_dimension_key: Lines: code a and place 1 stands twice in bad_offer: 1 row would count twice once offer$caption is selected; " +
		"amount would total 160.00 instead of 150.00; queries that join offer are refused until it is mended",
	"warning null_join: Lines: 1 of 5 rows (20%) has no code or place: it stands under an empty offer$caption with amount 40.00 of 150.00 (26.7%)",
	"warning orphan: Lines: 1 of 5 rows (20%) points to no row of bad_offer (code z and place 9): " +
		"it stands under an empty offer$caption with amount 50.00 of 150.00 (33.3%)",
	"warning orphan: Lines: 1 of 5 rows (20%) points to no row of bad_place (place 9): " +
		"it stands under an empty place$caption with amount 50.00 of 150.00 (33.3%)",
}

// found inspects models against the data, as parlance validate --data does.
func (p *program) found(t *testing.T, folder string) []string {
	t.Helper()
	g, problems := catalog.Load(t.Context(), catalog.Options{Namespace: namespace, FS: os.DirFS(folder), Datasource: "db", Schema: columns{p.source}})
	if len(problems) > 0 {
		t.Fatalf("%s: %v", folder, problems)
	}
	list, err := inspect.Models(t.Context(), g.Models, map[string]inspect.Source{"db": p.source})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, f := range list {
		texts = append(texts, f.Severity.String()+" "+f.Check+": "+f.String())
	}
	return texts
}

// inspected checks that the data is found to be what the models say, and the broken data not.
func (p *program) inspected(t *testing.T, engine string) {
	t.Helper()
	if diff := cmp.Diff(findings, p.found(t, "broken")); diff != "" {
		t.Error(diff)
	}
	if engine == "sqlite" { // which is slow to join what has no index, and many times slower under the race detector
		return
	}
	if found := p.found(t, "models"); len(found) > 0 {
		t.Errorf("%q", found)
	}
}
