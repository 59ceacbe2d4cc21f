package service

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

const (
	suggestedTop  = 5
	suggestedRows = 10
	suggestedWide = 5 // columns of rows
)

// topMembers asks for the members of a dimension that have most of a measure.
func topMembers(m seen) *Example {
	by, measure := m.member(), m.measure()
	if by == nil || measure == nil {
		return nil
	}
	q := groupedBy(by, query.Column{Expr: &query.Ref{Name: measure.Name}, Text: measure.Name})
	q.OrderBy = []query.Order{{Expr: &query.Ref{Name: measure.Name}, Desc: true}}
	q.Paging.Limit = int64Of(suggestedTop)
	return &Example{Question: fmt.Sprintf("%s by %s, the largest %d", measure.Caption, lowered(by.Caption), suggestedTop), Payload: q.JSON()}
}

// overTime asks for a measure month by month.
func overTime(m seen) *Example {
	by, measure := m.months(), m.measure()
	if by == nil || measure == nil {
		return nil
	}
	q := groupedBy(by, query.Column{Expr: &query.Ref{Name: measure.Name}, Text: measure.Name})
	q.OrderBy = []query.Order{{Expr: &query.Ref{Name: by.Name}}}
	return &Example{Question: measure.Caption + " by " + lowered(by.Caption), Payload: q.JSON()}
}

// countsOf asks how many rows there are of each kind.
func countsOf(m seen) *Example {
	by := m.member()
	if by == nil {
		return nil
	}
	q := groupedBy(by, query.Column{Expr: &query.Call{Func: "count", Star: true}, Alias: "n", Text: "count(*)"})
	q.OrderBy = []query.Order{{Expr: &query.Ref{Name: "n"}, Desc: true}}
	return &Example{Question: "How many rows for each " + lowered(by.Caption), Payload: q.JSON()}
}

// firstRows asks for some rows as they are.
func firstRows(m seen) *Example {
	q := &query.Query{}
	for _, f := range m.fields {
		if len(q.Columns) < suggestedWide && !f.Derived && m.grant.Field(f) == access.Visible && f.Role != semantic.ID {
			q.Columns = append(q.Columns, query.Column{Expr: &query.Ref{Name: f.Name}, Text: f.Name})
		}
	}
	if len(q.Columns) == 0 {
		return nil
	}
	q.Paging.Limit = int64Of(suggestedRows)
	return &Example{Question: fmt.Sprintf("The first %d rows", suggestedRows), Payload: q.JSON()}
}

func groupedBy(by *semantic.Field, value query.Column) *query.Query {
	return &query.Query{
		Columns: []query.Column{{Expr: &query.Ref{Name: by.Name}, Text: by.Name}, value},
		GroupBy: []query.Group{{Field: by.Name}},
	}
}

// member returns the field that groups are best made by: a coded attribute, else a dimension's name, else any text.
func (m seen) member() *semantic.Field {
	var label, other *semantic.Field
	for _, f := range m.fields {
		if m.grant.Field(f) != access.Visible || f.Derived || f.Type.Kind != value.String {
			continue
		}
		switch {
		case f.Dictionary != nil:
			return f
		case f.Role == semantic.Label && label == nil:
			label = f
		case other == nil && f.Role == semantic.Plain && (f.Dimension != nil || len(m.Dimensions) == 0):
			other = f
		}
	}
	if label != nil {
		return label
	}
	return other
}

// measure returns the measure that is added up most plainly.
func (m seen) measure() *semantic.Field {
	var best *semantic.Field
	for _, f := range m.fields {
		if f.Measure == nil || m.grant.Field(f) != access.Visible {
			continue
		}
		if ms := origin(f.Measure); ms.SemiAdd == nil && (ms.Agg == semantic.Sum || ms.Agg == semantic.Count) {
			return f
		}
		if best == nil {
			best = f
		}
	}
	return best
}

// months returns the field of the model's time that names months with their years, if the caller sees one.
func (m seen) months() *semantic.Field {
	for _, f := range m.fields {
		if m.grant.Field(f) != access.Visible {
			continue
		}
		if f.Role == semantic.TimeGrain && f.Grain == semantic.Month && f.Of.Name == m.Time {
			return f
		}
		if f.Dimension != nil && f.Dimension.Date && f.Role == semantic.Plain && strings.HasSuffix(strings.ToLower(f.Name), "$yearmonth") {
			return f
		}
	}
	return nil
}

// lowered returns a caption within a sentence: its first letter small, unless it is an abbreviation.
func lowered(caption string) string {
	first, size := utf8.DecodeRuneInString(caption)
	if second, _ := utf8.DecodeRuneInString(caption[size:]); unicode.IsUpper(second) {
		return caption
	}
	return string(unicode.ToLower(first)) + caption[size:]
}

func int64Of(n int64) *int64 { return &n }
