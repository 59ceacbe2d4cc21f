package execute

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/service"
)

// unlikeDuckDB holds an answer for which the evaluator has none to that of DuckDB.
func (p *pipeline) unlikeDuckDB(ctx context.Context, model *semantic.Model, payload string) (outcome, string) {
	if p.engine.name == "duckdb" {
		return leftOut, ""
	}
	twin, err := p.beside(ctx)
	if err != nil {
		return differed, "duckdb is not opened: " + err.Error()
	}
	theirs, _ := twin.told(ctx, model.Name, payload)
	ours, texts := p.told(ctx, model.Name, payload)
	if overflows(theirs) != overflows(ours) || alike(theirs, ours) { // between two steps engines differ in how many digits they have
		return leftOut, ""
	}
	return differed, fmt.Sprintf("the answer is not duckdb's\nduckdb: %.3000s\n%s: %.3000s\n%s", theirs, p.engine.name, ours, strings.Join(texts, "\n"))
}

func overflows(answer string) bool { return strings.HasPrefix(answer, "refused numeric_overflow") }

// told is the answer to a payload as text, or the reason of a refusal.
func (p *pipeline) told(ctx context.Context, model, payload string) (string, []string) {
	q, err := decode(payload)
	if err != nil {
		return "unread " + err.Error(), nil
	}
	a, err := p.run(ctx, model, q)
	if err != nil {
		f := fault.As(err)
		return fmt.Sprintf("refused %s %v", f.Reason, f.Cause), nil
	}
	defer a.Release()
	return answerText(a), a.SQL
}

func answerText(a *service.Answer) string {
	return fmt.Sprintf("%s %d %s", a.Items, a.Total, a.TotalData)
}

// alike reports whether two answers are the same but for the last digits of doubles, or two refusals for one reason.
func alike(a, b string) bool {
	if strings.HasPrefix(a, "refused") && strings.HasPrefix(b, "refused") {
		return strings.Fields(a)[1] == strings.Fields(b)[1]
	}
	x, y := strings.FieldsFunc(a, separator), strings.FieldsFunc(b, separator)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		f, err := strconv.ParseFloat(x[i], 64)
		g, err2 := strconv.ParseFloat(y[i], 64)
		if err != nil || err2 != nil || math.Abs(f-g) > 1e-9*max(1, math.Abs(f)) || max(len(x[i]), len(y[i])) < 15 {
			return false
		}
	}
	return true
}

func separator(r rune) bool { return strings.ContainsRune("[]{},: ", r) }
