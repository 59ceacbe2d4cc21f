package compile_test

import (
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/compile/reuse"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// rolled is a rollup of a model that stands in the table kept.
func rolled(t *testing.T, m *semantic.Model, dimensions []string, measures []string, times ...semantic.RollupTime) compile.Rollup {
	t.Helper()
	r := &semantic.Rollup{Name: "r", Times: times}
	for _, name := range dimensions {
		r.Dimensions = append(r.Dimensions, m.Field(name))
	}
	for _, name := range measures {
		r.Measures = append(r.Measures, m.Field(name).Measure)
	}
	d, err := reuse.Define(m, r, clock)
	if err != nil {
		t.Fatal(err)
	}
	return compile.Rollup{Definition: d, Source: semantic.Source{Table: "kept"}, Dialect: dialect.DuckDB()}
}

// answers reports whether a payload is answered from a rollup.
func answers(t *testing.T, m *semantic.Model, g access.Grant, d dialect.Dialect, payload string, r compile.Rollup) bool {
	t.Helper()
	q, err := decode([]byte(payload))
	if err != nil {
		t.Fatal(payload, err)
	}
	c, err := compile.Query(compile.Request{Model: m, Query: q, Grant: g, Dialect: d, Limits: limits, Now: clock, Rollups: []compile.Rollup{r}})
	if err != nil {
		t.Fatal(payload, err)
	}
	return c.Rollup != nil
}

// TestRollupAnswers holds what is answered from a rollup of months, and what is not: whatever it cannot tell exactly.
func TestRollupAnswers(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m,
		[]string{"customer$id", "customer$tier", "channel", "status", "product.category$caption", "day$yearMonth"},
		[]string{"amount", "cost", "unitPrice", "peak", "lines", "paidLines", "paidAmount", "margin", "buyers", "perBuyer"},
		semantic.RollupTime{Field: m.Field("placedAt"), Grain: semantic.Month}, semantic.RollupTime{Field: m.Field("day$caption"), Grain: semantic.Month},
	)
	for payload, want := range map[string]bool{
		`{"columns": ["channel", "amount"], "groupBy": ["channel"]}`:                                                                                                    true,
		`{"columns": ["amount", "lines", "count(*) as n", "margin", "buyers", "perBuyer", "unitPrice"], "groupBy": []}`:                                                 true,
		`{"columns": ["avg(amount) as a", "count(amount) as n", "max(amount) as m"], "groupBy": ["status"]}`:                                                            true, // peak is the greatest of the same column
		`{"columns": ["customer$tier$caption", "amount"], "groupBy": ["customer$tier$caption"]}`:                                                                        true, // the code tells its label
		`{"columns": ["productCategory$caption", "sum(if(channel = 'web', amount, 0)) as web"]}`:                                                                        true,
		`{"columns": ["countd(customer$id) as n", "max(channel) as c", "count(status) as s"]}`:                                                                          true,
		`{"columns": ["channel"], "distinct": true}`:                                                                                                                    true,
		`{"columns": ["placedAt$year", "placedAt$quarter", "placedAt$month", "amount"], "groupBy": ["placedAt$year", "placedAt$quarter", "placedAt$month"]}`:            true,
		`{"columns": ["amount"], "groupBy": ["day$yearMonth"], "slice": [{"field": "day$caption", "op": "[)", "value": ["2024-01-01", "2024-04-01"]}]}`:                 true,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "day$caption", "op": "<=", "value": "2024-03-31"}]}`:                                       true,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "placedAt", "op": "=", "value": "2024-Q1"}]}`:                                              true,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "placedAt", "op": "is null"}]}`:                                                            true,
		`{"columns": ["channel", "amount"], "groupBy": ["channel"], "having": [{"field": "cost", "op": ">", "value": 1}], "orderBy": ["-margin"], "returnTotal": true}`: true,
		`{"columns": ["channel", "amount"], "groupBy": ["channel"], "topN": {"by": "amount desc", "n": 2, "others": true}}`:                                             true,
		`{"columns": ["channel", "status", "amount"], "groupBy": ["channel", "status"], "withSubtotals": true}`:                                                         true,
		`{"columns": ["channel", "amount", "rank() over (order by amount desc) as r"], "groupBy": ["channel"]}`:                                                         true,
		`{"columns": ["amount"], "timeWindow": {"field": "day", "grain": "quarter", "comparison": "yoy", "range": "2024"}}`:                                             true,

		`{"columns": ["channel", "amount"]}`: false, // rows
		`{}`:                                 false,
		`{"columns": ["orderNo", "amount"], "groupBy": ["orderNo"]}`:                                                                            false, // not kept
		`{"columns": ["customer$caption", "amount"], "groupBy": ["customer$caption"]}`:                                                          false,
		`{"columns": ["channel", "qty"], "groupBy": ["channel"]}`:                                                                               false,
		`{"columns": ["channel", "midPrice"], "groupBy": ["channel"]}`:                                                                          false, // a median has no parts
		`{"columns": ["channel", "spread"], "groupBy": ["channel"]}`:                                                                            false,
		`{"columns": ["channel", "weight"], "groupBy": ["channel"]}`:                                                                            false, // not exact
		`{"columns": ["channel", "group_concat(status) as s"], "groupBy": ["channel"]}`:                                                         false,
		`{"columns": ["sum(amount * 2) as d"], "groupBy": ["channel"]}`:                                                                         false,
		`{"columns": ["sum(if(channel = 'web', amount, 1)) as d"]}`:                                                                             false,
		`{"columns": ["sum(if(orderNo = 'x', amount, 0)) as d"]}`:                                                                               false,
		`{"columns": ["min(amount) as d"]}`:                                                                                                     false,
		`{"columns": ["countd(orderNo) as d"]}`:                                                                                                 false,
		`{"columns": ["amount"], "groupBy": ["placedAt$date"]}`:                                                                                 false, // finer than a month
		`{"columns": ["amount"], "groupBy": ["placedAt$week"]}`:                                                                                 false,
		`{"columns": ["amount"], "groupBy": ["day$caption"]}`:                                                                                   false,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "day$caption", "op": ">=", "value": "2024-01-15"}]}`:               false,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "day$caption", "op": "<=", "value": "2024-03-30"}]}`:               false,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "placedAt", "op": ">", "value": "2024-03-01T00:00:00"}]}`:          false,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "placedAt", "op": "=", "value": "2024-W05"}]}`:                     false,
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "amount", "op": ">", "value": 5}]}`:                                false, // of rows
		`{"columns": ["amount"], "groupBy": ["channel"], "slice": [{"field": "orderNo", "op": "=", "value": "x"}]}`:                             false,
		`{"columns": ["amount"], "groupBy": ["channel"], "having": [{"field": "qty", "op": ">", "value": 5}]}`:                                  false,
		`{"columns": ["amount"], "groupBy": ["channel"], "orderBy": ["qty"]}`:                                                                   false,
		`{"columns": ["amount"], "timeWindow": {"field": "day", "grain": "month", "comparison": "yoy", "range": ["2024-01-01", "2024-02-14"]}}`: false,
		`{"columns": ["channel", "orderNo"], "distinct": true}`:                                                                                 false,
	} {
		if got := answers(t, m, access.For(access.Identity{}, m), dialect.Postgres(dialect.PostgresServer{}), payload, r); got != want {
			t.Errorf("%s: answered from the rollup: %v", payload, got)
		}
	}
}

// TestRollupUnderGrant: a policy that needs a field that is not kept is not answered from the rollup; one that does not
// is, and its condition is in the statement.
func TestRollupUnderGrant(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m, []string{"channel", "status", "customer$id"}, []string{"amount", "lines", "paidAmount"})
	payload := `{"columns": ["channel", "amount"], "groupBy": ["channel"]}`
	row := func(field string) semantic.Policy {
		return semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{
			Field: m.Field(field), Op: query.Equal, Values: query.List{{Kind: query.StringLiteral, Text: "A"}},
		}}}}
	}
	for name, c := range map[string]struct {
		policy  semantic.Policy
		payload string
		want    bool
	}{
		"a rule on a kept field":          {row("status"), payload, true},
		"a rule on another":               {row("orderNo"), payload, false},
		"a rule on a dimension's field":   {row("customer$tier"), payload, false},
		"a mask of a kept field":          {semantic.Policy{Fields: []semantic.FieldRule{{Mask: []semantic.MaskedField{{Field: m.Field("channel"), Mask: semantic.MaskFirst}}}}}, payload, true},
		"a hidden field beside":           {semantic.Policy{Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("cost")}}}}, payload, true},
		"groups of kept members":          {semantic.Policy{MinGroup: []semantic.MinGroup{{Of: m.Field("customer$id"), N: 5}}}, payload, true},
		"groups of members of another":    {semantic.Policy{MinGroup: []semantic.MinGroup{{Of: m.Field("orderNo"), N: 5}}}, payload, false},
		"a filtered measure, members too": {semantic.Policy{MinGroup: []semantic.MinGroup{{Of: m.Field("customer$id"), N: 5}}}, `{"columns": ["paidAmount"], "groupBy": ["channel"]}`, false}, // its filter needs a tier
	} {
		ruled := *m
		ruled.Access = &c.policy
		g := access.For(access.Identity{}, &ruled)
		if got := answers(t, m, g, dialect.Postgres(dialect.PostgresServer{}), c.payload, r); got != c.want {
			t.Errorf("%s: answered from the rollup: %v", name, got)
		}
	}
}

// TestRollupNotExact: what is not exact is answered from a rollup only by the engine that would answer it from the rows.
func TestRollupNotExact(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m, []string{"channel"}, []string{"amount"})
	payload := `{"columns": ["channel", "sqrt(sum(amount)) as s"], "groupBy": ["channel"]}`
	g := access.For(access.Identity{}, m)
	if !answers(t, m, g, dialect.DuckDB(), payload, r) {
		t.Error("not answered by the same engine")
	}
	if answers(t, m, g, dialect.Postgres(dialect.PostgresServer{}), payload, r) {
		t.Error("answered by another engine")
	}
}

// TestRollupZones: the days of a zone are those of its clock, whatever UTC says, and a clock that steps back over
// midnight divides nothing.
func TestRollupZones(t *testing.T) {
	m := shop(t)["Log"]
	for zone, cases := range map[string]map[string]bool{
		"Europe/Berlin":     {"2024-04-01": true, "2024-03-31": true, "2024-03-31T10:00:00": false, "2024-03-30T23:00:00Z": true, "2024-03-31T00:00:00Z": false},
		"America/Sao_Paulo": {"2018-11-04": true},                      // midnight is skipped: the day begins at 01:00
		"America/St_Johns":  {"2005-10-30": false, "2005-10-29": true}, // at 00:01 the clock went back to 23:01
	} {
		loaded, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		there := *m
		there.Calendar.Zone = loaded
		r := rolled(t, &there, nil, []string{"entries"}, semantic.RollupTime{Field: m.Field("at"), Grain: semantic.Day})
		for bound, want := range cases {
			payload := `{"columns": ["entries"], "slice": [{"field": "at", "op": ">=", "value": "` + bound + `"}]}`
			if got := answers(t, &there, access.For(access.Identity{}, &there), dialect.Postgres(dialect.PostgresServer{}), payload, r); got != want {
				t.Errorf("%s from %s: answered from the rollup: %v", zone, bound, got)
			}
		}
	}
}

// TestRollupStatement shows a statement over a rollup beside its definition: what was counted is added up.
func TestRollupStatement(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m, []string{"channel"}, []string{"amount", "lines"}, semantic.RollupTime{Field: m.Field("placedAt"), Grain: semantic.Month})
	q, err := decode([]byte(`{"columns": ["placedAt$year", "lines"], "groupBy": ["placedAt$year"], "slice": [{"channel": "web"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	req := request(m, q, dialect.Postgres(dialect.PostgresServer{}))
	req.Rollups = []compile.Rollup{r}
	c, err := compile.Query(req)
	if err != nil {
		t.Fatal(err)
	}
	want := `SELECT g."k0" AS c0, g."a0" AS c1 FROM (SELECT r."r0" AS k0, CASE WHEN ABS(SUM(CAST(r."r1" AS DOUBLE))) >= 9e37 THEN error('numeric overflow') ELSE SUM(r."r1") END AS a0 FROM (SELECT YEAR(t0."k1") AS r0, t0."p2" AS r1 FROM "kept" AS t0 WHERE (t0."k0" = ?)) AS r GROUP BY r."r0") AS g ORDER BY c0 NULLS LAST LIMIT ?`
	if c.Page.SQL != want {
		t.Errorf("the statement is\n%s", c.Page.SQL)
	}
	built, err := compile.All(r.Definition.Build(), dialect.Postgres(dialect.PostgresServer{}))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(built.Columns); got != 5 { // channel, month; rows, sum and count of amount
		t.Errorf("%d columns: %s", got, built.Statement.SQL)
	}
}

// TestRollupKeys: outside of aggregates a group has nothing but its keys, also where the rollup keeps the same time twice.
func TestRollupKeys(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m, []string{"placedAt", "status"}, []string{"amount"}, semantic.RollupTime{Field: m.Field("placedAt"), Grain: semantic.Year})
	for _, payload := range []string{
		`{"columns": ["placedAt", "amount"], "groupBy": ["placedAt"], "having": [{"field": "placedAt", "op": "is not null"}]}`,
		`{"columns": ["placedAt", "amount", "year(placedAt) as y"], "groupBy": ["placedAt"], "orderBy": ["placedAt$year"]}`,
		`{"columns": ["placedAt$year", "amount"], "groupBy": ["placedAt$year"], "having": [{"field": "placedAt$year", "op": ">", "value": 2020}], "returnTotal": true}`,
		`{"columns": ["status$caption", "amount"], "groupBy": ["status", "status$caption"], "having": [{"field": "status", "op": "!=", "value": "PAID"}]}`,
	} {
		if !answers(t, m, access.For(access.Identity{}, m), dialect.DuckDB(), payload, r) {
			t.Errorf("%s is not answered from the rollup", payload)
		}
	}
}

// TestRollupJoins: a rollup joins nothing, so nothing is left to be checked when it is read.
func TestRollupJoins(t *testing.T) {
	m := shop(t)["Sales"]
	r := rolled(t, m, []string{"customer$tier"}, []string{"amount"})
	q, err := decode([]byte(`{"columns": ["customer$tier", "amount"], "groupBy": ["customer$tier"]}`))
	if err != nil {
		t.Fatal(err)
	}
	req := request(m, q, dialect.DuckDB())
	for want, rollups := range map[int][]compile.Rollup{1: nil, 0: {r}} {
		req.Rollups = rollups
		if c, err := compile.Query(req); err != nil || len(c.Joins) != want {
			t.Errorf("with %d rollups: %v %v", len(rollups), c, err)
		}
	}
}
