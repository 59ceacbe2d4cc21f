package introspect

import (
	"slices"

	"parlance/internal/fault"
	"parlance/internal/relation"
)

// choose returns the tables that get a model, and those that get none because they are dimensions of others.
func (w *world) choose(schema *relation.Schema, named []string) (tables []*relation.Table, only []string, err error) {
	if len(named) > 0 {
		return find(schema, named)
	}
	pointedAt := map[*relation.Table]bool{}
	for _, t := range w.tables {
		for _, l := range w.links[t] {
			if l.to != t {
				pointedAt[l.to] = true
			}
		}
	}
	for _, t := range schema.Tables {
		switch {
		case !queryable(t):
		case !pointedAt[t] || isFact(t.Name) || w.counts(t) && !isDimension(t.Name):
			tables = append(tables, t)
		default:
			only = append(only, t.Name)
		}
	}
	if len(tables) == 0 && len(only) > 0 { // all of them point to each other
		return find(schema, only)
	}
	if len(tables) == 0 {
		return nil, nil, nothing()
	}
	return tables, only, nil
}

// counts reports whether a table's rows point elsewhere and hold something to add up.
func (w *world) counts(t *relation.Table) bool {
	elsewhere := slices.ContainsFunc(w.links[t], func(l link) bool { return l.to != t })
	return elsewhere && slices.ContainsFunc(t.Columns, func(c relation.Column) bool {
		agg, ok := w.aggregation(t, c)
		return ok && agg == "sum"
	})
}

// queryable reports whether a table has a column that a model could name.
func queryable(t *relation.Table) bool {
	return usable(t.Name) && slices.ContainsFunc(t.Columns, shown)
}

func find(schema *relation.Schema, named []string) ([]*relation.Table, []string, error) {
	var tables []*relation.Table
	for _, name := range named {
		i := slices.IndexFunc(schema.Tables, func(t *relation.Table) bool { return t.Name == name })
		switch {
		case i < 0:
			return nil, nil, unknownTable(name, schema.Names())
		case !queryable(schema.Tables[i]):
			return nil, nil, notQueryable(name)
		case !slices.Contains(tables, schema.Tables[i]):
			tables = append(tables, schema.Tables[i])
		}
	}
	return tables, nil, nil
}

func unknownTable(name string, tables []string) *fault.Error {
	const listed = 10
	f := fault.Invalidf("unknown_table", "", "there is no table %q", name)
	f.Got, f.Closest = name, fault.Closest(name, tables)
	if len(f.Closest) == 0 {
		f.Allowed = tables[:min(len(tables), listed)]
	}
	return f
}

func notQueryable(name string) *fault.Error {
	return fault.Invalidf("unknown_table", "", "no column of the table %q has a type that can be queried", name)
}

func nothing() *fault.Error {
	return fault.Invalidf("unknown_table", "", "there are no tables").With(func(f *fault.Error) {
		f.Hint = "name another schema with --schema, or give the user the right to read the tables"
	})
}
