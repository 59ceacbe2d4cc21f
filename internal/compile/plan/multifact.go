package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// facts groups each fact of a multi-fact model alone, by the keys that they share.
func facts(q *resolve.Query, keys []resolve.Expr) (grouper, error) {
	m := q.Model
	u := &union{keys: len(keys), partOf: func(a *resolve.Agg) int {
		for i, fact := range m.Multi.Facts {
			if fact == a.Of {
				return i
			}
		}
		return 0
	}}
	for _, fact := range m.Multi.Facts {
		own, err := translateAll(m, fact, keys)
		if err != nil {
			return nil, err
		}
		where, err := translate(m, fact, q.Rows)
		if err != nil {
			return nil, err
		}
		u.parts = append(u.parts, newGroups(newRows(fact), resolve.Guarded(where, q.FactRows[fact]), own))
	}
	return u, nil
}

// translate names the shared fields of an expression as one fact names them.
func translate(m, fact *semantic.Model, e resolve.Expr) (resolve.Expr, error) {
	var missing string
	out := resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		f, ok := x.(resolve.Field)
		if !ok {
			return nil, false
		}
		own := m.Multi.Field(fact, f.Field)
		if own == nil {
			missing = f.Name
			return x, true
		}
		return resolve.Field{Field: own}, true
	})
	if missing != "" {
		return nil, notShared(missing, m, fact)
	}
	return out, nil
}

func translateAll(m, fact *semantic.Model, list []resolve.Expr) ([]resolve.Expr, error) {
	out := make([]resolve.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = translate(m, fact, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func notShared(name string, m, fact *semantic.Model) error {
	e := fault.Invalidf("not_shared", "", "%s is not shared by all facts of %s", name, m.Name)
	e.Got, e.Hint = name, "it is missing in "+fact.Name
	return e
}
