package catalog

import "testing"

// FuzzLoad holds that whatever stands in the three kinds of file, a load gives a generation or problems that name a file,
// and gives the same again where models are kept.
func FuzzLoad(f *testing.F) {
	whole := newFolder()
	f.Add(whole.files["m0.yaml"], whole.files["dictionaries.yaml"], "closed: {for: [M0], models: {roles: [admin]}}\n")
	f.Add(whole.files["m2.yaml"], "status: {P: {label: Paid, synonyms: [done]}}\nkind: {a: A}\n", "narrow: {rows: [{field: a, op: in, value: [x]}], fields: [{hide: [m]}]}\n")
	f.Add("model: A\nsource: {table: t}\nmeasures: [{name: m, agg: sum, column: m, additivity: {over: d, use: last}}, {name: r, expression: r + m}]\n", "a: 1\n", "p: {for: [A], min_group: [{n: 5, of: a}]}\n")
	f.Add("model: A\nfacts: [A, B]\nshare: {c: {A: d}}\n", "{}", "[]")
	f.Add("model: A\nsource: {sql: \"select 1;\"}\nrollups: [{name: r, dimensions: [a], measures: [m]}]\ncache: {ttl: 1s}\n", "x: {y: z}\n", "p: {use: [q]}\n")
	f.Fuzz(func(t *testing.T, model, dictionaries, policies string) {
		o := Options{FS: mapFS(map[string]string{"a.yaml": model, "dictionaries.yaml": dictionaries, "policies.yaml": policies})}
		g, problems := Load(t.Context(), o)
		if (g == nil) != (len(problems) > 0) {
			t.Fatalf("generation %v with problems %v", g, problems)
		}
		for _, p := range problems {
			if p.Message == "" {
				t.Fatalf("a problem without a message: %#v", p)
			}
		}
		if g == nil {
			return
		}
		o.Previous = g
		if again, problems := Load(t.Context(), o); len(problems) > 0 || again.Models[0] != g.Models[0] {
			t.Fatalf("loaded again: %v", problems)
		}
	})
}
