package access

import "parlance/internal/semantic"

// applyFacts narrows a model of several facts by what each of them keeps to itself: whoever may not see one of them sees
// none side by side, and a field is as closed as in the fact that closes it most.
func (g *Grant) applyFacts(id Identity) {
	facts := map[*semantic.Model]Grant{}
	narrowed := false
	for _, fact := range g.model.Multi.Facts {
		own := For(id, fact)
		if !own.Model() {
			*g = Grant{model: g.model}
			return
		}
		facts[fact] = own
		narrowed = narrowed || own.narrows != nil
	}
	if !g.open || !narrowed && g.narrows == nil {
		return
	}
	if g.narrows == nil {
		g.narrows = &narrowing{closed: map[*semantic.Field]closure{}}
	}
	g.narrows.facts = facts
	for _, fact := range g.model.Multi.Facts {
		g.narrows.effects = append(g.narrows.effects, onRows(fact, facts[fact])...)
	}
	for _, f := range g.model.Fields() {
		for _, fact := range g.model.Multi.Facts {
			own := g.model.Multi.Field(fact, f)
			if own == nil || facts[fact].narrows == nil {
				continue
			}
			if c, closed := facts[fact].narrows.closed[own]; closed {
				g.narrows.close(f, c, Effect{Where: fact.Name, What: closes(c), Field: f, Mask: c.mask, From: own})
			}
		}
	}
}

// onRows are the effects on rows and groups of a fact, told with its name.
func onRows(fact *semantic.Model, g Grant) []Effect {
	var list []Effect
	for _, e := range g.Effects() {
		if e.What == "rows" || e.What == "groups" {
			e.Rule, e.Words = fact.Name+": "+e.Rule, fact.Name+": "+e.Words
			list = append(list, e)
		}
	}
	return list
}

func closes(c closure) string {
	if c.hidden {
		return "hides"
	}
	return "masks"
}
