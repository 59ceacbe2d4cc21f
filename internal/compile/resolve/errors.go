package resolve

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// maxAllowed is how many allowed words an error lists.
const maxAllowed = 10

// refusal is an error about got, a text of the caller's: what its message repeats is clipped by the functions below.
func refusal(reason, path, got, format string, args ...any) *fault.Error {
	e := fault.Invalidf(reason, path, format, args...)
	e.Got = fault.Clip(got)
	return e
}

// at gives an error without a path the path of what was being bound.
func at(err error, path string) error {
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Path == "" {
		f.Path = path
	}
	return err
}

func firstOf(words []string) []string { return words[:min(len(words), maxAllowed)] }

// Rights and names.

func deniedModel(name string) error {
	return &fault.Error{Kind: fault.Forbidden, Reason: "forbidden_model", Got: name, Message: "No permission to access model \"" + name + "\""}
}

func deniedField(name, path string) error {
	return &fault.Error{Kind: fault.Forbidden, Reason: "forbidden_field", Path: path, Got: name, Message: "no permission for field \"" + name + "\""}
}

func (r *resolver) unknownField(name, path string) error {
	if e := r.notShared(name, path); e != nil {
		return e
	}
	known := append(r.grant.Names(), r.queryNames()...)
	e := refusal("unknown_field", path, name, "%s has no field %q", r.model.Name, fault.Clip(name))
	e.Closest = fault.Closest(name, known)
	for _, f := range r.grant.Fields() {
		if f.Dimension != nil && f.Role == semantic.ID && (f.Dimension.Path == name || f.Dimension.Alias == name) {
			e.Message = "the dimension \"" + name + "\" is not a column by itself"
			e.Hint = "name one of its fields, such as " + name + "$caption or " + name + "$id"
			e.Closest = dimensionNames(r.grant, f.Dimension)
		}
	}
	if query.IsCall(name) {
		e.Message = "\"" + e.Got + "\" is an expression, and only a name can stand here"
		e.Hint = "an aggregate is a column, not a group; any other expression gets its name in calculatedFields"
	}
	if called := r.called(name); len(called) > 0 && e.Hint == "" {
		e.Closest = called
	}
	if len(e.Closest) == 0 && e.Hint == "" {
		e.Hint = "dataset.describe_model_internal lists the fields of " + r.model.Name
	}
	return e
}

// called returns the visible fields, three at most, that people call so: by caption or synonym, in whatever case.
func (r *resolver) called(name string) []string {
	var found []string
	for _, f := range r.grant.Fields() {
		words := append([]string{f.Caption}, f.Synonyms...)
		if len(found) < 3 && !f.Derived && slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, name) }) {
			found = append(found, f.Name)
		}
	}
	return found
}

// notShared explains a name that a fact has and its multi-fact model does not; nil where no fact has it.
func (r *resolver) notShared(name, path string) error {
	if r.model.Multi == nil {
		return nil
	}
	for _, fact := range r.model.Multi.Facts {
		f := fact.Field(name)
		if f == nil || r.grant.Fact(fact).Field(f) == access.Hidden {
			continue
		}
		e := refusal("not_shared", path, name, "%s is a field of %s that the facts of %s do not share", name, fact.Name, r.model.Name)
		e.Hint = "ask " + fact.Name + " for it, or leave it out"
		switch shared := r.sharedName(fact, f); {
		case shared != "":
			e.Message = name + " of " + fact.Name + " has another name in " + r.model.Name
			e.Closest, e.Hint = []string{shared}, ""
		case f.Measure != nil:
			e.Message = name + " is a measure of " + fact.Name + " that " + r.model.Name + " does not have"
		}
		return e
	}
	return nil
}

// sharedName returns the name in the multi-fact model of a field of a fact's shared dimension.
func (r *resolver) sharedName(fact *semantic.Model, f *semantic.Field) string {
	if f.Dimension == nil {
		return ""
	}
	_, attribute, _ := strings.Cut(f.Name, "$")
	for _, s := range r.model.Multi.Share {
		name := s.Name + "$" + attribute
		if s.In[fact.Name] == f.Dimension.Path && r.grant.Field(r.model.Field(name)) != access.Hidden {
			return name
		}
	}
	return ""
}

func notInMultiFact(what string, m *semantic.Model, path string) error {
	e := refusal("not_shared", path, what, "%s has no single meaning in %s, which puts several facts side by side", fault.Clip(what), m.Name)
	e.Hint = "ask for its measures by the shared dimensions"
	return e
}

func nameTaken(name, why, path string) error {
	e := refusal("name_taken", path, name, "the name %q cannot be given: %s", name, why)
	e.Hint = "choose another name"
	return e
}

func definedByItself(name, path string) error {
	return refusal("circular_definition", path, name, "%s is defined by itself", name)
}

func unknownAggregation(word, path string) error {
	var names []string
	for _, a := range semantic.Aggs {
		names = append(names, string(a))
	}
	e := refusal("unknown_aggregation", path, word, "there is no aggregation %q", fault.Clip(word))
	e.Allowed, e.Closest = firstOf(names), fault.Closest(strings.ToLower(word), names)
	return e
}

func unknownFunction(name, path string) error {
	if slices.Contains(windowNames, name) {
		e := refusal("window_order_required", path, name, "%s looks at the rows beside a row, so it needs their order", name)
		e.Hint = "write " + name + "(…) over (order by …)"
		return e
	}
	known := functionNames()
	for _, a := range semantic.Aggs {
		known = append(known, string(a))
	}
	sort.Strings(known)
	e := refusal("unknown_function", path, name, "there is no function %q", fault.Clip(name))
	e.Closest = fault.Closest(name, known)
	if meant := query.MeantFunction(name); meant != "" {
		e.Closest, e.Meant = []string{meant}, meant
	}
	if len(e.Closest) == 0 {
		e.Hint = "functions: " + strings.Join(known, ", ")
	}
	return e
}

func unsupportedExpression(what, path string) error {
	return refusal("unsupported", path, what, "%s cannot stand here", fault.Clip(what))
}

// Columns and clauses.

// columnsRequired refuses an aggregate beside no columns; name is "" for one that has none.
func columnsRequired(name, path string) error {
	what := "an aggregate is used"
	if name != "" {
		what = name + " is an aggregate"
	}
	e := refusal("columns_required", path, name, "%s, and neither columns nor groupBy says what to show beside it", what)
	e.Hint = "name the columns, or give groupBy"
	return e
}

func noColumns(names []string) error {
	e := refusal("no_columns", "exColumns", strings.Join(names, ", "), "exColumns leaves no column over")
	e.Hint = "leave at least one column in"
	return e
}

func havingWithoutGroups() error {
	e := fault.Invalidf("having_without_groups", "having", "having filters groups, and this query has none")
	e.Hint = "give groupBy, or filter rows with slice"
	return e
}

func groupsRequired(clause string) error {
	e := fault.Invalidf("groups_required", clause, "%s speaks of groups, and this query has none", clause)
	e.Hint = "give groupBy"
	return e
}

func badCombination(first, second string) error {
	e := fault.Invalidf("bad_combination", second, "%s and %s cannot be asked for together", first, second)
	e.Hint = "leave one of them out"
	return e
}

func keyRequired(model string) error {
	e := fault.Invalidf("key_required", "returnTotal", "totals of rows that a window filters need a key, and %s declares none", model)
	e.Hint = "leave out returnTotal, or the filter on the window"
	return e
}

func overlappingGroups(key, clause string) error {
	e := refusal("hierarchy_view", clause, key, "groups of %s overlap, so some of them have no value together", key)
	e.Hint = "leave out " + clause + ", or the filter on groups"
	if clause == "topN.others" {
		e.Hint = "leave out others"
	}
	return e
}

func notSelected(what string, columns []Output, path string) error {
	e := refusal("not_selected", path, what, "%s is not among the distinct columns, so the rows have no order by it", fault.Clip(what))
	for _, c := range columns {
		e.Allowed = append(e.Allowed, c.Key)
	}
	e.Allowed, e.Hint = firstOf(e.Allowed), "add it to columns, or leave out distinct"
	return e
}

// filterRequired names the field, unless the caller may not see it: then nothing that the caller can say would do.
func (r *resolver) filterRequired(name string, d *semantic.Dimension) error {
	seen := slices.ContainsFunc(r.grant.Fields(), func(f *semantic.Field) bool { return f.Name == name || d != nil && f.Dimension == d })
	if !seen {
		return deniedModel(r.model.Name)
	}
	e := fault.Invalidf("filter_required", "slice", "%s must be filtered by %s", r.model.Name, name)
	e.Allowed = []string{name}
	e.Hint = "add a condition on it that every row must meet: one side of an $or does not count, nor does leaving some values out"
	return e
}

// Rows, groups and windows.

func nestedAggregate(what, path string) error {
	e := refusal("nested_aggregate", path, what, "%s is an aggregate already and cannot be aggregated again", fault.Clip(what))
	e.Hint = "name it alone: " + e.Got
	return e
}

func aggregatedTwice(name, path string) error {
	e := refusal("nested_aggregate", path, name, "%s is an aggregate already and cannot be aggregated again", name)
	e.Hint = "leave out agg"
	return e
}

func measureAsKey(name, path string) error {
	e := refusal("measure_as_key", path, name, "%s is a measure, and groups are made of attributes and dimensions", name)
	e.Hint = "leave it out of groupBy and name it in columns, or give it an agg here"
	return e
}

// lateKey refuses a key that exists only once groups are made.
func lateKey(name string, e Expr, path string) error {
	what := "an aggregate, computed from the groups"
	if e.Level() == WindowLevel {
		what = "a window function, computed after grouping"
	}
	f := refusal("measure_as_key", path, name, "%s is %s, so groups cannot be made by it", name, what)
	f.Hint = "leave it out of groupBy and name it in columns"
	return f
}

func ambiguousLevel(what, path string) error {
	e := refusal("ambiguous_level", path, what, "%s has two meanings in a grouped query: of each row, or of each group", fault.Clip(what))
	e.Hint = "put each measure into an aggregate, as in sum(a) / sum(b), or aggregate the whole, as in sum(a * b)"
	return e
}

func notAKey(stray Expr, path string) error {
	name := stray.String()
	e := refusal("not_a_group_key", path, name, "%s is neither a group key nor inside an aggregate", name)
	e.Hint = lifted(stray)
	return e
}

// lifted says how a row's value can stand beside groups.
func lifted(stray Expr) string {
	f, ok := stray.(Field)
	if !ok || f.Measure == nil {
		return "add it to groupBy, or aggregate it, as in max(" + stray.String() + ")"
	}
	fn := f.Measure.Agg
	if fn == "" {
		fn = semantic.Sum
	}
	return "aggregate it, as in " + string(fn) + "(" + f.Name + ")"
}

func mixedCondition(stray Expr, path string) error {
	name := stray.String()
	e := refusal("mixed_condition", path, name, "one condition mixes rows and groups: %s is neither a group key nor inside an aggregate", name)
	e.Hint = "a filter on rows goes before grouping and one on groups after it; split the condition; or " + lifted(stray)
	return e
}

// Hierarchies.

func treeNotHere(name, path string) error {
	e := refusal("hierarchy_view", path, name, "%s stands for every ancestor of a row, so it can only be a group key", name)
	e.Hint = "group by it, or filter with selfAndDescendantsOf on the dimension's id"
	return e
}

func (r *resolver) notAHierarchy(what string, o query.Op, path string) error {
	e := refusal("not_a_hierarchy", path, what, "%s needs the id of a dimension with a hierarchy, not %s", o, fault.Clip(what))
	for _, f := range r.grant.Fields() {
		if f.Role == semantic.ID && f.Dimension != nil && f.Dimension.Hierarchy != nil && !f.Tree && r.walked(f) == access.Visible {
			e.Allowed = append(e.Allowed, f.Name)
		}
	}
	if e.Allowed = firstOf(e.Allowed); len(e.Allowed) == 0 {
		e.Hint = "no dimension of " + r.model.Name + " has a hierarchy"
	}
	return e
}

func noDistance(d *semantic.Dimension, o query.Op, path string) error {
	e := refusal("no_distance", path, o.String(), "the hierarchy of %s has no distances, so levels cannot be counted", d.Name)
	e.Hint = "ask for all of them, with descendantsOf or ancestorsOf and no maxDepth"
	return e
}

func badDepth(n int64, path string) error {
	got := itoa(int(n))
	return refusal("bad_value", path, got, "maxDepth must be 1 or more, not %s", got)
}

func tooComplex(name, path string) error {
	e := fault.Invalidf("too_complex", path, "%s stands for more than %d operations, with all that it uses", fault.Clip(name), maxSize)
	e.Got, e.Hint = fault.Clip(name), "use each calculated field fewer times"
	return e
}
