package catalog

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// comesAndGoes is a live database of two datasources, of which some cannot be reached.
type comesAndGoes struct {
	tables fakeSchema
	away   []string
	asked  map[string]int
}

func (s *comesAndGoes) Columns(ctx context.Context, datasource string, src semantic.Source) (map[string]value.Type, error) {
	s.asked[datasource]++
	if slices.Contains(s.away, datasource) {
		return nil, &fault.Error{Kind: fault.Unavailable, Reason: "unreachable", Message: "The database cannot be reached"}
	}
	return s.tables.Columns(ctx, "db", src)
}

var waitingFiles = map[string]string{
	"a.yaml": "model: A\ndatasource: near\nsource: {table: t}\nattributes: [{name: a, column: a}]\n",
	"b.yaml": "model: B\ndatasource: far\nsource: {table: t}\nattributes: [{name: d, column: d}]\ndimensions: [{name: who, table: w, join: {w: w}, id: w, label: n}]\nmeasures: [{name: m, column: m, agg: sum}]\n",
	"c.yaml": "model: C\ndatasource: far\nsource: {table: u}\ndimensions: [{name: who, table: w, join: {w: w}, id: w, label: n}]\nmeasures: [{name: k, column: k, agg: sum}]\n",
	"d.yaml": "model: D\nfacts: [B, C]\nshare: {who: who}\nmeasures: [{name: m, of: B.m}, {name: k, of: C.k}]\n",
}

func waitingNames(models []*semantic.Model) (names []string) {
	for _, m := range models {
		names = append(names, m.Name)
	}
	return names
}

func TestModelsWaitForTheirDatabase(t *testing.T) {
	db := &comesAndGoes{tables: parseSchema(t, "t a:string d:date m:decimal2 w:integer\nu k:integer w:integer\nw w:integer n:string"), away: []string{"far"}, asked: map[string]int{}}
	files := mapFS(waitingFiles)
	c := newCatalog(t, Options{Namespace: "x", FS: files, Schema: db, Await: true})
	state := func(served, waiting string, waits ...string) *Generation {
		t.Helper()
		g, ok := c.Namespace("x")
		if !ok {
			t.Fatal("the namespace is not served")
		}
		if got := strings.Join(waitingNames(g.Models), " "); got != served {
			t.Errorf("served are %s, want %s", got, served)
		}
		if got := strings.Join(waitingNames(g.Waiting), " "); got != waiting {
			t.Errorf("waiting are %s, want %s", got, waiting)
		}
		if len(g.ByName) != len(g.Models) {
			t.Errorf("%d models have names, %d are served", len(g.ByName), len(g.Models))
		}
		if diff := cmp.Diff(waits, c.Waits("x")); diff != "" {
			t.Error(diff)
		}
		return g
	}

	if problems := c.Reload(t.Context(), "x"); len(problems) > 0 {
		t.Fatal(problems)
	}
	first := state("A", "B C D", "far")
	if db.asked["far"] != 1 {
		t.Errorf("a database that is away was asked %d times", db.asked["far"])
	}

	near := db.asked["near"]
	if problems := c.Resume(t.Context(), "x"); len(problems) > 0 {
		t.Fatal(problems)
	}
	if g := state("A", "B C D", "far"); g.ByName["A"] != first.ByName["A"] || db.asked["near"] != near {
		t.Error("a model that is served was built again")
	}

	db.away = []string{"near"} // of which nothing is asked
	if problems := c.Resume(t.Context(), "x"); len(problems) > 0 {
		t.Fatal(problems)
	}
	g := state("A B C D", "")
	if f := g.ByName["B"].Field("d$year"); f == nil || g.ByName["A"] != first.ByName["A"] {
		t.Error("a model that waited was not checked, or one that was served is another")
	}

	db.away = []string{"far"} // what is served does not wait any more
	if problems := c.Reload(t.Context(), "x"); len(problems) == 0 || !strings.Contains(problems[0].String(), "b.yaml:3:17: the columns of table t cannot be read") {
		t.Errorf("problems %v", problems)
	}
	if again := state("A B C D", ""); again != g {
		t.Error("the models of before do not go on serving")
	}

	files["e.yaml"] = mapFS(map[string]string{"e": strings.Replace(waitingFiles["b.yaml"], "model: B", "model: E", 1)})["e"]
	if problems := c.Resume(t.Context(), "x"); len(problems) == 0 || !strings.Contains(problems[0].String(), "e.yaml:3:17: the columns of table t cannot be read") {
		t.Errorf("problems %v", problems)
	}
	if again := state("A B C D", ""); again != g { // nor does a new one: it may be wrong, and who looks at readiness would never see the end of it
		t.Error("the models of before do not go on serving")
	}
}

// TestFilesOfModelsThatWait: what is added while models wait waits for them to be served.
func TestFilesOfModelsThatWait(t *testing.T) {
	db := &comesAndGoes{tables: parseSchema(t, "t a:string d:date m:decimal2 w:integer\nu k:integer w:integer\nw w:integer n:string"), away: []string{"far"}, asked: map[string]int{}}
	files := mapFS(waitingFiles)
	c := newCatalog(t, Options{Namespace: "x", FS: files, Schema: db, Await: true})
	if problems := c.Reload(t.Context(), "x"); len(problems) > 0 {
		t.Fatal(problems)
	}
	files["e.yaml"] = mapFS(map[string]string{"e": strings.Replace(waitingFiles["b.yaml"], "model: B", "model: E", 1)})["e"]
	if problems := c.Resume(t.Context(), "x"); len(problems) == 0 {
		t.Error("a new model is taken without a look at its database")
	}
	if g, _ := c.Namespace("x"); strings.Join(waitingNames(g.Waiting), " ") != "B C D" {
		t.Errorf("waiting are %s", waitingNames(g.Waiting))
	}
	db.away = nil
	if problems := c.Resume(t.Context(), "x"); len(problems) > 0 {
		t.Fatal(problems)
	}
	if g, _ := c.Namespace("x"); strings.Join(waitingNames(g.Models), " ") != "A B C D E" || len(g.Waiting) > 0 {
		t.Errorf("served are %s", waitingNames(g.Models))
	}
}

func TestNothingWaitsUnlessItMay(t *testing.T) {
	db := &comesAndGoes{tables: fakeSchema{}, away: []string{"far", "near"}, asked: map[string]int{}}
	g, problems := Load(t.Context(), Options{FS: mapFS(waitingFiles), Schema: db})
	if g != nil || len(problems) == 0 {
		t.Errorf("a namespace without its databases is loaded: %v", problems)
	}
	if r := Examine(t.Context(), Options{FS: mapFS(waitingFiles), Schema: db}); len(r.Models) != 4 || len(r.Problems) == 0 {
		t.Errorf("examined: %d models, problems %v", len(r.Models), r.Problems)
	}
}
