package service

import (
	"slices"
	"strings"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// valuesQuery groups the rows by the field, the largest group first. A model of several facts has no rows of its own to
// count, and its values stand in their order.
func valuesQuery(t target, f *semantic.Field, r ValuesRequest) *query.Query {
	q := &query.Query{
		Columns: []query.Column{{Expr: &query.Ref{Name: f.Name}, Text: f.Name}},
		GroupBy: []query.Group{{Field: f.Name}},
		Slice:   slices.Clone(r.Slice),
		Paging:  query.Paging{Start: int64Of(int64(r.Start)), Limit: int64Of(int64(r.Limit))},
	}
	if r.Search != "" {
		q.Slice = append(q.Slice, searched(t.seen, f, r.Search))
	}
	if t.Multi != nil {
		return q
	}
	count := t.unused("rowCount")
	q.Columns = append(q.Columns, query.Column{Expr: &query.Call{Func: "count", Star: true}, Alias: count, Text: "count(*)"})
	q.OrderBy = []query.Order{{Expr: &query.Ref{Name: count}, Desc: true}}
	return q
}

// unused returns a name that no field of the model has.
func (m seen) unused(name string) string {
	for m.Field(name) != nil {
		name += "_"
	}
	return name
}

// searched is the condition that a value, or what the dictionary says of its code, contains the text.
func searched(m seen, f *semantic.Field, text string) query.Condition {
	either := &query.Logic{Op: query.AnyOf, Path: "search"}
	if f.Type.Kind == value.String || m.grant.Field(f) != access.Visible {
		either.Conds = append(either.Conds, &query.Compare{
			Field: &query.Ref{Name: f.Name}, Op: query.Contains, Value: query.Scalar{Kind: query.StringLiteral, Text: text}, Path: "search",
		})
	}
	coded := f
	if f.Role == semantic.CodeLabel {
		coded = f.Of
	}
	if f.Dictionary != nil && m.grant.Field(coded) == access.Visible {
		either.Conds = append(either.Conds, &query.Compare{
			Field: &query.Ref{Name: coded.Name}, Op: query.InList, Value: codesWith(f.Dictionary, text), Path: "search",
		})
	}
	return either
}

// codesWith returns the codes whose label or synonyms contain a text.
func codesWith(d *semantic.Dictionary, text string) query.List {
	codes := query.List{}
	text = strings.ToLower(text)
	for _, e := range d.Entries {
		for _, word := range append([]string{e.Label}, e.Synonyms...) {
			if strings.Contains(strings.ToLower(word), text) {
				codes = append(codes, query.Scalar{Kind: query.StringLiteral, Text: e.Code})
				break
			}
		}
	}
	return codes
}

// aboutField moves the path of a refusal to the argument that names the field, where the query's own place means nothing
// to the caller.
func aboutField(err error) error {
	f := fault.As(err)
	if f.Path == "" || f.Path == "search" || strings.HasPrefix(f.Path, "slice") || f.Kind == fault.NotFound {
		return err
	}
	moved := *f
	moved.Path = "field"
	return &moved
}

func measureHasNoValues(name string) error {
	e := fault.Invalidf("not_an_attribute", "field", "%s is a measure: its values are computed, not listed", name)
	e.Got, e.Hint = name, "query it, grouped by a field or with min and max"
	return e
}

func searchesTexts(name string, t value.Type) error {
	e := fault.Invalidf("not_searchable", "search", "search looks in texts, and %s is of type %s", name, t.Name())
	e.Got, e.Hint = name, "leave search out to see its range, and filter with =, [] or >= in a query"
	return e
}

func zeroByte() error { return fault.Invalidf("bad_value", "search", "search has a zero byte in it") }
