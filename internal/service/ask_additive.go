package service

import (
	"unicode"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// addsUp reports whether the numbers of groups in a column of a query add up to that of all of them.
func addsUp(m *semantic.Model, q *query.Query, key string) bool {
	for _, c := range q.Columns {
		if c.Key() != key {
			continue
		}
		switch e := c.Expr.(type) {
		case *query.Ref:
			f := m.Field(e.Name)
			return f != nil && f.Measure != nil && additiveMeasure(f.Measure)
		case *query.Call:
			return (e.Func == "sum" || e.Func == "count") && additiveArguments(m, e)
		}
	}
	return false
}

func additiveMeasure(m *semantic.Measure) bool {
	m = origin(m)
	return (m.Agg == semantic.Sum || m.Agg == semantic.Count) && m.SemiAdd == nil
}

// additiveArguments reports that no argument is a measure that only adds up along some keys.
func additiveArguments(m *semantic.Model, call *query.Call) bool {
	plain := true
	for _, arg := range call.Args {
		query.Walk(arg, func(e query.Expr) bool {
			if ref, ok := e.(*query.Ref); ok {
				f := m.Field(ref.Name)
				plain = plain && f != nil && (f.Measure == nil || origin(f.Measure).SemiAdd == nil)
			}
			return true
		})
	}
	return plain
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
