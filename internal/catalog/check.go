package catalog

import (
	"context"
	"maps"
	"slices"
	"time"

	"parlance/internal/semantic"
)

// check builds the models of a generation from its decoded files, and returns what is wrong between the files and
// with the database.
func check(ctx context.Context, o Options, g *Generation) []Problem {
	if o.Calendar.Zone == nil {
		o.Calendar = DefaultCalendar()
	}
	if o.Calendar.FiscalStart == 0 {
		o.Calendar.FiscalStart = time.January
	}
	var problems []Problem
	g.Dictionaries = mergeDictionaries(g.decoded, o.Previous, &problems)
	g.ByName, g.made, g.Waiting = map[string]*semantic.Model{}, map[*decoded]made{}, nil
	g.around = surroundingsOf(o, g.decoded)
	live := newLiveSchema(ctx, o.Schema)
	lost := unreadable(g.decoded)
	shared := mergePolicies(g.decoded, &problems)
	owner := owners(g.decoded)
	same := kept(o, g, owner)
	var builders []*builder
	for _, d := range g.decoded {
		if d.model == nil {
			continue
		}
		b := &builder{
			r: &report{file: d.path}, raw: d.model, live: live, dictionaries: g.Dictionaries,
			policies: shared, identityAttributes: g.around.attributes, hashKey: o.MaskSecret,
			untyped: map[string]bool{}, measures: map[string]*rawMeasure{}, broken: len(d.problems) > 0, lost: lost,
		}
		if before, ok := same[d]; ok {
			b.made, b.kept = before, true
		} else {
			b.begin(o.Datasource, o.Calendar, o.Cache)
		}
		builders = append(builders, b)
		if first := owner[b.model.Name]; first != d && b.model.Name != "" {
			b.r.add(d.model.model.at, "model %q stands in %s already", b.model.Name, first.path)
			continue
		}
		g.Models = append(g.Models, b.model)
		g.ByName[b.model.Name] = b.model
	}
	problems = append(problems, unknownTargets(g, lost)...)
	problems = append(problems, buildAll(builders, g.ByName)...)
	problems = append(problems, setApart(o, g, builders)...)
	for i, d := range slices.DeleteFunc(slices.Clone(g.decoded), func(d *decoded) bool { return d.model == nil }) {
		if !slices.Contains(g.Waiting, builders[i].model) {
			g.made[d] = builders[i].made
		}
	}
	g.told = live.told()
	return problems
}

// unknownTargets reports the models that a policy applies to and that do not exist, and policies that apply to none.
func unknownTargets(g *Generation, lost losses) []Problem {
	if lost.models {
		return nil
	}
	names := slices.Sorted(maps.Keys(g.ByName))
	var problems []Problem
	used := map[string]bool{}
	for _, d := range g.decoded {
		if d.model != nil && d.model.access.value != nil {
			for _, name := range d.model.access.value.use.list {
				used[name.value] = true
			}
		}
	}
	for _, d := range g.decoded {
		if d.policies == nil {
			continue
		}
		r := &report{file: d.path}
		for _, p := range d.policies.list {
			if !p.access.applies.set() && !used[p.name.value] {
				r.add(p.name.at, "no model uses policy %q, and it says for none that it holds", p.name.value)
			}
			for _, name := range p.access.applies.list {
				if g.ByName[name.value] == nil {
					r.add(name.at, "policy %q is for an unknown model %q%s", p.name.value, name.value, meant(name.value, names))
				}
			}
		}
		problems = append(problems, r.problems...)
	}
	return problems
}

// buildAll builds the models with rows of their own first, for the others are made of them.
func buildAll(builders []*builder, byName map[string]*semantic.Model) []Problem {
	var problems []Problem
	for _, b := range builders {
		switch {
		case b.kept:
		case b.raw.facts.set():
			b.model.Multi = &semantic.MultiFact{}
		default:
			b.single()
		}
	}
	for _, b := range builders {
		if b.raw.facts.set() && !b.kept {
			b.multi(byName)
		}
		problems = append(problems, b.r.problems...)
	}
	return problems
}

// losses say which kinds of file could not be read at all, so that what they would have defined is not reported
// missing everywhere else.
type losses struct{ models, dictionaries, policies bool }

func unreadable(files []*decoded) losses {
	var l losses
	for _, d := range files {
		switch {
		case d.model != nil || d.dictionaries != nil || d.policies != nil:
		case isDictionaryFile(d.path):
			l.dictionaries = true
		case isPolicyFile(d.path):
			l.policies = true
		default:
			l.models = true
		}
	}
	return l
}

// mergeDictionaries returns the dictionaries of all files; those that say what they said before are the same ones.
func mergeDictionaries(files []*decoded, before *Generation, problems *[]Problem) map[string]*semantic.Dictionary {
	merged := map[string]*semantic.Dictionary{}
	owner := map[string]string{}
	for _, f := range files {
		if f.dictionaries == nil {
			continue
		}
		r := &report{file: f.path}
		for _, d := range f.dictionaries.list {
			if first, taken := owner[d.name.value]; taken {
				r.add(d.name.at, "dictionary %q stands in %s already", d.name.value, first)
				continue
			}
			owner[d.name.value] = f.path
			built := d.build()
			if before != nil && sameDictionary(built, before.Dictionaries[built.Name]) {
				built = before.Dictionaries[built.Name]
			}
			merged[built.Name] = built
		}
		*problems = append(*problems, r.problems...)
	}
	return merged
}

func mergePolicies(files []*decoded, problems *[]Problem) policies {
	merged := policies{}
	for _, f := range files {
		if f.policies == nil {
			continue
		}
		r := &report{file: f.path}
		for _, p := range f.policies.list {
			if first, taken := merged[p.name.value]; taken {
				r.add(p.name.at, "policy %q stands in %s already", p.name.value, first.file)
				continue
			}
			merged[p.name.value] = namedPolicy{f.path, p.access}
		}
		*problems = append(*problems, r.problems...)
	}
	return merged
}
