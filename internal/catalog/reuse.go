package catalog

import (
	"context"
	"maps"
	"slices"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// surroundings are what the models of a namespace are built from beside their own files and the dictionaries that
// they name.
type surroundings struct {
	datasource string
	calendar   semantic.Calendar
	hashKey    string
	live       bool
	attributes []string
	policies   []*decoded
}

func surroundingsOf(o Options, files []*decoded) surroundings {
	s := surroundings{datasource: o.Datasource, calendar: o.Calendar, hashKey: o.MaskSecret, live: o.Schema != nil}
	if o.Attributes != nil {
		s.attributes = o.Attributes()
	}
	for _, d := range files {
		if isPolicyFile(d.path) {
			s.policies = append(s.policies, d)
		}
	}
	return s
}

func (s surroundings) same(o surroundings) bool {
	return s.datasource == o.datasource && s.calendar == o.calendar && s.hashKey == o.hashKey && s.live == o.live &&
		slices.Equal(s.attributes, o.attributes) && (s.attributes == nil) == (o.attributes == nil) && slices.Equal(s.policies, o.policies)
}

// made is a model that a generation holds, and the dictionaries that its file names.
type made struct {
	model *semantic.Model
	words []string
}

// kept returns the models of the generation before that building them anew would repeat, by their files: those whose
// file, dictionaries, facts and surroundings are the same. Dictionaries of g must be merged already.
func kept(o Options, g *Generation, owner map[string]*decoded) map[*decoded]made {
	before := o.Previous
	if before == nil || o.Recheck || !before.around.same(g.around) {
		return nil
	}
	same := map[*decoded]made{}
	for _, multi := range []bool{false, true} { // models of several facts stand on the others
		for _, d := range g.decoded {
			m, ok := before.made[d]
			if !ok || (m.model.Multi != nil) != multi || slices.ContainsFunc(m.words, func(name string) bool {
				return g.Dictionaries[name] != before.Dictionaries[name]
			}) {
				continue
			}
			if !multi || !slices.ContainsFunc(m.model.Multi.Facts, func(fact *semantic.Model) bool {
				return same[owner[fact.Name]].model != fact
			}) {
				same[d] = m
			}
		}
	}
	return same
}

// owners returns which file holds the model of a name: the first that does.
func owners(files []*decoded) map[string]*decoded {
	owner := map[string]*decoded{}
	for _, d := range files {
		if d.model == nil {
			continue
		}
		if _, taken := owner[d.model.model.value]; !taken {
			owner[d.model.model.value] = d
		}
	}
	return owner
}

// told is what the live database said of the sources that a generation stands on.
type told map[sourceKey]map[string]value.Type

// drifted reports whether the database has told something else of a source than before: then kept models, which
// stand on what it told before, may be wrong.
func (t told) drifted(before told) bool {
	for source, types := range t {
		if earlier, asked := before[source]; asked && !maps.Equal(earlier, types) {
			return true
		}
	}
	return false
}

// checkAgain checks like check, but keeps models of the generation before where that changes nothing.
func checkAgain(ctx context.Context, o Options, g *Generation) []Problem {
	problems := check(ctx, o, g)
	if o.Previous == nil || o.Recheck {
		return problems
	}
	if g.told.drifted(o.Previous.told) {
		o.Recheck = true
		g.Models = nil
		return check(ctx, o, g)
	}
	for source, types := range o.Previous.told { // of the models that were kept
		if _, asked := g.told[source]; !asked {
			g.told[source] = types
		}
	}
	return problems
}
