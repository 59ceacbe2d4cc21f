package catalog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// folder is a namespace that a test edits: what its files say, and what the database has.
type folder struct {
	files  map[string]string
	schema fakeSchema
	roles  []string // attributes of identities
}

// newFolder has models with dictionaries and policies, and one of several facts.
func newFolder() *folder {
	f := &folder{files: map[string]string{
		"dictionaries.yaml": "status: {P: Paid, N: New}\nkind: {a: Apple, b: Bread}\n",
		"policies.yaml":     "closed: {for: [M1], models: {roles: [admin]}}\nnarrow: {rows: [{field: a, op: in, attribute: places}]}\n",
	}, schema: fakeSchema{}, roles: []string{"places"}}
	for i := range 6 {
		f.add(i, fmt.Sprintf("M%d", i), "first")
		f.schema[fmt.Sprintf("t%d", i)] = map[string]value.Type{
			"id": fakeTypes["integer"], "a": fakeTypes["string"], "s": fakeTypes["string"], "m": fakeTypes["decimal2"], "c": fakeTypes["integer"],
		}
	}
	f.schema["customers"] = map[string]value.Type{"id": fakeTypes["integer"], "name": fakeTypes["string"], "k": fakeTypes["string"]}
	f.files["z_both.yaml"] = "model: Both\nfacts: [M4, M5]\nshare: {customer: customer}\nmeasures: [{name: one, of: M4.m}, {name: two, of: M5.m}]\n"
	return f
}

func (f *folder) add(i int, name, caption string) {
	text := fmt.Sprintf("model: %s\ncaption: %s\nsource: {table: t%d, key: [id]}\ndefault_order: [-a]\n", name, caption, i)
	text += "dimensions: [{name: customer, table: customers, join: {c: id}, id: id, label: name, attributes: [{name: k, column: k, dictionary: kind}]}]\n"
	text += "attributes: [{name: a, column: a}, {name: s, column: s, dictionary: status}]\n"
	text += "measures: [{name: m, column: m, agg: sum}, {name: n, agg: count, filter: \"s = 'P'\"}, {name: r, expression: m / n}]\n"
	if i == 2 {
		text += "access: {use: [narrow]}\n"
	}
	f.files[fmt.Sprintf("m%d.yaml", i)] = text
}

func (f *folder) options() Options {
	return Options{
		Namespace: "shop", FS: mapFS(f.files), Datasource: "db", Schema: f.schema,
		Attributes: func() []string { return slices.Clone(f.roles) },
	}
}

// edits are what may happen to a folder between two reloads. Each says what it did.
var edits = []func(*folder, *rand.Rand) string{
	func(f *folder, r *rand.Rand) string {
		i := r.IntN(6)
		f.add(i, fmt.Sprintf("M%d", i), fmt.Sprintf("caption %d", r.IntN(1000)))
		return fmt.Sprintf("another caption of model %d", i)
	},
	func(f *folder, r *rand.Rand) string {
		i, n := r.IntN(6), r.IntN(7)
		f.add(i, fmt.Sprintf("M%d", n), "named")
		return fmt.Sprintf("file %d holds model %d", i, n)
	},
	func(f *folder, r *rand.Rand) string {
		i := r.IntN(6)
		delete(f.files, fmt.Sprintf("m%d.yaml", i))
		return fmt.Sprintf("file %d is gone", i)
	},
	func(f *folder, r *rand.Rand) string {
		i := r.IntN(6)
		f.files[fmt.Sprintf("m%d.yaml", i)] = []string{"model: [", "- 1", "model: M1\nsource: {table: t1}\nattributes: [{name: a, colum: a}]\n"}[r.IntN(3)]
		return fmt.Sprintf("file %d is broken", i)
	},
	func(f *folder, r *rand.Rand) string {
		f.files["dictionaries.yaml"] = fmt.Sprintf("status: {P: Paid, N: New}\nkind: {a: Apple %d, b: Bread}\n", r.IntN(3))
		return "another label"
	},
	func(f *folder, r *rand.Rand) string {
		f.files["dictionaries.yaml"] = []string{"status: {P: Paid, N: New}\n", "status: [\n", "kind: {a: A}\nstatus: {P: Paid, N: New}\n"}[r.IntN(3)]
		return "other dictionaries"
	},
	func(f *folder, r *rand.Rand) string {
		f.files["policies.yaml"] = fmt.Sprintf("closed: {for: [M%d], models: {roles: [admin]}}\nnarrow: {rows: [{field: %s, op: in, attribute: places}]}\n", r.IntN(7), []string{"a", "s", "q"}[r.IntN(3)])
		return "other policies"
	},
	func(f *folder, r *rand.Rand) string {
		f.roles = [][]string{{"places"}, {"places", "shops"}, {}, {"shops"}}[r.IntN(4)]
		return "other attributes of identities"
	},
	func(f *folder, r *rand.Rand) string {
		f.files["z_both.yaml"] = fmt.Sprintf("model: Both\nfacts: [M%d, M%d]\nshare: {customer: customer}\nmeasures: [{name: one, of: M4.m}, {name: two, of: M5.m}]\n", 3+r.IntN(3), 3+r.IntN(3))
		return "other facts"
	},
	func(f *folder, _ *rand.Rand) string {
		whole := newFolder()
		f.files, f.roles = whole.files, whole.roles
		return "all is as it was"
	},
}

// TestReloadEqualsLoad: whatever is edited, a load that keeps models finds the same problems and the same models as one
// that builds everything, and changes nothing in the generation before.
func TestReloadEqualsLoad(t *testing.T) {
	keptSome := false
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 8))
		f := newFolder()
		before, problems := Load(t.Context(), f.options())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		untouched, _ := Load(t.Context(), f.options())
		var done []string
		for range 20 {
			for range 1 + r.IntN(2) {
				done = append(done, edits[r.IntN(len(edits))](f, r))
			}
			o := f.options()
			want, wantProblems := Load(t.Context(), o)
			o.Previous = before
			got, gotProblems := Load(t.Context(), o)
			if diff := cmp.Diff(wantProblems, gotProblems); diff != "" {
				t.Fatalf("seed %d, after %q: problems (-anew +kept):\n%s", seed, done, diff)
			}
			if !sameGeneration(before, untouched) {
				t.Fatalf("seed %d, after %q: the generation before has changed", seed, done)
			}
			if want == nil {
				continue
			}
			if !sameGeneration(want, got) {
				t.Fatalf("seed %d, after %q: the models differ from those of a load of everything", seed, done)
			}
			for _, m := range got.Models {
				keptSome = keptSome || slices.Contains(before.Models, m)
			}
			before, untouched = got, want
		}
	}
	if !keptSome {
		t.Error("no model was ever kept")
	}
}

// openly compares models without their indexes, which Index makes of the rest.
var openly = cmp.Options{
	cmpopts.IgnoreUnexported(semantic.Model{}),
	cmp.Exporter(func(t reflect.Type) bool { return t != reflect.TypeFor[semantic.Model]() }),
	cmp.Comparer(func(a, b *time.Location) bool { return a.String() == b.String() }),
}

func sameGeneration(a, b *Generation) bool {
	return cmp.Equal(a.Models, b.Models, openly) && cmp.Equal(a.Dictionaries, b.Dictionaries) &&
		slices.Equal(slices.Sorted(maps.Keys(a.ByName)), slices.Sorted(maps.Keys(b.ByName))) && slices.Equal(a.Files, b.Files)
}

// TestReloadSeesAnotherDatabase: what a changed file's tables are now holds for every model of the generation, and a
// whole reload asks for all of them.
func TestReloadSeesAnotherDatabase(t *testing.T) {
	f := newFolder()
	first, _ := Load(t.Context(), f.options())
	again := func(recheck bool) (*Generation, []Problem) {
		o := f.options()
		o.Previous, o.Recheck = first, recheck
		return Load(t.Context(), o)
	}
	f.schema["customers"] = map[string]value.Type{"id": fakeTypes["integer"], "name": fakeTypes["integer"], "k": fakeTypes["string"]}
	if g, problems := again(false); len(problems) > 0 || !sameGeneration(g, first) {
		t.Errorf("no file has changed: %v", problems)
	}
	whole, problems := again(true)
	if len(problems) > 0 || whole.ByName["M0"].Dimensions[0].LabelType.Kind != value.Integer {
		t.Errorf("the whole reload has not asked: %v", problems)
	}
	f.add(3, "M3", "changed")
	g, problems := again(false)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, m := range g.Models {
		if m.Dimensions[0].LabelType.Kind != value.Integer {
			t.Errorf("model %s stands on a table that was", m.Name)
		}
	}
	delete(f.schema, "t1")
	if _, problems := again(false); len(problems) != 1 || problems[0].File != "m1.yaml" {
		t.Errorf("a table that is gone, with another that has changed: %v", problems)
	}
}
