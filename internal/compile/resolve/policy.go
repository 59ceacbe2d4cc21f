package resolve

import (
	"maps"
	"slices"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Access says what the caller's grant did to the query.
type Access struct {
	Rows   bool     // rows were left out, or may have been
	Masked []string // fields that were shown as masks
	Group  int64    // the fewest members of a group that is shown; 0: any
	Secret bool     // the caller must not be told
}

// limitRows adds the policy's conditions on rows, over raw values, to whatever the caller asked (decision 62). They hold
// for every statement of the query, since all of them read the same rows.
func (c *clauses) limitRows() error {
	own := &resolver{model: c.model, today: c.today, grant: c.grant}
	limit, err := own.policyRows()
	if err != nil {
		return err
	}
	c.out.Rows = Guarded(c.out.Rows, limit)
	if c.model.Multi == nil {
		return nil
	}
	c.out.FactRows = map[*semantic.Model]Expr{}
	for _, fact := range c.model.Multi.Facts {
		if c.out.FactRows[fact], err = c.of(fact).policyRows(); err != nil {
			return err
		}
	}
	return nil
}

// policyRows binds the conditions of the grant; nil: there are none. Values that do not fit the field are the identity's
// fault, and nothing is shown then.
func (r *resolver) policyRows() (limit Expr, err error) {
	for _, cond := range r.grant.Rows() {
		e, err := r.condition(cond, scope{trusted: true, mode: rowMeasures})
		if err != nil {
			return nil, unfitIdentity(r.model.Name, err)
		}
		limit = and(limit, e)
	}
	return limit, nil
}

// noteAccess says what the grant did.
func (c *clauses) noteAccess() error {
	c.out.Access = Access{Rows: c.grant.Limited(), Masked: slices.Sorted(maps.Keys(c.shown)), Secret: c.grant.Conceals()}
	for _, g := range smallest(c.grant, c.model) {
		c.out.Access.Group = max(c.out.Access.Group, g.N)
	}
	return nil
}

// smallest returns how large groups must be, by the grant and by those on the facts.
func smallest(g access.Grant, m *semantic.Model) []semantic.MinGroup {
	list := slices.Clone(g.Groups())
	if m.Multi != nil {
		for _, fact := range m.Multi.Facts {
			list = append(list, g.Fact(fact).Groups()...)
		}
	}
	return list
}

func withholds(g access.Grant, m *semantic.Model) bool { return len(smallest(g, m)) > 0 }

// withhold keeps groups of too few members out of the answer, as a filter on groups does: totals, counts and subtotals
// are of the groups that remain.
func (c *clauses) withhold() error {
	if !c.fieldsOnly {
		return nil
	}
	switch {
	case !c.grouped:
		return onlyGroups(c.model.Name, "columns")
	case c.in.Time != nil:
		return notWithheld("timeWindow", c.model.Name, "timeWindow")
	}
	for _, g := range c.grant.Groups() {
		c.out.Groups = and(c.out.Groups, atLeast(c.members(g, nil, nil), g.N))
	}
	if c.model.Multi == nil {
		return nil
	}
	for _, fact := range c.model.Multi.Facts {
		for _, g := range c.grant.Fact(fact).Groups() {
			count := c.of(fact).members(g, nil, nil)
			c.out.Groups = and(c.out.Groups, op(Or, boolean, op(IsNull, boolean, count), atLeast(count, g.N)))
		}
	}
	return nil
}

// members counts the distinct members of a group, or those whose rows a condition and a semi-additive measure count.
func (r *resolver) members(g semantic.MinGroup, where Expr, semi *Semi) Expr {
	of := r.read(g.Of, true)
	if where != nil {
		of = op(Case, of.Type(), where, of, Literal{T: of.Type()})
	}
	return &Agg{Fn: semantic.CountDistinct, Arg: of, Semi: semi, Of: r.fact, T: integer}
}

func atLeast(count Expr, n int64) Expr { return op(Ge, boolean, count, whole(n)) }

// largeEnough shows a measure that counts some of a group's rows only where those are of enough members.
func (r *resolver) largeEnough(m *semantic.Measure, semi *Semi, e Expr) (Expr, error) {
	groups := r.grant.Groups()
	if len(groups) == 0 || m.Filter == nil && semi == nil {
		return e, nil
	}
	if semi != nil && !semi.AtEnd() {
		return nil, notWithheld(m.Name, r.model.Name, "")
	}
	var where Expr
	if m.Filter != nil {
		var err error
		if where, err = r.definition(m.Filter, rowMeasures); err != nil {
			return nil, err
		}
	}
	for _, g := range groups {
		e = settled(e)
		e = op(Case, e.Type(), atLeast(r.members(g, where, semi), g.N), e, Literal{T: e.Type()})
	}
	return e, nil
}

// totalled shows a total only where some group remains: a total of nothing but withheld groups is not 0.
func (c *clauses) totalled(e Expr) Expr {
	e = c.remaining(c.grant.Groups(), e)
	if c.model.Multi == nil {
		return e
	}
	for _, fact := range c.model.Multi.Facts {
		if groups := c.grant.Fact(fact).Groups(); len(groups) > 0 && takenOf(e, fact) {
			e = c.of(fact).remaining(groups, e)
		}
	}
	return e
}

func (r *resolver) remaining(groups []semantic.MinGroup, e Expr) Expr {
	for _, g := range groups {
		e = settled(e)
		e = op(Case, e.Type(), atLeast(r.members(g, nil, nil), g.N), e, Literal{T: e.Type()})
	}
	return e
}

// takenOf reports whether an expression aggregates rows of a fact.
func takenOf(e Expr, fact *semantic.Model) (found bool) {
	Visit(e, func(x Expr) bool {
		a, ok := x.(*Agg)
		found = found || ok && a.Of == fact
		return true
	})
	return found
}

// unconditional refuses a measure whose own expression aggregates more than fields as they are: of which members its
// condition leaves rows is not known.
func (r *resolver) unconditional(m *semantic.Measure) error {
	if len(r.grant.Groups()) == 0 {
		return nil
	}
	plain := true
	query.Walk(m.Expression, func(x query.Expr) bool {
		call, ok := x.(*query.Call)
		if !ok {
			return true
		}
		if _, agg := aggNamed(call.Func); agg && !call.Star && len(call.Args) > 0 {
			_, named := isRef(call.Args[0])
			plain = plain && named
		}
		return true
	})
	if plain {
		return nil
	}
	return notWithheld(m.Name, r.model.Name, "")
}

// withheld reports whether an error says that small groups keep something from the caller.
func withheld(err error) bool { return err != nil && fault.As(err).Reason == smallGroups }

const smallGroups = "small_groups"

// plainOnly refuses an aggregate of the caller's own expression where small groups are withheld: a condition within it
// could single out a member of a large group.
func (r *resolver) plainOnly(arg query.Expr, s scope) error {
	if !r.fieldsOnly || s.trusted {
		return nil
	}
	if name, ok := isRef(arg); ok && r.lookup(name) != nil {
		return nil
	}
	return notWithheld(arg.String(), r.model.Name, s.path)
}

// unlisted refuses a list of a group's values where small groups are withheld: how often each stands in it tells of each
// member by itself.
func (r *resolver) unlisted(fn semantic.Agg, name, path string) error {
	if fn != semantic.GroupConcat || len(smallest(r.grant, r.model)) == 0 {
		return nil
	}
	return notWithheld(string(fn)+"("+name+")", r.model.Name, path)
}

func unfitIdentity(model string, err error) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: "unfit_identity", Got: model, Cause: err,
		Message: "a rule of model \"" + model + "\" cannot be applied to your identity, so none of its rows may be shown",
	}
}

func maskedHere(name, path string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: "masked_field", Path: path, Got: name,
		Message: "\"" + name + "\" is masked for you, and this needs its own values",
	}
}

func onlyGroups(model, path string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: smallGroups, Path: path, Got: model,
		Message: "single rows of \"" + model + "\" are withheld from you", Hint: "ask for groups, with groupBy or aggregates",
	}
}

func notWithheld(what, model, path string) error {
	return &fault.Error{
		Kind: fault.Forbidden, Reason: smallGroups, Path: path, Got: fault.Clip(what),
		Message: fault.Clip(what) + " cannot be asked of \"" + model + "\", of which small groups are withheld from you",
		Hint:    "aggregate fields as they are, such as sum(x)",
	}
}
