package catalog

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/demo"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// demoSchema is the demo's tables as a live database.
func demoSchema() fakeSchema {
	s := fakeSchema{}
	for _, table := range demo.Tables() {
		s[table.Name] = map[string]value.Type{}
		for _, c := range table.Columns {
			s[table.Name][c.Name] = c.Type
		}
	}
	return s
}

func loadDemo(t *testing.T) *Generation {
	t.Helper()
	g, problems := Load(t.Context(), Options{
		Namespace: "default", FS: os.DirFS("../../models/default"), Datasource: "db", Schema: demoSchema(),
	})
	for _, p := range problems {
		t.Errorf("%s", p)
	}
	if g == nil {
		t.Fatal("the demo's models do not load")
	}
	return g
}

func TestDemoModels(t *testing.T) {
	g := loadDemo(t)
	var names []string
	for _, m := range g.Models {
		names = append(names, m.Name)
	}
	want := []string{
		"DimCustomerQueryModel", "DimProductQueryModel", "DimStoreQueryModel", "DimTeamQueryModel",
		"FactInventorySnapshotQueryModel", "FactOrderQueryModel", "FactPaymentQueryModel", "FactReturnQueryModel",
		"FactSalesQueryModel", "FactTeamSalesQueryModel", "OrderPaymentQueryModel",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	sales := g.ByName["FactSalesQueryModel"]
	for name, want := range map[string]value.Type{
		"salesAmount":                    {Kind: value.Decimal, Scale: 2, Style: value.Money},
		"uniqueCustomers":                {Kind: value.Integer, Wide: true},
		"profitRate":                     {Kind: value.Decimal, Scale: 6, Style: value.Percent},
		"salesDate$caption":              {Kind: value.Date},
		"salesDate$id":                   {Kind: value.Integer},
		"product.category.group$caption": {Kind: value.String},
		"product_category_group$caption": {Kind: value.String},
		"productCategory$id":             {Kind: value.Integer},
		"customer$customerType$caption":  {Kind: value.String},
		"salesDate$isWeekend":            {Kind: value.Boolean},
		"orderLines":                     {Kind: value.Integer, Wide: true},
		"product$unitPrice":              {Kind: value.Decimal, Scale: 2, Style: value.Money},
	} {
		if f := sales.Field(name); f == nil || f.Type != want {
			t.Errorf("field %s is %+v, want type %+v", name, f, want)
		}
	}
	if sales.Calendar.Today != (semantic.Today{Fixed: "2024-12-31"}) {
		t.Errorf("today is %+v", sales.Calendar.Today)
	}
}

func TestDemoWithoutDatabase(t *testing.T) {
	for _, p := range ValidateDir(os.DirFS("../../models/default")) {
		t.Errorf("%s", p)
	}
}

func TestMultiFact(t *testing.T) {
	g := loadDemo(t)
	m := g.ByName["OrderPaymentQueryModel"]
	orders, payments := g.ByName["FactOrderQueryModel"], g.ByName["FactPaymentQueryModel"]
	if m.Source != (semantic.Source{}) || m.Datasource != "db" || len(m.Key) != 0 {
		t.Errorf("a model of several facts has rows of its own: %+v", m.Source)
	}
	want := []semantic.Shared{
		{Name: "customer", In: map[string]string{orders.Name: "customer", payments.Name: "customer"}},
		{Name: "date", In: map[string]string{orders.Name: "orderDate", payments.Name: "payDate"}},
	}
	if diff := cmp.Diff(want, m.Multi.Share); diff != "" {
		t.Errorf("share (-want +got):\n%s", diff)
	}
	for name, in := range map[string][2]string{
		"date$yearMonth":                {"orderDate$yearMonth", "payDate$yearMonth"},
		"date$id":                       {"orderDate$id", "payDate$id"},
		"customer$customerType$caption": {"customer$customerType$caption", "customer$customerType$caption"},
		"totalAmount":                   {"totalAmount", ""},
		"paymentCount":                  {"", "paymentCount"},
	} {
		f := m.Field(name)
		if f == nil {
			t.Errorf("no field %s", name)
			continue
		}
		for i, fact := range []*semantic.Model{orders, payments} {
			got := m.Multi.Field(fact, f)
			if (got == nil) != (in[i] == "") || got != nil && got.Name != in[i] {
				t.Errorf("%s in %s is %+v, want %q", name, fact.Name, got, in[i])
			}
		}
	}
	if orders.Dimension("orderDate").Name != "orderDate" || m.Dimension("date").Join != nil {
		t.Error("the shared dimension is not a copy")
	}
}

func TestSharedAttributes(t *testing.T) {
	fact := func(name, attributes string) string {
		return "model: " + name + "\nsource: {table: t}\ndimensions:\n  - name: c\n    table: c\n    join: {k: k}\n    id: k\n    attributes: [" +
			attributes + "]\nmeasures: [{name: n" + name + ", agg: count}]\n"
	}
	g, problems := Load(context.Background(), Options{FS: mapFS(map[string]string{
		"a.yaml": fact("A", "{name: x, column: x}, {name: y, column: y}, {name: z, column: z}"),
		"b.yaml": fact("B", "{name: z, column: other}, {name: y, column: y}"),
		"m.yaml": "model: M\nfacts: [A, B]\nshare: {client: c}\nmeasures: [nA, nB]\n",
	})})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var names []string
	for _, f := range g.ByName["M"].Fields() {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"client$id", "client$caption", "client$y", "nA", "nB"}, names); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}
