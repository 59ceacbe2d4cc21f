package introspect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"parlance/internal/catalog"
	"parlance/internal/fault"
	"parlance/internal/relation"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	whole   = value.Type{Kind: value.Integer}
	words1  = value.Type{Kind: value.String}
	day     = value.Type{Kind: value.Date}
	instant = value.Type{Kind: value.Timestamp}
	money   = value.Type{Kind: value.Decimal, Scale: 2}
	blob    = value.Type{}
)

// columns reads "name type, …"; a type with ? may be null.
func columns(text string) []relation.Column {
	types := map[string]value.Type{"int": whole, "text": words1, "date": day, "time": instant, "money": money, "blob": blob, "float": {Kind: value.Float}, "bool": {Kind: value.Boolean}}
	var list []relation.Column
	for part := range strings.SplitSeq(text, ", ") {
		name, typ, _ := strings.Cut(part, " ")
		word, nullable := strings.CutSuffix(typ, "?")
		list = append(list, relation.Column{Name: name, Type: types[word], Nullable: nullable, Native: word})
	}
	return list
}

func tableOf(name, text string, change ...func(*relation.Table)) *relation.Table {
	t := &relation.Table{Name: name, Columns: columns(text)}
	for _, c := range change {
		c(t)
	}
	return t
}

func primary(names ...string) func(*relation.Table) {
	return func(t *relation.Table) { t.Primary = names }
}

// points reads "column>table.key", several with + between.
func points(texts ...string) func(*relation.Table) {
	return func(t *relation.Table) {
		for _, text := range texts {
			from, to, _ := strings.Cut(text, ">")
			name, key, _ := strings.Cut(to, ".")
			t.Foreign = append(t.Foreign, relation.ForeignKey{Columns: strings.Split(from, "+"), Table: name, References: strings.Split(key, "+")})
		}
	}
}

// made returns the models of some tables, each of which must load without a problem against them.
func made(t testing.TB, o Options, tables ...*relation.Table) map[string]string {
	t.Helper()
	result, err := Models(&relation.Schema{Tables: tables}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range result.Files {
		texts[f.Table] = f.Text
	}
	if why := loads(result.Files, tables); why != "" {
		t.Fatal(why)
	}
	return texts
}

// loads returns what a catalogue over the tables has against files.
func loads(files []File, tables []*relation.Table) string {
	folder := fstest.MapFS{}
	for _, f := range files {
		folder[f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	for _, schema := range []catalog.Schema{nil, live(tables)} {
		if _, problems := catalog.Load(context.Background(), catalog.Options{FS: folder, Datasource: "store", Schema: schema}); len(problems) > 0 {
			return fmt.Sprintf("%v\n%s", problems, files[0].Text)
		}
	}
	if len(folder) != len(files) {
		return fmt.Sprintf("%d files of %d names", len(files), len(folder))
	}
	return ""
}

// live is a schema that holds some tables.
type live []*relation.Table

func (l live) Columns(_ context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	for _, t := range l {
		if t.Name == src.Table && t.Schema == src.Schema {
			types := map[string]value.Type{}
			for _, c := range t.Columns {
				types[c.Name] = c.Type
			}
			return types, nil
		}
	}
	return nil, &fault.Error{Kind: fault.NotFound, Message: "no such table"}
}

func holds(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if no, ok := strings.CutPrefix(w, "NOT "); ok && strings.Contains(text, no) || !ok && !strings.Contains(text, w) {
			t.Errorf("want %s in\n%s", w, text)
		}
	}
}

func TestMeasures(t *testing.T) {
	text := made(t, Options{}, tableOf("payment", "payment_id int, amount money, unit_price money, tax_rate money, quantity int, line_no int, zip int, max_speed float, is_open bool, note text, doc blob, stock int, paid_on date, payment_count int", primary("payment_id")))["payment"]
	holds(t, text,
		"- {name: amount, column: amount, type: money, agg: sum,", "- {name: unitPrice, column: unit_price, type: money, agg: avg,",
		"- {name: taxRate, column: tax_rate, type: decimal, agg: avg,", "- {name: quantity, column: quantity, type: integer, agg: sum,",
		"- {name: lineNo, column: line_no, type: integer, caption: Line no}", "- {name: zip, column: zip, type: integer, caption: Zip}",
		"- {name: maxSpeed, column: max_speed, type: decimal, agg: max,", "- {name: isOpen, column: is_open, type: boolean, caption: Is open}",
		"# column doc is left out: its type blob cannot be queried", "# if it is a level and no flow, add: additivity: {over: paidOn, use: last}",
		"time: paidOn ", "- {name: paymentCount, column: payment_count, type: integer, agg: sum,", "- {name: paymentCount2, agg: count, caption: Payment count}",
		"- {name: paymentId, column: payment_id, type: integer, caption: Payment id}", "source: {table: payment, key: [payment_id]}",
	)
}

func TestRolesTreesAndCycles(t *testing.T) {
	tables := []*relation.Table{
		tableOf("dim_date", "date_key int, full_date date, fiscal_start date?", primary("date_key")),
		tableOf("staff", "id int, name text, boss_id int?, team_id int?", primary("id"), points("boss_id>staff.id", "team_id>team.id")),
		tableOf("team", "id int, title text, lead_id int?", primary("id"), points("lead_id>staff.id")),
		tableOf("orders", "order_id int, parent_order_id int?, order_date_key int, ship_date_key int?, seller int?, amount money, updated_at time", primary("order_id"),
			points("order_date_key>dim_date.date_key", "ship_date_key>dim_date.date_key", "seller>staff.id", "parent_order_id>orders.order_id", "seller>gone.id")),
	}
	texts := made(t, Options{}, tables...)
	if len(texts) != 1 {
		t.Errorf("%d models: %v", len(texts), texts)
	}
	holds(t, texts["orders"],
		"- name: orderDate", "- name: shipDate", "type: date", "label: full_date", "time: orderDate ", "- name: seller\n", "hierarchy: {parent: boss_id}",
		"# parent_order_id points to a row of this table itself; it is left as an attribute", "name: parentOrderId",
		"# seller points to gone, which is not among the tables that can be read", "# lead_id points back to staff; it is left as an attribute", "name: leadId",
		"NOT # guessed",
	)
	named := made(t, Options{Tables: []string{"staff", "team"}}, tables...)
	holds(t, named["staff"], "- name: team\n", "# boss_id points to a row of this table itself", "name: staffCount")
	holds(t, named["team"], "- name: lead\n", "# team_id points back to team")
}

func TestTablesThatOnlyPointToEachOther(t *testing.T) {
	texts := made(t, Options{}, tableOf("a", "a_id int, b_id int", primary("a_id"), points("b_id>b.b_id")), tableOf("b", "b_id int, a_id int", primary("b_id"), points("a_id>a.a_id")))
	holds(t, texts["a"], "- name: b\n", "# a_id points back to a")
	holds(t, texts["b"], "- name: a\n")
}

func TestGuesses(t *testing.T) {
	texts := made(t, Options{},
		tableOf("dim_customer", "customer_key int, customer_name text"),
		tableOf("categories", "id int, title text, parent_id int?"),
		tableOf("country", "code text, name text"),
		tableOf("calendar", "day date, week int"),
		tableOf("fact_sales", "sales_key int, customer_key int, CategoryID int?, ship_country_code text?, order_id text, amount money, customer_type text"),
		tableOf("fact_order", "order_id text, total money, customer_key text"),
	)
	holds(t, texts["fact_sales"], "join: {customer_key: customer_key}", "join: {CategoryID: id}", "- name: category\n", "join: {ship_country_code: code}", "- name: shipCountry\n",
		"# guessed from names", "# if parent_id holds the row above it: hierarchy: {parent: parent_id}", "NOT table: fact_order\n", "name: orderId",
		"# no key is declared; if no two rows share it, add to the source: key: [sales_key]", "label: customer_name")
	holds(t, texts["fact_order"], "NOT join:", "name: customerKey") // a text does not point to a number
}

func TestNoGuessBesideDeclaredReferences(t *testing.T) {
	texts := made(t, Options{}, tableOf("shop", "shop_id int, name text", primary("shop_id")), tableOf("item", "item_id int, name text", primary("item_id")),
		tableOf("sale", "shop_id int, item_id int, amount money", points("shop_id>shop.shop_id")))
	holds(t, texts["sale"], "- name: shop\n", "NOT - name: item\n", "name: itemId")
}

func TestCompositeKeys(t *testing.T) {
	texts := made(t, Options{}, tableOf("store", "tenant int, store_no int, store_name text, logo blob", primary("tenant", "store_no")),
		tableOf("sale", "tenant int, store_no int, amount money", points("tenant+store_no>store.tenant+store_no")))
	holds(t, texts["sale"], "join: {tenant: tenant, store_no: store_no}", "id: store_no", "key: [tenant, store_no]", "- {name: tenant, column: tenant, type: integer, caption: Tenant}",
		"NOT name: storeNo", "# column logo is left out", "# no key is declared; add")
}

func TestCommentsBecomeWords(t *testing.T) {
	sale := tableOf("sale", "sale_id int, amount money, status text", primary("sale_id"))
	sale.Comment = "Every sale: of every shop, since the first of them opened its doors\nin 1999"
	sale.Columns[1].Comment = "Net amount: \"without\" VAT # really."
	sale.Columns[2].Comment = "状态"
	holds(t, made(t, Options{Datasource: "my \"store\"\n"}, sale)["sale"],
		"caption: Sale\n", `description: "Every sale: of every shop, since the first of them opened its doors in 1999"`,
		`caption: "Net amount: \"without\" VAT # really"`, `caption: "状态"`)
}

func TestRefusals(t *testing.T) {
	schema := &relation.Schema{Tables: []*relation.Table{tableOf("sales", "id int"), tableOf("pictures", "data blob")}}
	for name, want := range map[string]string{
		"sale": `there is no table "sale"; did you mean "sales"?`, "zzzzzz": `there is no table "zzzzzz"; allowed: sales, pictures`,
		"pictures": `no column of the table "pictures" has a type that can be queried`,
	} {
		_, err := Models(schema, nil, Options{Tables: []string{name}})
		var f *fault.Error
		if !errors.As(err, &f) || f.Text() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Models(&relation.Schema{}, nil, Options{}); err == nil || !strings.Contains(err.Error(), "no tables") {
		t.Errorf("an empty schema: %v", err)
	}
}

// TestManyTables: a large schema in which all tables point to others makes models that stay small enough to read.
func TestManyTables(t *testing.T) {
	var tables []*relation.Table
	for i := range 400 {
		refs := []string{}
		for j := 1; j <= 5; j++ {
			refs = append(refs, fmt.Sprintf("r%d_id>t%d.id", j, (i*7+j*13)%400))
		}
		tables = append(tables, tableOf(fmt.Sprintf("t%d", i), "id int, name text, amount money, r1_id int, r2_id int, r3_id int, r4_id int, r5_id int", primary("id"), points(refs...)))
	}
	result, err := Models(&relation.Schema{Tables: tables}, nil, Options{})
	if err != nil || len(result.Files) != len(tables) {
		t.Fatalf("%d models, %v", len(result.Files), err)
	}
	for _, f := range result.Files {
		if n := strings.Count(f.Text, "- name: "); n < 5 || n > maxDimensions {
			t.Errorf("%s has %d dimensions", f.Table, n)
		}
	}
	if why := loads(result.Files[:10], tables); why != "" {
		t.Error(why)
	}
}

// TestEveryModelLoads: whatever a database calls its tables and columns, the models of it are valid.
func TestEveryModelLoads(t *testing.T) {
	odd := []string{"id", "ID", "Id", "name", "caption", "hierarchy", "order", "select", "and", "not", "null", "true", "case", "date", "2nd", "a b", "a\"b", "a'b", "a:b", "{x}", "#x", "- x",
		" lead", "trail ", "ключ", "金额", "x$y", "sum", "count", "_", "__a", "a_b", "aB", "é", "\t", "no", "1e5", "0x1f", "~", "\\", "a_id", "b_id", "c_key", "parent_id", "t_code", "amount", "price", "yes", "\u2028", "if", "between", "in", "like", "over", "rows"}
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string) string { return rapid.SampledFrom(odd).Draw(t, label) }
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(append(odd, "a", "b", "c", "dim_a", "fact_t", "as", "A")), 1, 8, rapid.ID).Draw(t, "tables")
		kinds := []value.Type{whole, words1, day, instant, money, blob, {Kind: value.Float}, {Kind: value.Boolean}}
		var tables []*relation.Table
		for _, name := range names {
			table := &relation.Table{Name: name, Comment: pick("comment"), View: rapid.Bool().Draw(t, "view")}
			for _, c := range rapid.SliceOfNDistinct(rapid.SampledFrom(odd), 1, 12, rapid.ID).Draw(t, "columns") {
				table.Columns = append(table.Columns, relation.Column{Name: c, Type: rapid.SampledFrom(kinds).Draw(t, "type"), Native: "x", Nullable: rapid.Bool().Draw(t, "null"), Comment: rapid.SampledFrom(append(odd, "", "")).Draw(t, "c")})
			}
			if rapid.Bool().Draw(t, "keyed") {
				table.Primary = []string{table.Columns[0].Name}
			}
			tables = append(tables, table)
		}
		for _, from := range tables {
			for range rapid.IntRange(0, 4).Draw(t, "references") {
				to := rapid.SampledFrom(tables).Draw(t, "to")
				n := min(rapid.IntRange(1, 2).Draw(t, "width"), len(from.Columns), len(to.Columns))
				f := relation.ForeignKey{Table: to.Name}
				for i := range n {
					f.Columns, f.References = append(f.Columns, from.Columns[len(from.Columns)-1-i].Name), append(f.References, to.Columns[i].Name)
				}
				from.Foreign = append(from.Foreign, f)
			}
		}
		result, err := Models(&relation.Schema{Tables: tables}, nil, Options{Datasource: pick("datasource")})
		if err != nil {
			return // nothing that can be queried
		}
		if why := loads(result.Files, tables); why != "" {
			t.Fatal(why)
		}
	})
}
