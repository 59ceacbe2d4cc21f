package execute

import (
	"context"
	"errors"
	"fmt"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/test/evaluate"
)

// summaryOf asks for a few measures under the filters of a query.
func summaryOf(d dice, m *semantic.Model, asked payload) *query.Query {
	q := &query.Query{}
	for _, f := range some(d, 1, 4, m.Measures) {
		q.Columns = append(q.Columns, query.NewColumn(&query.Ref{Name: f.Name}, ""))
	}
	if filtered, err := decode(asked.String()); err == nil && !usesNames(asked["slice"]) {
		q.Slice = filtered.Slice
	}
	return q
}

// summaryDiffers asks for a summary (queryKpi), and says in what it is not the evaluator's totals.
func (p *pipeline) summaryDiffers(ctx context.Context, m *semantic.Model, q *query.Query) string {
	totalled := *q
	totalled.ReturnTotal = true
	want, err := p.expected(m, &totalled)
	var unclear *evaluate.Unclear
	if errors.As(err, &unclear) {
		return ""
	}
	got, failed := p.service.Summarize(ctx, service.Caller{}, service.Summary{Model: m.Name, Columns: q.Columns, Slice: q.Slice})
	switch {
	case failed != nil && p.engine.lack(fault.As(failed).Message) != "":
		return ""
	case failed != nil && fault.As(failed).Reason == "not_a_measure" && !allMeasures(m, q):
		return ""
	case (err != nil) != (failed != nil):
		return fmt.Sprintf("queryKpi %s: the pipeline says %v, the evaluator %v", q.JSON(), failed, err)
	case err != nil:
		return ""
	}
	rows, err := readRows([]byte("[" + string(got) + "]"))
	if err != nil || len(rows[0]) != len(want.Totals) {
		return fmt.Sprintf("queryKpi %s: got %s, not %v", q.JSON(), got, want.Totals)
	}
	for i, c := range rows[0] {
		t := want.Totals[i]
		if c.key != want.Columns[i].Key || !same(c.text, t.Value, true, m.Calendar.Zone) {
			return fmt.Sprintf("queryKpi %s: %s is %s, not %s", q.JSON(), c.key, c.text, t.Value.JSON(true, m.Calendar.Zone))
		}
	}
	return ""
}

// allMeasures reports whether a summary names measures or aggregates, and nothing else.
func allMeasures(m *semantic.Model, q *query.Query) bool {
	for _, c := range q.Columns {
		if ref, ok := c.Expr.(*query.Ref); ok {
			if f := m.Field(ref.Name); f == nil || f.Measure == nil {
				return false
			}
		}
	}
	return len(q.Columns) > 0
}
