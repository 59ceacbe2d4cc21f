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

// summaryDiffers asks for the summary of a few measures under the filters of a query (queryKpi), and says in what it is
// not the evaluator's totals.
func (p *pipeline) summaryDiffers(ctx context.Context, d dice, data *evaluate.Data, m *semantic.Model, asked payload) string {
	q := &query.Query{ReturnTotal: true}
	for _, f := range some(d, 1, 4, m.Measures) {
		q.Columns = append(q.Columns, query.NewColumn(&query.Ref{Name: f.Name}, ""))
	}
	if filtered, err := decode(asked.String()); err == nil && !usesNames(asked["slice"]) {
		q.Slice = filtered.Slice
	}
	want, err := p.expected(data, m, q)
	var unclear *evaluate.Unclear
	if errors.As(err, &unclear) {
		return ""
	}
	got, failed := p.service.Summarize(ctx, service.Caller{}, service.Summary{Model: m.Name, Columns: q.Columns, Slice: q.Slice})
	switch {
	case failed != nil && fault.As(failed).Reason == "unsupported_by_datasource":
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
		if c.key != t.Key || !same(c.text, t.Value, true, m.Calendar.Zone) {
			return fmt.Sprintf("queryKpi %s: %s is %s, not %s", q.JSON(), c.key, c.text, t.Value.JSON(true, m.Calendar.Zone))
		}
	}
	return ""
}
