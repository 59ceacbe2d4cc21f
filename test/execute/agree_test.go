package execute

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
	"parlance/test/evaluate"
)

// outcome is how the pipeline and the evaluator stand to each other over one query.
type outcome uint8

const (
	agreed      outcome = iota
	agreedEmpty         // on no rows
	refused
	leftOut     // the documents do not decide, or the evaluator does not say; DuckDB answers the same
	unsupported // the database has not what the query needs, and says so as the documents do
	differed
)

// judge runs a payload on both sides. When they differ, why says in what, and both answers are written.
func (p *pipeline) judge(ctx context.Context, model *semantic.Model, payload string) (outcome, string) {
	q, err := decode(payload)
	if err != nil {
		return differed, "the payload is not read: " + err.Error()
	}
	if known(model, q) {
		return leftOut, ""
	}
	got, failed := p.run(ctx, model.Name, q)
	if failed == nil {
		defer got.Release()
	}
	want, err := p.expected(model, q)
	var unclear *evaluate.Unclear
	var refusal *evaluate.Refusal
	switch {
	case failed != nil && fault.As(failed).Kind != fault.Invalid:
		return differed, "the pipeline failed: " + failed.Error()
	case failed != nil && p.engine.lack(fault.As(failed).Message) != "":
		return unsupported, ""
	case errors.As(err, &unclear):
		return p.unlikeDuckDB(ctx, model, payload)
	case errors.As(err, &refusal) && failed != nil:
		return refused, ""
	case errors.As(err, &refusal):
		return differed, fmt.Sprintf("the evaluator refuses (%v), the pipeline answers %s", err, written(got))
	case err != nil:
		return differed, "the evaluator failed: " + err.Error()
	case failed != nil:
		return differed, fmt.Sprintf("the pipeline refuses (%s: %v), the evaluator answers %s", fault.As(failed).Reason, failed, want.text(model))
	}
	if why := want.differs(got, model.Calendar.Zone); why != "" {
		return differed, fmt.Sprintf("%s\npipeline:  %s\nevaluator: %s\n%s", why, written(got), want.text(model), strings.Join(got.SQL, "\n"))
	}
	if len(want.All) == 0 {
		return agreedEmpty, ""
	}
	return agreed, ""
}

// expectation is the evaluator's answer.
type expectation struct{ *evaluate.Answer }

func (p *pipeline) expected(model *semantic.Model, q *query.Query) (expectation, error) {
	today, err := time.Parse("2006-01-02", model.Calendar.Today.Fixed)
	if err != nil {
		return expectation{}, err
	}
	a, err := evaluate.Run(evaluate.Input{Model: model, Data: p.data, Query: q, Today: today, DefaultRows: defaultRows})
	return expectation{a}, err
}

// differs says in what the pipeline's answer is not the expected one, or returns "".
func (e expectation) differs(got *service.Answer, zone *time.Location) string {
	if got.Total != e.Total {
		return fmt.Sprintf("total is %d, not %d", got.Total, e.Total)
	}
	rows, err := readRows(got.Items)
	if err != nil {
		return err.Error()
	}
	if len(rows) != len(e.Rows) {
		return fmt.Sprintf("%d rows, not %d", len(rows), len(e.Rows))
	}
	for i, row := range rows {
		if len(row) != len(e.Columns) {
			return fmt.Sprintf("row %d has %d cells, not %d", i, len(row), len(e.Columns))
		}
		for j, c := range e.Columns {
			if row[j].key != c.Key {
				return fmt.Sprintf("row %d: cell %d is called %s, not %s", i, j, row[j].key, c.Key)
			}
			if want := e.Rows[i][j]; !same(row[j].text, want, c.Measure, zone) {
				return fmt.Sprintf("row %d: %s is %s, not %s", i, c.Key, row[j].text, want.JSON(c.Measure, zone))
			}
			if t := got.Columns[min(j, len(got.Columns)-1)].Type; j < len(got.Columns) && !digits(row[j].text, t) {
				return fmt.Sprintf("row %d: %s is %s, which is not written as its type %s of %d digits says", i, c.Key, row[j].text, t.Name(), t.Scale)
			}
		}
	}
	return e.totalsDiffer(got, zone)
}

func (e expectation) totalsDiffer(got *service.Answer, zone *time.Location) string {
	if e.Totals == nil || got.TotalData == nil {
		if (e.Totals == nil) != (got.TotalData == nil) {
			return fmt.Sprintf("totals are %s, not %v", got.TotalData, e.Totals)
		}
		return ""
	}
	rows, err := readRows([]byte("[" + string(got.TotalData) + "]"))
	if err != nil {
		return err.Error()
	}
	want := append([]evaluate.Total{{Key: "total", Value: evaluate.Int(e.Total)}}, e.Totals...)
	if len(rows[0]) != len(want) {
		return fmt.Sprintf("totals are %s, not %d values", got.TotalData, len(want))
	}
	for i, c := range rows[0] {
		if c.key != want[i].Key || !same(c.text, want[i].Value, true, zone) {
			return fmt.Sprintf("the total %s is %s, not %s %s", c.key, c.text, want[i].Key, want[i].Value.JSON(true, zone))
		}
	}
	return ""
}

// same reports whether a cell of JSON is a value: numbers by size, doubles within decision 55's bound.
func same(got string, want evaluate.Value, measure bool, zone *time.Location) bool {
	switch {
	case want.Kind == value.Float && got != "null":
		f, err := strconv.ParseFloat(got, 64)
		return err == nil && math.Abs(f-want.F) <= 1e-9*max(1, math.Abs(want.F))
	case want.Num != nil && got != "null":
		text := strings.Trim(got, `"`)
		quoted := got != text
		r, ok := new(big.Rat).SetString(text)
		return ok && r.Cmp(want.Num) == 0 && quoted == strings.HasPrefix(want.JSON(measure, zone), `"`)
	case want.Kind == value.String && got != "null":
		var text string
		return json.Unmarshal([]byte(got), &text) == nil && text == want.Text
	}
	return got == want.JSON(measure, zone)
}

// digits reports whether an exact number has the digits after the point that its type says.
func digits(text string, t value.Type) bool {
	text = strings.Trim(text, `"`)
	if !t.Exact() || text == "null" {
		return true
	}
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction) == int(t.Scale)
}

// cell is one member of a row.
type cell struct{ key, text string }

// readRows reads an array of flat objects, members in their order.
func readRows(items []byte) ([][]cell, error) {
	var objects []json.RawMessage
	if err := json.Unmarshal(items, &objects); err != nil {
		return nil, fmt.Errorf("%w in %s", err, items)
	}
	rows := make([][]cell, len(objects))
	for i, object := range objects {
		d := json.NewDecoder(bytes.NewReader(object))
		if _, err := d.Token(); err != nil {
			return nil, err
		}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			var text json.RawMessage
			if err := d.Decode(&text); err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			rows[i] = append(rows[i], cell{key.(string), string(text)})
		}
	}
	return rows, nil
}

func written(a *service.Answer) string {
	return fmt.Sprintf("%s total %d totals %s", a.Items, a.Total, a.TotalData)
}

func (e expectation) text(m *semantic.Model) string {
	var b strings.Builder
	for _, row := range e.Rows {
		for j, c := range e.Columns {
			fmt.Fprintf(&b, "%s=%s ", c.Key, row[j].JSON(c.Measure, m.Calendar.Zone))
		}
		b.WriteString("; ")
	}
	fmt.Fprintf(&b, "total %d totals", e.Total)
	for _, t := range e.Totals {
		fmt.Fprintf(&b, " %s=%s", t.Key, t.Value.JSON(true, m.Calendar.Zone))
	}
	return b.String()
}
