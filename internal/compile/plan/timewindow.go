package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/value"
)

const (
	periodsAlias = "p"
	periodLabel  = "label"
)

// timed groups the rows by period twice: over each period's own stretch of time and over the one beside it. A row
// counts in every period whose stretch holds it, so any measure is taken from base rows. Without further keys every
// period of the range has a row.
func timed(q *resolve.Query, keys []resolve.Expr) grouper {
	u := &union{keys: len(keys), partOf: func(a *resolve.Agg) int { return a.Part }}
	for part := range 2 {
		r := newRows(q.Model)
		r.count(q.Time, part)
		u.parts = append(u.parts, newGroups(r, q.Rows, keys))
	}
	if len(keys) == 1 {
		u.spine = spine(q.Time)
	}
	return u
}

// count joins the periods whose stretch holds the row's time.
func (r *rows) count(t *resolve.TimeWindow, part int) {
	names := []string{periodLabel, "since", "until"}
	v := Values{Alias: periodsAlias, Columns: names}
	for _, p := range t.Periods {
		if s := p.Spans[part]; s != (resolve.Span{}) {
			v.Rows = append(v.Rows, []resolve.Literal{resolve.Text(p.Label), s.From, s.To})
		}
	}
	if len(v.Rows) == 0 {
		v.Rows = [][]resolve.Literal{{resolve.Text(""), resolve.Literal{T: t.Field.Type()}, resolve.Literal{T: t.Field.Type()}}}
	}
	at := r.bind(t.Field)
	bound := func(fn resolve.Fn, column string) resolve.Expr {
		return &resolve.Op{Fn: fn, Args: []resolve.Expr{at, resolve.Column{Rel: periodsAlias, Name: column, T: at.Type()}}, T: boolean}
	}
	r.sel.Joins = append(r.sel.Joins, Join{To: v, Required: true, If: []resolve.Expr{bound(resolve.Ge, "since"), bound(resolve.Lt, "until")}})
}

func spine(t *resolve.TimeWindow) *Select {
	v := Values{Alias: periodsAlias, Columns: []string{periodLabel}}
	for _, p := range t.Periods {
		v.Rows = append(v.Rows, []resolve.Literal{resolve.Text(p.Label)})
	}
	return &Select{From: v, Columns: []Output{{Name: keyName(0), Expr: periodColumn()}}}
}

func periodColumn() resolve.Column {
	return resolve.Column{Rel: periodsAlias, Name: periodLabel, T: value.Type{Kind: value.String}}
}
