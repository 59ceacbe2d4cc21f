package resolve_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// guarded is the model of visits with teams in a tree, products in a snowflake, a code with labels, and a policy.
func guarded(t *testing.T, policy func(*semantic.Model) *semantic.Policy) *semantic.Model {
	t.Helper()
	plain := visits(t, utc)
	expr := func(s string) query.Expr {
		e, err := query.ParseExpr(s)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	text, number := value.Type{Kind: value.String}, value.Type{Kind: value.Integer}
	category := &semantic.Dimension{
		Name: "category", Alias: "shelf", Path: "product.category", Source: semantic.Source{Table: "categories"}, ID: "id", Label: "name",
		Join: []semantic.JoinColumn{{From: "category", To: "id"}}, IDType: number, LabelType: text,
	}
	product := &semantic.Dimension{
		Name: "product", Path: "product", Source: semantic.Source{Table: "products"}, ID: "id", Label: "name", Dimensions: []*semantic.Dimension{category},
		Join: []semantic.JoinColumn{{From: "product", To: "id"}}, IDType: number, LabelType: text,
	}
	category.Parent = product
	m := &semantic.Model{
		Name: "Visits", Source: plain.Source, Key: plain.Key, Calendar: utc,
		Attributes: append(slices.Clone(plain.Attributes), &semantic.Attribute{
			Name: "state", Column: "state", Type: text, Dictionary: &semantic.Dictionary{Name: "state", Entries: []semantic.Entry{{Code: "A", Label: "Active"}}},
		}),
		Dimensions: append(slices.Clone(plain.Dimensions), product, &semantic.Dimension{
			Name: "team", Path: "team", Source: semantic.Source{Table: "teams"}, ID: "id", Label: "name", IDType: text, LabelType: text,
			Join: []semantic.JoinColumn{{From: "team", To: "id"}}, Attributes: []*semantic.Attribute{{Name: "above", Column: "parent", Type: text}},
			Hierarchy: &semantic.Hierarchy{Parent: "parent"},
		}),
		Measures: append(slices.Clone(plain.Measures),
			&semantic.Measure{Name: "recent", Agg: semantic.Count, Type: number, Filter: expr("day >= '2024-07-01'")},
			&semantic.Measure{Name: "stock", Column: "stock", Agg: semantic.Sum, Type: number, SemiAdd: &semantic.SemiAdditive{Over: "day", Use: semantic.UseLast}},
		),
	}
	if clash := m.Index(); clash != "" {
		t.Fatalf("two fields are named %s", clash)
	}
	m.Access = policy(m)
	return m
}

func fieldsOf(m *semantic.Model, names ...string) []*semantic.Field {
	var list []*semantic.Field
	for _, n := range names {
		list = append(list, m.Field(n))
	}
	return list
}

func hiding(names ...string) func(*semantic.Model) *semantic.Policy {
	return func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: fieldsOf(m, names...)}}}
	}
}

func masking(mask semantic.Mask, names ...string) func(*semantic.Model) *semantic.Policy {
	return func(m *semantic.Model) *semantic.Policy {
		rule := semantic.FieldRule{}
		for _, f := range fieldsOf(m, names...) {
			rule.Mask = append(rule.Mask, semantic.MaskedField{Field: f, Mask: mask})
		}
		return &semantic.Policy{Fields: []semantic.FieldRule{rule}, HashKey: "key"}
	}
}

// as resolves a payload for somebody.
func as(t *testing.T, m *semantic.Model, id access.Identity, payload string) (*resolve.Query, error) {
	t.Helper()
	n, err := jsontree.Parse([]byte(payload))
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	q, err := query.Decode(n, query.DecodeOptions{})
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return resolve.Resolve(resolve.Request{
		Model: m, Query: q, Grant: access.For(id, m), DefaultRows: 10, MaxRows: 100, Now: time.Date(2024, time.August, 15, 0, 0, 0, 0, time.UTC),
	})
}

// TestHiddenNamesAreRefusedInEveryClause is decision 63: 403, naming the field as the caller wrote it and where.
func TestHiddenNamesAreRefusedInEveryClause(t *testing.T) {
	m := guarded(t, hiding("page", "day", "spent", "team$id", "state", "product.category"+"$caption", "product.category$id"))
	for _, c := range []struct{ payload, got, path string }{
		{`{"columns": ["page"]}`, "page", "columns[0]"},
		{`{"columns": ["count", "page as p"]}`, "page", "columns[1]"},
		{`{"columns": ["upper(page) as p"]}`, "page", "columns[0]"},
		{`{"columns": ["count(page) as p"]}`, "page", "columns[0]"},
		{`{"columns": ["sum(if(page = 'a', clicks, 0)) as p"]}`, "page", "columns[0]"},
		{`{"columns": ["spent"]}`, "spent", "columns[0]"},
		{`{"columns": ["sum(spent) as s"]}`, "spent", "columns[0]"},
		{`{"columns": ["sum(spent) as spent"]}`, "spent", "columns[0]"},
		{`{"columns": ["top"]}`, "top", "columns[0]"},
		{`{"columns": ["perClick"]}`, "perClick", "columns[0]"},
		{`{"columns": ["recent"]}`, "recent", "columns[0]"},
		{`{"columns": ["stock"]}`, "stock", "columns[0]"},
		{`{"columns": ["day$month", "visits"]}`, "day$month", "columns[0]"},
		{`{"columns": ["state$caption"]}`, "state$caption", "columns[0]"},
		{`{"columns": ["product.category$caption"]}`, "product.category$caption", "columns[0]"},
		{`{"columns": ["product_category$caption"]}`, "product_category$caption", "columns[0]"},
		{`{"columns": ["shelf$id"]}`, "shelf$id", "columns[0]"},
		{`{"columns": ["count"], "exColumns": ["page"]}`, "page", "exColumns[0]"},
		{`{"exColumns": ["day$year"]}`, "day$year", "exColumns[0]"},
		{`{"columns": ["count"], "slice": [{"field": "page", "op": "=", "value": "a"}]}`, "page", "slice[0].field"},
		{`{"columns": ["count"], "slice": [{"page": "a"}]}`, "page", "slice[0].page"},
		{`{"columns": ["count"], "slice": [{"field": "spent", "op": ">", "value": 1}]}`, "spent", "slice[0].field"},
		{`{"columns": ["count"], "slice": [{"$and": [{"field": "page", "op": "is null"}]}]}`, "page", "slice[0].$and[0].field"},
		{`{"columns": ["count"], "slice": [{"$or": [{"count": 1}, {"field": "page", "op": "in", "value": []}]}]}`, "page", "slice[0].$or[1].field"},
		{`{"columns": ["count"], "slice": [{"$not": {"field": "page", "op": "like", "value": "a"}}]}`, "page", "slice[0].$not.field"},
		{`{"columns": ["count"], "slice": [{"$expr": "page > 'a'"}]}`, "page", "slice[0].$expr"},
		{`{"columns": ["count"], "slice": [{"field": "team$caption", "op": "=", "value": {"$field": "page"}}]}`, "page", "slice[0].value.$field"},
		{`{"columns": ["count"], "slice": [{"field": "team$id", "op": "childrenOf", "value": ["a"]}]}`, "team$id", "slice[0].field"},
		{`{"columns": ["count"], "slice": [{"field": "team$hierarchy$id", "op": "=", "value": "a"}]}`, "team$hierarchy$id", "slice[0].field"},
		{`{"columns": ["visits"], "slice": [{"field": "sum(spent)", "op": ">", "value": 1}]}`, "spent", "slice[0].field"},
		{`{"columns": ["count", "visits"], "having": [{"field": "spent", "op": ">", "value": 1}]}`, "spent", "having[0].field"},
		{`{"columns": ["count", "visits"], "having": [{"$expr": "max(page) > 'a'"}]}`, "page", "having[0].$expr"},
		{`{"columns": ["visits"], "groupBy": ["page"]}`, "page", "groupBy[0]"},
		{`{"columns": ["visits"], "groupBy": [{"field": "page"}]}`, "page", "groupBy[0]"},
		{`{"columns": ["visits"], "groupBy": ["count", {"field": "page", "agg": "count"}]}`, "page", "groupBy[1].field"},
		{`{"columns": ["visits"], "groupBy": ["count", {"field": "spent", "agg": "avg"}]}`, "spent", "groupBy[1].field"},
		{`{"columns": ["visits"], "groupBy": ["spent"]}`, "spent", "groupBy[0]"},
		{`{"groupBy": ["day$year"]}`, "day$year", "groupBy[0]"},
		{`{"columns": ["visits"], "groupBy": ["team$hierarchy$id"]}`, "team$hierarchy$id", "groupBy[0]"},
		{`{"columns": ["count"], "orderBy": ["page"]}`, "page", "orderBy[0]"},
		{`{"columns": ["count"], "orderBy": ["count", {"field": "page", "order": "desc"}]}`, "page", "orderBy[1]"},
		{`{"columns": ["count", "visits"], "orderBy": ["-spent"]}`, "spent", "orderBy[0]"},
		{`{"columns": ["c"], "calculatedFields": [{"name": "c", "expression": "lower(page)"}]}`, "page", "calculatedFields[0].expression"},
		{`{"columns": ["count"], "calculatedFields": [{"name": "c", "expression": "page"}]}`, "page", "calculatedFields[0].expression"},
		{`{"columns": ["c"], "calculatedFields": [{"name": "c", "expression": "page", "agg": "count"}]}`, "page", "calculatedFields[0].expression"},
		{`{"columns": ["count", "c"], "calculatedFields": [{"name": "c", "expression": "sum(spent)", "partitionBy": ["count"]}]}`, "spent", "calculatedFields[0].expression"},
		{`{"columns": ["count", "c"], "calculatedFields": [{"name": "c", "expression": "rank()", "partitionBy": ["page"], "windowOrderBy": ["count"]}]}`, "page", "calculatedFields[0].partitionBy[0]"},
		{`{"columns": ["count", "c"], "calculatedFields": [{"name": "c", "expression": "rank()", "windowOrderBy": ["count", "-day"]}]}`, "day", "calculatedFields[0].windowOrderBy[1]"},
		{`{"columns": ["count", "lag(page) over (order by count) as c"]}`, "page", "columns[1]"},
		{`{"columns": ["count", "sum(clicks) over (partition by page) as c"]}`, "page", "columns[1]"},
		{`{"columns": ["count", "sum(clicks) over (order by day rows between 1 preceding and current row) as c"]}`, "day", "columns[1]"},
		{`{"columns": ["count", "visits"], "topN": {"by": "spent", "n": 2}}`, "spent", "topN.by"},
		{`{"columns": ["count", "visits"], "topN": {"by": "max(page)", "n": 2}}`, "page", "topN.by"},
		{`{"columns": ["visits"], "timeWindow": {"field": "day", "grain": "month", "comparison": "yoy", "range": "2024"}}`, "day", "timeWindow.field"},
	} {
		_, err := as(t, m, access.Identity{}, c.payload)
		if err == nil {
			t.Errorf("%s is answered", c.payload)
			continue
		}
		f := fault.As(err)
		if f.Kind != fault.Forbidden || f.Reason != "forbidden_field" || f.Got != c.got || f.Path != c.path || !strings.Contains(f.Message, `"`+c.got+`"`) {
			t.Errorf("%s\n got %s %q at %s: %s\nwant %q at %s", c.payload, f.Reason, f.Got, f.Path, f.Message, c.got, c.path)
		}
		if len(f.Closest)+len(f.Allowed) > 0 {
			t.Errorf("%s suggests %v %v", c.payload, f.Closest, f.Allowed)
		}
	}
}

// TestHiddenNamesAreNotSuggested: no error names a field that the caller does not see, nor do lists.
func TestHiddenNamesAreNotSuggested(t *testing.T) {
	hidden := []string{"page", "day", "spent", "team$id", "wall"}
	m := guarded(t, func(m *semantic.Model) *semantic.Policy {
		p := hiding(hidden...)(m)
		p.Fields[0].Keep = fieldsOf(m, "stock", "recent")
		p.Conceal = true
		return p
	})
	for _, payload := range []string{
		`{"columns": ["pge"]}`, `{"columns": ["dya"]}`, `{"columns": ["spnt"]}`, `{"columns": ["team"]}`, `{"columns": ["page"]}`, `{"columns": ["team$hierarchy$caption"]}`,
		`{"columns": ["sum(stock * 2) as s"]}`, `{"columns": ["visits"], "timeWindow": {"field": "count", "grain": "month", "comparison": "yoy", "range": "2024"}}`,
		`{"columns": ["count"], "slice": [{"field": "count", "op": "childrenOf", "value": [1]}]}`, `{"columns": ["count"], "slice": [{"field": "team$caption", "op": "descendantsOf", "value": ["a"]}]}`,
		`{"columns": ["count"], "distinct": true, "orderBy": ["page"]}`, `{"columns": ["visits", "mobile"], "orderBy": ["count"]}`,
		`{"columns": ["visits"], "timeWindow": {"field": "instant", "grain": "month", "comparison": "yoy", "range": "2024", "targetMetrics": ["spent"]}}`,
	} {
		_, err := as(t, m, access.Identity{}, payload)
		if err == nil {
			t.Errorf("%s is answered", payload)
			continue
		}
		f := fault.As(err)
		said := strings.Join(slices.Concat([]string{f.Message, f.Hint}, f.Allowed, f.Closest), " ")
		for _, name := range hidden {
			if !strings.Contains(payload, `"`+name+`"`) && containsWord(said, name) {
				t.Errorf("%s names %s: %s", payload, name, said)
			}
		}
	}
	q, err := as(t, m, access.Identity{}, `{}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range q.Columns {
		if slices.Contains(hidden, c.Key) {
			t.Errorf("all columns have %s", c.Key)
		}
	}
	if q, err = as(t, m, access.Identity{}, `{"columns": ["recent", "stock"], "groupBy": ["count"]}`); err != nil || len(q.Ranges) > 0 {
		t.Errorf("the range of a hidden day is told: %v %v", q.Ranges, err)
	}
	for _, o := range q.Order {
		if o.Expr.String() == "day" {
			t.Error("ordered by a hidden day")
		}
	}
}

func containsWord(text, word string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.:;()'\"", r) }), func(s string) bool { return s == word })
}

// TestConcealedNamesAreFree: with conceal a hidden name can be given to something else, as any unknown one.
func TestConcealedNamesAreFree(t *testing.T) {
	for _, conceal := range []bool{false, true} {
		m := guarded(t, func(m *semantic.Model) *semantic.Policy {
			p := hiding("page", "spent")(m)
			p.Conceal = conceal
			return p
		})
		for _, payload := range []string{
			`{"columns": ["count as page"]}`, `{"columns": ["sum(clicks) as spent"], "groupBy": ["count"], "orderBy": ["-spent"], "having": [{"field": "spent", "op": ">", "value": 1}]}`,
			`{"columns": ["page"], "calculatedFields": [{"name": "page", "expression": "count + 1"}], "slice": [{"field": "page", "op": ">", "value": 1}]}`,
		} {
			_, err := as(t, m, access.Identity{}, payload)
			if got := reason(err); conceal && err != nil || !conceal && got != "name_taken" {
				t.Errorf("conceal %v: %s: %v", conceal, payload, err)
			}
		}
	}
}

// TestMaskedNamesAreMasksEverywhere: what a clause meets of a masked field is the mask.
func TestMaskedNamesAreMasksEverywhere(t *testing.T) {
	m := guarded(t, masking(semantic.MaskFirst, "page"))
	const mask = `case(is_null(page), null, (length(page) > 1), concat(left(page, 1), ***), ***)`
	for _, payload := range []string{
		`{"columns": ["page"]}`, `{"columns": ["page as p"]}`, `{"columns": ["upper(page) as p"]}`, `{"columns": ["max(page) as p"]}`,
		`{"columns": ["count"], "orderBy": ["page"]}`, `{"columns": ["count"], "slice": [{"page": "a"}]}`, `{"columns": ["visits"], "groupBy": ["page"]}`,
		`{"columns": ["c"], "calculatedFields": [{"name": "c", "expression": "page"}]}`, `{"columns": ["count", "lag(page) over (order by count) as c"]}`,
		`{"columns": ["visits"], "having": [{"$expr": "max(page) > 'a'"}]}`, `{"columns": ["count", "visits"], "topN": {"by": "max(page)", "n": 1}}`,
	} {
		q, err := as(t, m, access.Identity{}, payload)
		if err != nil {
			t.Errorf("%s: %v", payload, err)
			continue
		}
		var all []resolve.Expr
		for _, c := range q.Columns {
			all = append(all, c.Expr)
		}
		for _, o := range q.Order {
			all = append(all, o.Expr)
		}
		all = append(append(all, q.Keys...), q.Rows, q.Groups)
		if q.Top != nil {
			all = append(all, q.Top.By.Expr)
		}
		met := 0
		for _, e := range all {
			if e == nil {
				continue
			}
			text := shown(e)
			met += strings.Count(text, "page") / strings.Count(mask, "page")
			if rest := strings.ReplaceAll(text, mask, ""); strings.Contains(rest, "page") {
				t.Errorf("%s reads the value: %s", payload, text)
			}
		}
		if met == 0 {
			t.Errorf("%s does not read the field at all", payload)
		}
		if !slices.Equal(q.Access.Masked, []string{"page"}) {
			t.Errorf("%s: masked %v", payload, q.Access.Masked)
		}
	}
}

// TestMaskedNamesWhereValuesAreNeeded are refused.
func TestMaskedNamesWhereValuesAreNeeded(t *testing.T) {
	m := guarded(t, masking(semantic.MaskNull, "day", "team$id"))
	for _, payload := range []string{
		`{"columns": ["visits"], "timeWindow": {"field": "day", "grain": "month", "comparison": "yoy", "range": "2024"}}`,
		`{"columns": ["count"], "slice": [{"field": "team$id", "op": "descendantsOf", "value": ["a"]}]}`,
		`{"columns": ["count"], "slice": [{"field": "team$hierarchy$id", "op": "=", "value": "a"}]}`,
	} {
		if _, err := as(t, m, access.Identity{}, payload); reason(err) != "masked_field" || fault.As(err).Kind != fault.Forbidden {
			t.Errorf("%s: %v", payload, err)
		}
	}
	m = guarded(t, hiding("team$above"))
	if _, err := as(t, m, access.Identity{}, `{"columns": ["count"], "slice": [{"field": "team$id", "op": "childrenOf", "value": ["a"]}]}`); reason(err) != "forbidden_field" {
		t.Errorf("the tree of a hidden parent is walked: %v", err)
	}
	if _, err := as(t, m, access.Identity{}, `{"columns": ["team$id"]}`); err != nil {
		t.Errorf("the id is refused with the tree: %v", err)
	}
}

// TestMaskedTreesOverlapToo: groups by a masked view of a tree are groups of a tree.
func TestMaskedTreesOverlapToo(t *testing.T) {
	m := guarded(t, masking(semantic.MaskFirst, "team$caption"))
	for _, payload := range []string{
		`{"columns": ["team$hierarchy$caption", "visits"], "having": [{"field": "visits", "op": ">", "value": 1}], "returnTotal": true}`,
		`{"columns": ["team$hierarchy$caption", "visits"], "having": [{"field": "visits", "op": ">", "value": 1}], "withSubtotals": true}`,
		`{"columns": ["team$hierarchy$caption", "visits"], "topN": {"by": "visits", "n": 1, "others": true}}`,
	} {
		if _, err := as(t, m, access.Identity{}, payload); reason(err) != "hierarchy_view" {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

// TestUnfitIdentity: a value that a rule cannot compare keeps everything back, and its text is not told.
func TestUnfitIdentity(t *testing.T) {
	m := guarded(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{Field: m.Field("count"), Op: query.InList, Attribute: "counts"}}}}
	})
	_, err := as(t, m, access.Identity{Attributes: map[string][]string{"counts": {"1", "many"}}}, `{"columns": ["page"]}`)
	if f := fault.As(err); err == nil || f.Kind != fault.Forbidden || f.Reason != "unfit_identity" || strings.Contains(f.Message+f.Hint, "many") {
		t.Errorf("%v", err)
	}
	for values, want := range map[string]string{"": "false", "1": "in(count, 1)", "1 2": "in(count, 1, 2)"} {
		q, err := as(t, m, access.Identity{Attributes: map[string][]string{"counts": strings.Fields(values)}}, `{"columns": ["page"]}`)
		if err != nil || shown(q.Rows) != want {
			t.Errorf("%q: %s %v, not %s", values, shown(q.Rows), err, want)
		}
		if len(q.Before)+len(q.Ranges)+len(q.Warnings) > 0 || !q.Access.Rows {
			t.Errorf("%q: the answer tells of the rule: %v %v %v", values, q.Before, q.Ranges, q.Warnings)
		}
	}
}

// TestConditionsThatCanFailAreGuarded: only where the rule holds are they computed; others stand as they are.
func TestConditionsThatCanFailAreGuarded(t *testing.T) {
	m := guarded(t, func(m *semantic.Model) *semantic.Policy {
		values := query.List{{Kind: query.StringLiteral, Text: "a"}}
		return &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{Field: m.Field("page"), Op: query.Equal, Values: values}}}}
	})
	for slice, want := range map[string]string{
		`[]`:             `(page = a)`,
		`[{"count": 1}]`: `((count = 1) and (page = a))`,
		`[{"$expr": "upper(state) = 'A' and length(page) > 2"}]`:                             `(((upper(state) = A) and (length(page) > 2)) and (page = a))`,
		`[{"$expr": "big * big > 1"}]`:                                                       `((page = a) and guard((page = a), ((big * big) > 1)))`,
		`[{"count": 1}, {"$expr": "rate / count > 2"}]`:                                      `(((count = 1) and (page = a)) and guard((page = a), ((rate / count) > 2)))`,
		`[{"$or": [{"count": 1}, {"$expr": "date_add(day, count, 'day') > '2024-01-01'"}]}]`: ``,
	} {
		q, err := as(t, m, access.Identity{}, `{"columns": ["day"], "slice": `+slice+`}`)
		if err != nil {
			t.Errorf("%s: %v", slice, err)
			continue
		}
		got := shown(q.Rows)
		if want == "" && !strings.HasPrefix(got, "((page = a) and guard((page = a), (") || want != "" && got != want {
			t.Errorf("%s\n got %s\nwant %s", slice, got, want)
		}
	}
}

// TestHashWithoutKeyIsFull: a digest that anybody can compute is no mask.
func TestHashWithoutKeyIsFull(t *testing.T) {
	for key, want := range map[string]string{"": "case(is_null(page), ***, ***)", "key": "digest(page, key)"} {
		m := guarded(t, masking(semantic.MaskHash, "page"))
		m.Access.HashKey = key
		q, err := as(t, m, access.Identity{}, `{"columns": ["page"]}`)
		if err != nil || shown(q.Columns[0].Expr) != want {
			t.Errorf("key %q: %v, want %s", key, q, want)
		}
	}
}
