package compile_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parlance/internal/compile"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// marker is in every hostile text and in no model, so a statement that holds it was written by the request.
const marker = "xq7z"

var hostilePieces = []string{
	"'", `"`, "`", "''", `\`, `\'`, ";", "--", "/*", "*/", "#", "(", ")", "[", "]", ",", ".", "?", "$1", ":x", "%", "_", "{", "}", "=", "|",
	" or 1=1 ", "'; drop table sales --", `") or ("1"="1`, " union select * from customers", "${x}", "{{x}}", "\n", "\t", " ", "\u00a0",
	"’", "‘", "“", "ʼ", "＇", "＂", "\u202e", "\ufeff", "é", "名", "😀", "a", "A", "0", "e5", "sum(amount)", "status", "as", "desc", "null",
}

// hostileText draws a text that tries to leave the place where it stands.
func hostileText(t *rapid.T) string {
	pieces := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom(hostilePieces),
		rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool { return r != 0 && r != '\ufffd' }), 1, 3, -1),
	), 0, 8).Draw(t, "pieces")
	at := rapid.IntRange(0, len(pieces)).Draw(t, "at")
	return strings.Join(pieces[:at], "") + marker + strings.Join(pieces[at:], "")
}

// quoted is a text as a string of the expression language.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// slot is a place where a payload can hold a text.
type slot struct {
	name    string
	payload func(s string) map[string]any
	// bound says whether an argument holds the text; one must where the payload is accepted. nil: it is no value.
	bound func(argument, s string) bool
	model string // Sales unless it says otherwise
}

func itself(argument, s string) bool { return strings.Contains(argument, s) }

// pattern is an argument that a text is looked for with: itself, or a regular expression in the database's own form,
// which has at least a character for each of the text's.
func pattern(argument, s string) bool {
	return strings.Contains(argument, regexp.QuoteMeta(s)) || strings.Contains(argument, s) || utf8.RuneCountInString(argument) >= utf8.RuneCountInString(s)
}

// detail is a query of rows with further keys.
func detail(pairs ...any) map[string]any {
	p := map[string]any{"columns": []any{"orderNo"}}
	for i := 0; i < len(pairs); i += 2 {
		p[pairs[i].(string)] = pairs[i+1]
	}
	return p
}

func condition(field any, op string, value any) []any {
	return []any{map[string]any{"field": field, "op": op, "value": value}}
}

// calculated is a query of one calculated field.
func calculated(pairs ...any) map[string]any {
	f := map[string]any{"name": "x", "expression": "amount"}
	for i := 0; i < len(pairs); i += 2 {
		f[pairs[i].(string)] = pairs[i+1]
	}
	return detail("columns", []any{"orderNo", f["name"]}, "calculatedFields", []any{f})
}

// timed is a period comparison with one key of its own.
func timed(key string, value any) map[string]any {
	t := map[string]any{"field": "dueOn", "grain": "month", "comparison": "yoy", "range": "2024"}
	t[key] = value
	return map[string]any{"columns": []any{"status", "amount"}, "groupBy": []any{"status"}, "timeWindow": t}
}

var slots = []slot{
	{name: "value of =", payload: func(s string) map[string]any { return detail("slice", condition("status", "=", s)) }, bound: itself},
	{name: "value of !=", payload: func(s string) map[string]any { return detail("slice", condition("customer$city", "!=", s)) }, bound: itself},
	{name: "value of <", payload: func(s string) map[string]any { return detail("slice", condition("status", "<", s)) }, bound: itself},
	{name: "value in a list", payload: func(s string) map[string]any { return detail("slice", condition("status", "in", []any{"a", s, nil})) }, bound: itself},
	{name: "bound of an interval", payload: func(s string) map[string]any { return detail("slice", condition("status", "[)", []any{s, s})) }, bound: itself},
	{name: "value of like", payload: func(s string) map[string]any { return detail("slice", condition("status", "like", s)) }, bound: pattern},
	{name: "value of not left_like", payload: func(s string) map[string]any { return detail("slice", condition("status", "not left_like", s)) }, bound: pattern},
	{name: "shorthand value", payload: func(s string) map[string]any { return detail("slice", []any{map[string]any{"status": s}}) }, bound: itself},
	{name: "nested value", payload: func(s string) map[string]any {
		return detail("slice", []any{map[string]any{"$or": []any{map[string]any{"status": "a"}, map[string]any{"$not": map[string]any{"status": s}}}}})
	}, bound: itself},
	{name: "value of having", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"status", "amount"}, "groupBy": []any{"status"}, "having": condition("status", "=", s), "returnTotal": true}
	}, bound: itself},
	{name: "value of an aggregate", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"status"}, "slice": condition("max(channel)", "=", s)}
	}, bound: itself},
	{name: "string of an expression", payload: func(s string) map[string]any {
		return detail("slice", []any{map[string]any{"$expr": "status = " + quoted(s)}})
	}, bound: itself},
	{name: "string of a column", payload: func(s string) map[string]any {
		return detail("columns", []any{"concat(channel, " + quoted(s) + ") as x"})
	}, bound: itself},
	{name: "string of an aggregate", payload: func(s string) map[string]any {
		return detail("columns", []any{"sum(if(status = " + quoted(s) + ", amount, 0)) as x"}, "returnTotal", true)
	}, bound: itself},
	{name: "string of a window", payload: func(s string) map[string]any {
		return detail("columns", []any{"lag(channel, 1, " + quoted(s) + ") over (order by orderNo) as x"})
	}, bound: itself},
	{name: "string of a calculated field", payload: func(s string) map[string]any { return calculated("expression", "coalesce(channel, "+quoted(s)+")") }, bound: itself},
	{name: "value of a fact", model: "SalesPayments", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"customer$id", "amount"}, "slice": condition("customer$tier", "=", s)}
	}, bound: itself},

	{name: "number", payload: func(s string) map[string]any { return detail("slice", condition("qty", "=", s)) }},
	{name: "money", payload: func(s string) map[string]any { return detail("slice", condition("amount", ">", s)) }},
	{name: "float", payload: func(s string) map[string]any { return detail("slice", condition("score", ">", s)) }},
	{name: "boolean", payload: func(s string) map[string]any { return detail("slice", condition("rush", "=", s)) }},
	{name: "date", payload: func(s string) map[string]any { return detail("slice", condition("dueOn", "=", s)) }},
	{name: "timestamp", payload: func(s string) map[string]any { return detail("slice", condition("placedAt", "[]", []any{s, nil})) }},

	{name: "alias", payload: func(s string) map[string]any {
		return detail("columns", []any{"orderNo as " + s}, "orderBy", []any{"orderNo"})
	}},
	{name: "alias of an aggregate", payload: func(s string) map[string]any { return detail("columns", []any{"status", "sum(amount) as " + s}) }},
	{name: "calculated name", payload: func(s string) map[string]any { return calculated("name", s) }},
	{name: "caption", payload: func(s string) map[string]any { return calculated("caption", s, "description", s) }},

	{name: "column", payload: func(s string) map[string]any { return detail("columns", []any{s}) }},
	{name: "quoted column", payload: func(s string) map[string]any { return detail("columns", []any{"`" + s + "`"}) }},
	{name: "excluded column", payload: func(s string) map[string]any { return detail("exColumns", []any{s}) }},
	{name: "filter field", payload: func(s string) map[string]any { return detail("slice", condition(s, "=", 1)) }},
	{name: "shorthand field", payload: func(s string) map[string]any { return detail("slice", []any{map[string]any{s: 1}}) }},
	{name: "other field", payload: func(s string) map[string]any {
		return detail("slice", condition("status", "=", map[string]any{"$field": s}))
	}},
	{name: "operator", payload: func(s string) map[string]any { return detail("slice", condition("status", s, "a")) }},
	{name: "expression", payload: func(s string) map[string]any { return detail("slice", []any{map[string]any{"$expr": s}}) }},
	{name: "group", payload: func(s string) map[string]any { return map[string]any{"columns": []any{"amount"}, "groupBy": []any{s}} }},
	{name: "aggregation", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"amount"}, "groupBy": []any{map[string]any{"field": "amount", "agg": s}}}
	}},
	{name: "order", payload: func(s string) map[string]any { return detail("orderBy", []any{s}) }},
	{name: "order field", payload: func(s string) map[string]any { return detail("orderBy", []any{map[string]any{"field": s}}) }},
	{name: "direction", payload: func(s string) map[string]any {
		return detail("orderBy", []any{map[string]any{"field": "orderNo", "order": s}})
	}},
	{name: "nulls", payload: func(s string) map[string]any {
		return detail("orderBy", []any{map[string]any{"field": "orderNo", "nulls": s}})
	}},
	{name: "calculated expression", payload: func(s string) map[string]any { return calculated("expression", s) }},
	{name: "calculated type", payload: func(s string) map[string]any { return calculated("type", s) }},
	{name: "partition", payload: func(s string) map[string]any { return calculated("expression", "count(*)", "partitionBy", []any{s}) }},
	{name: "window order", payload: func(s string) map[string]any { return calculated("expression", "rank()", "windowOrderBy", []any{s}) }},
	{name: "window frame", payload: func(s string) map[string]any {
		return calculated("expression", "sum(qty)", "windowOrderBy", []any{"qty"}, "windowFrame", s)
	}},
	{name: "ranking", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"status"}, "groupBy": []any{"status"}, "topN": map[string]any{"by": s, "n": 1, "others": true}}
	}},
	{name: "time field", payload: func(s string) map[string]any { return timed("field", s) }},
	{name: "time range", payload: func(s string) map[string]any { return timed("range", s) }},
	{name: "time comparison", payload: func(s string) map[string]any { return timed("comparison", s) }},
	{name: "metric", payload: func(s string) map[string]any { return timed("targetMetrics", []any{s}) }},
	{name: "node of a tree", model: "Teams", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"unit$hierarchy$caption", "sold"}, "groupBy": []any{"unit$hierarchy$caption"}, "slice": condition("unit$id", "descendantsOf", s)}
	}, bound: itself},
	{name: "value beside subtotals", payload: func(s string) map[string]any {
		return map[string]any{"columns": []any{"status", "channel", "amount"}, "groupBy": []any{"status", "channel"}, "withSubtotals": true, "slice": condition("channel", "=", s)}
	}, bound: itself},
	{name: "value beside a time window", payload: func(s string) map[string]any {
		p := timed("range", "2024")
		p["slice"] = condition("status", "=", s)
		return p
	}, bound: itself},
	{name: "key", payload: func(s string) map[string]any { return detail(s, true) }},
}

// TestNoTextOfARequestReachesSQL is law 2: wherever a hostile text stands, the payload is refused as the caller's
// mistake, or the statements are those of a harmless text, with the hostile one among the arguments where it is a value.
func TestNoTextOfARequestReachesSQL(t *testing.T) {
	models := shop(t)
	for _, sl := range slots {
		t.Run(sl.name, func(t *testing.T) {
			model := models["Sales"]
			if sl.model != "" {
				model = models[sl.model]
			}
			rapid.Check(t, func(rt *rapid.T) {
				s := hostileText(rt)
				for _, d := range dialects {
					sl.mustHold(rt, model, s, d.dialect)
				}
			})
		})
	}
}

// mustHold checks the law for one text and one database.
func (sl slot) mustHold(t *rapid.T, model *semantic.Model, s string, d dialect.Dialect) {
	list, err := compiled(model, sl.payload(s), d)
	if err != nil {
		f := fault.As(err)
		if f.Kind != fault.Invalid {
			t.Fatalf("%q is our mistake: %v", s, err)
		}
		if sl.bound != nil && f.Reason != "unsupported_by_datasource" {
			t.Fatalf("the value %q is refused: %v", s, err)
		}
		return
	}
	for _, st := range list {
		mustBeClean(t, st)
	}
	if sl.bound != nil {
		mustBeBound(t, list, s, sl.bound)
		mustBeTheSame(t, list, model, sl.payload("harmless"), d)
	}
}

// compiled returns every statement that a payload becomes.
func compiled(m *semantic.Model, payload map[string]any, d dialect.Dialect) ([]sqlgen.Statement, error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	q, err := decode(data)
	if err != nil {
		return nil, err
	}
	c, err := compile.Query(request(m, q, d))
	if err != nil {
		return nil, err
	}
	list := append([]sqlgen.Statement{c.Page, c.Count}, c.Extra...)
	if c.Totals != nil {
		list = append(list, *c.Totals)
	}
	return list, nil
}

func mustBeClean(t *rapid.T, s sqlgen.Statement) {
	if strings.Contains(strings.ToLower(s.SQL), marker) {
		t.Fatalf("the text of the request is in the SQL: %s", s.SQL)
	}
	if why := malformed(s); why != "" {
		t.Fatalf("%s: %s", why, s.SQL)
	}
}

func mustBeBound(t *rapid.T, list []sqlgen.Statement, s string, within func(argument, s string) bool) {
	for _, a := range list[0].Args {
		texts, ok := a.([]string)
		if text, one := a.(string); one {
			texts, ok = []string{text}, true
		}
		if ok && slices.ContainsFunc(texts, func(text string) bool { return within(text, s) }) {
			return
		}
	}
	t.Fatalf("%q is not among the arguments %q of %s", s, list[0].Args, list[0].SQL)
}

func mustBeTheSame(t *rapid.T, list []sqlgen.Statement, m *semantic.Model, harmless map[string]any, d dialect.Dialect) {
	others, err := compiled(m, harmless, d)
	if err != nil {
		t.Fatalf("the harmless text is refused: %v", err)
	}
	for i := range list {
		if list[i].SQL != others[i].SQL {
			t.Fatalf("the value changes the SQL:\n%s\n%s", list[i].SQL, others[i].SQL)
		}
	}
}
