package execute

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"parlance/internal/fault"
	"parlance/internal/service"
	"parlance/test/evaluate"
)

// TestEnginesAgree asks random queries of the engine that PARLANCE_ENGINE names and of DuckDB, which must give the
// same answers, also where the evaluator has none.
func TestEnginesAgree(t *testing.T) {
	if chosen() == "duckdb" {
		t.Skip("PARLANCE_ENGINE names no other engine")
	}
	queries := setting(t, "PARLANCE_QUERIES", 1000)
	first := setting(t, "PARLANCE_SEED", rand.Uint64()>>1)
	worlds, failures := (queries+queriesPerWorld-1)/queriesPerWorld, 0
	counts := map[string]int{}
	for i := range worlds {
		for _, why := range newWorld(first+i).compared(t.Context(), counts) {
			t.Error(why)
			failures++
		}
		if failures >= maxFailures {
			break
		}
	}
	t.Logf("from seed %d: %v", first, counts)
}

// compared asks the queries of a world on both engines and returns where they differ.
func (w *world) compared(ctx context.Context, counts map[string]int) (differences []string) {
	var both [2]*pipeline
	defer func() {
		for _, p := range both {
			if p != nil {
				p.close()
			}
		}
	}()
	for i, name := range []string{"duckdb", chosen()} {
		p, err := openOn(ctx, name, w.tables, w.fs(), w.today)
		if err != nil {
			return []string{fmt.Sprintf("world %d on %s: %v", w.seed, name, err)}
		}
		both[i] = p
	}
	known := samples{evaluate.NewData(both[0].evaluated()), map[string][]any{}}
	for i := range uint64(queriesPerWorld) {
		d := newDice(w.seed, 1000+i)
		model := both[0].generation.ByName[pick(d, w.models)]
		query := ask(d, model, known.of(model)).String()
		var answers [2]string
		var texts []string
		for j, p := range both {
			answers[j], texts = p.told(ctx, model.Name, query)
		}
		switch {
		case missing(answers[1]):
			counts["unsupported"]++
		case overflows(answers[0]) != overflows(answers[1]):
			counts["too many digits on one"]++ // between two steps: engines differ in how many they have there
		case !alike(answers[0], answers[1]):
			differences = append(differences, fmt.Sprintf("world %d, %s %s\nduckdb: %s\n%s: %s\n%s", w.seed, model.Name, query, answers[0], chosen(), answers[1], strings.Join(texts, "\n")))
		case strings.HasPrefix(answers[0], "refused"):
			counts["refused by both"]++
		default:
			counts["same answer"]++
		}
	}
	return differences
}

// missing reports whether an engine says that it has not what a query needs.
func missing(answer string) bool {
	return strings.HasPrefix(answer, "refused unsupported_by_datasource")
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
