package catalog

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

const everyKey = `
model: Stock
description: One row per product and day.
synonyms: [stock, 库存]
source: {table: stock, schema: wh, key: [day_id, sku]}
time: day
default_order: [-day$id, sku]
require_filter: [day$id]
timezone: Asia/Shanghai
week_start: sunday
fiscal_start: april
today: latest
dimensions:
  - name: day
    table: cal
    schema: wh
    join: {day_id: id}
    id: id
    label: day
    type: date
  - name: team
    alias: crew
    caption: Sales team
    description: Who sells it.
    synonyms: [crew]
    table: teams
    schema: wh
    join: {team: id, tenant: tenant}
    id: id
    key: [tenant, id]
    label: name
    attributes:
      - {name: teamLevel, column: level, type: decimal, description: How high., synonyms: [rank], group: Tree, collation: native}
    hierarchy: {closure: team_tree, ancestor: up, descendant: down, distance: steps}
    dimensions:
      - {name: region, sql: " select * from regions ", join: {region: id}, id: id, hierarchy: {parent: parent}}
attributes:
  - {name: sku, column: sku, dictionary: kind}
  - {name: madeAt, column: made_at}
measures:
  - {name: onHand, column: qty, agg: sum, additivity: {over: day, use: last, per: [team, sku]}, unit: pieces, group: Amounts}
  - {name: bigOnly, column: qty, agg: sum, filter: "madeAt is null or sku = 'A'"}
  - {name: rows_, agg: count}
  - {name: share, expression: "bigOnly / onHand", type: percent}
  - {name: price, column: price, agg: avg, type: money}
examples:
  - {question: How much?, payload: {columns: [onHand], limit: 5, returnTotal: true, slice: [{field: sku, op: in, value: [A, null, 1.50]}]}}
`

func TestEveryKey(t *testing.T) {
	files := mapFS(map[string]string{
		"stock.yaml":        everyKey,
		"dictionaries.yaml": "kind: {A: {label: Big, synonyms: [large]}, 02: Small}\n",
	})
	g, problems := Load(t.Context(), Options{FS: files, Datasource: "db", Schema: parseSchema(t, `
wh.stock day_id:integer sku:string team:bigint tenant:integer made_at:zoned qty:integer price:decimal4
wh.cal id:integer day:date
wh.teams id:integer tenant:integer name:string level:decimal4 region:integer
wh.team_tree up:integer down:integer steps:integer
(select_*_from_regions) id:integer parent:integer`)})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	kind := &semantic.Dictionary{Name: "kind", Entries: []semantic.Entry{
		{Code: "A", Label: "Big", Synonyms: []string{"large"}}, {Code: "02", Label: "Small"},
	}}
	whole := value.Type{Kind: value.Integer}
	team := &semantic.Dimension{
		Name: "team", Alias: "crew", Path: "team", Caption: "Sales team", Description: "Who sells it.", Synonyms: []string{"crew"},
		Source: semantic.Source{Schema: "wh", Table: "teams"},
		Join:   []semantic.JoinColumn{{From: "team", To: "id", Type: whole}, {From: "tenant", To: "tenant", Type: whole}},
		ID:     "id", IDType: whole, Label: "name", LabelType: value.Type{Kind: value.String},
		Attributes: []*semantic.Attribute{{
			Name: "teamLevel", Column: "level", Type: value.Type{Kind: value.Decimal, Scale: 4}, Caption: "Team level",
			Description: "How high.", Synonyms: []string{"rank"}, Group: "Tree", Native: true,
		}},
		Hierarchy: &semantic.Hierarchy{
			Closure: semantic.Source{Schema: "wh", Table: "team_tree"}, Ancestor: "up", Descendant: "down", Distance: "steps",
		},
	}
	team.Dimensions = []*semantic.Dimension{{
		Name: "region", Path: "team.region", Caption: "Region", Parent: team, Source: semantic.Source{SQL: "select * from regions"},
		Join: []semantic.JoinColumn{{From: "region", To: "id", Type: whole}}, ID: "id", IDType: whole, LabelType: whole,
		Hierarchy: &semantic.Hierarchy{Parent: "parent"},
	}}
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	if err != nil {
		t.Fatal(err)
	}
	want := &semantic.Model{
		Name: "Stock", Caption: "Stock", Description: "One row per product and day.", Synonyms: []string{"stock", "库存"},
		Datasource: "db", Source: semantic.Source{Schema: "wh", Table: "stock"}, Key: []string{"day_id", "sku"}, Time: "day",
		Calendar:      semantic.Calendar{Zone: shanghai, WeekStart: time.Sunday, FiscalStart: time.April, Today: semantic.Today{Latest: true}},
		DefaultOrder:  []query.Order{{Expr: &query.Ref{Name: "day$id"}, Desc: true}, {Expr: &query.Ref{Name: "sku"}}},
		RequireFilter: []string{"day$id"},
		Examples: []semantic.Example{{
			Question: "How much?",
			Payload:  `{"columns":["onHand"],"limit":5,"returnTotal":true,"slice":[{"field":"sku","op":"in","value":["A",null,1.50]}]}`,
		}},
		Dimensions: []*semantic.Dimension{
			{
				Name: "day", Path: "day", Caption: "Day", Source: semantic.Source{Schema: "wh", Table: "cal"},
				Join: []semantic.JoinColumn{{From: "day_id", To: "id", Type: whole}}, ID: "id", IDType: whole, Label: "day",
				LabelType: value.Type{Kind: value.Date}, Date: true,
			},
			team,
		},
		Attributes: []*semantic.Attribute{
			{Name: "sku", Column: "sku", Type: value.Type{Kind: value.String}, Caption: "Sku", Dictionary: kind},
			{Name: "madeAt", Column: "made_at", Type: value.Type{Kind: value.Timestamp, Zoned: true}, Caption: "Made at"},
		},
		Measures: []*semantic.Measure{
			{
				Name: "onHand", Caption: "On hand", Agg: semantic.Sum, Column: "qty", Type: whole, Unit: "pieces", Group: "Amounts",
				SemiAdd: &semantic.SemiAdditive{Over: "day", Use: semantic.UseLast, Per: []string{"team", "sku"}},
			},
			{Name: "bigOnly", Caption: "Big only", Agg: semantic.Sum, Column: "qty", Type: whole, Filter: &query.Binary{
				Op: query.Or, X: &query.IsNull{X: &query.Ref{Name: "madeAt"}},
				Y: &query.Binary{Op: query.Eq, X: &query.Ref{Name: "sku"}, Y: &query.Literal{Kind: query.StringLiteral, Text: "A"}},
			}},
			{Name: "rows_", Caption: "Rows", Agg: semantic.Count, Type: whole},
			{
				Name: "share", Caption: "Share", Type: value.Type{Kind: value.Decimal, Scale: 6, Style: value.Percent},
				Expression: &query.Binary{Op: query.Div, X: &query.Ref{Name: "bigOnly"}, Y: &query.Ref{Name: "onHand"}},
			},
			{Name: "price", Caption: "Price", Agg: semantic.Avg, Column: "price", Type: value.Type{Kind: value.Decimal, Scale: 4, Style: value.Money}},
		},
	}
	if diff := cmp.Diff(want, g.ByName["Stock"], cmpopts.IgnoreUnexported(semantic.Model{}), cmp.Comparer(sameZone)); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
}

func sameZone(a, b *time.Location) bool { return a.String() == b.String() }

func TestFit(t *testing.T) {
	decimal := func(scale uint8, style value.Style) value.Type {
		return value.Type{Kind: value.Decimal, Scale: scale, Style: style}
	}
	for _, c := range []struct {
		word, live string
		want       value.Type
		ok         bool
	}{
		{"decimal", "decimal4", decimal(4, value.Plain), true},
		{"decimal", "integer", decimal(0, value.Plain), true},
		{"decimal", "float", value.Type{Kind: value.Float}, true},
		{"money", "decimal4", decimal(4, value.Money), true},
		{"money", "integer", decimal(2, value.Money), true},
		{"money", "float", value.Type{Kind: value.Float, Style: value.Money}, true},
		{"percent", "decimal4", decimal(4, value.Percent), true},
		{"integer", "bigint", value.Type{Kind: value.Integer, Wide: true}, true},
		{"integer", "decimal0", decimal(0, value.Plain), true},
		{"timestamp", "zoned", value.Type{Kind: value.Timestamp, Zoned: true}, true},
		{"date", "blob", value.Type{Kind: value.Date}, true},
		{"integer", "decimal2", value.Type{}, false},
		{"decimal", "string", value.Type{}, false},
		{"string", "integer", value.Type{}, false},
		{"date", "timestamp", value.Type{}, false},
		{"timestamp", "date", value.Type{}, false},
		{"boolean", "integer", value.Type{}, false},
	} {
		declared, _ := value.Named(c.word)
		got, ok := fit(declared, fakeTypes[c.live])
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s over a column of type %s is %+v, %v; want %+v, %v", c.word, c.live, got, ok, c.want, c.ok)
		}
	}
}

func TestDefaultsWithoutDatabase(t *testing.T) {
	g, problems := Load(t.Context(), Options{FS: mapFS(map[string]string{"a.yaml": `
model: A
source: {table: t}
attributes: [{name: a, column: a}, {name: b, column: b, type: date}]
dimensions:
  - {name: d, table: d, join: {k: k}, id: k, label: l}
  - {name: day, table: d, join: {k: k}, id: k, label: l, type: date}
measures: [{name: s, column: s, agg: sum}, {name: n, agg: count}, {name: m, column: m, agg: max, type: money}, {name: r, expression: s / n}]
`})})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	m := g.ByName["A"]
	if diff := cmp.Diff(DefaultCalendar(), m.Calendar, cmp.Comparer(sameZone)); diff != "" {
		t.Errorf("calendar (-want +got):\n%s", diff)
	}
	for name, want := range map[string]value.Type{
		"a": stringType, "b": dateType, "b$month": stringType, "d$id": stringType, "d$caption": stringType, "day$id": stringType,
		"day$caption": dateType, "s": decimalType, "n": {Kind: value.Integer, Wide: true},
		"m": {Kind: value.Decimal, Scale: 2, Style: value.Money}, "r": decimalType,
	} {
		if f := m.Field(name); f == nil || f.Type != want {
			t.Errorf("field %s is %+v, want type %+v", name, f, want)
		}
	}
}

func TestCaption(t *testing.T) {
	for name, want := range map[string]string{
		"salesAmount": "Sales amount", "sales_amount": "Sales amount", "orderLineNo": "Order line no", "SKUCode": "SKU code",
		"customerID": "Customer ID", "a": "A", "year2024": "Year2024", "销售额": "销售额", "": "",
	} {
		if got := caption(name); got != want {
			t.Errorf("caption(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestCalendarText(t *testing.T) {
	got, err := CalendarText{Timezone: "Europe/Berlin", WeekStart: "saturday", FiscalStart: "july", Today: "2024-02-29"}.Over(DefaultCalendar())
	if err != nil {
		t.Fatal(err)
	}
	if got.Zone.String() != "Europe/Berlin" || got.WeekStart != time.Saturday || got.FiscalStart != time.July || got.Today.Fixed != "2024-02-29" {
		t.Errorf("got %+v", got)
	}
	for want, text := range map[string]CalendarText{
		`timezone: "Local" is not a time zone such as UTC or Asia/Shanghai`:                                                                                 {Timezone: "Local"},
		`week_start: "mon" is not a day of the week; did you mean "monday"?`:                                                                                {WeekStart: "mon"},
		`fiscal_start: "13" is not a month; allowed: ` + "january, february, march, april, may, june, july, august, september, october, november, december": {FiscalStart: "13"},
		`today: "2023-02-29" is not now, latest or a date such as 2024-12-31`:                                                                               {Today: "2023-02-29"},
	} {
		if _, err := text.Over(DefaultCalendar()); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", text, err, want)
		}
	}
}
