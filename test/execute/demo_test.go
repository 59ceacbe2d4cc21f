package execute

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/demo"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/models"
)

// demoQueries are questions to the demo's models, a model and a payload each.
const demoQueries = `
FactSalesQueryModel {"columns":["product$categoryName","salesAmount","profitRate","uniqueCustomers"],"groupBy":["product$categoryName"],"returnTotal":true}
FactSalesQueryModel {"columns":["orderId","orderLineNo","customer$caption","product.category.group$caption","salesAmount"],"slice":[{"field":"customer$caption","op":"like","value":"LI"}],"limit":50}
FactSalesQueryModel {"columns":["customer$caption","salesAmount"],"groupBy":["customer$caption"],"having":[{"field":"salesAmount","op":">","value":60000}],"orderBy":["-salesAmount"],"returnTotal":true}
FactSalesQueryModel {"columns":["customer$province","customer$gender","avg(unitPrice) as p","median(salesAmount) as m","stddev_pop(salesAmount) as s"],"groupBy":["customer$province","customer$gender"],"limit":200}
FactSalesQueryModel {"columns":["salesDate$yearWeek","salesAmount","rank() over (order by salesAmount desc) as r","sum(salesAmount) over (order by salesDate$yearWeek) as running"],"groupBy":["salesDate$yearWeek"],"limit":300}
FactSalesQueryModel {"columns":["store$province","product$categoryName","salesAmount","quantity"],"groupBy":["store$province","product$categoryName"],"withSubtotals":true,"returnTotal":true,"limit":300}
FactSalesQueryModel {"columns":["product$brand","salesAmount"],"groupBy":["product$brand"],"topN":{"by":"salesAmount","n":5,"others":true},"returnTotal":true}
FactSalesQueryModel {"columns":["orderStatus","orderStatus$caption","group_concat(distinctless) as g"],"groupBy":["orderStatus"],"calculatedFields":[{"name":"distinctless","expression":"if(orderLineNo = 1, product$brand, null)"}],"slice":[{"field":"salesDate$caption","op":"=","value":"2024-12-31"}]}
FactSalesQueryModel {"columns":["upper(product$caption) as u","salesAmount"],"groupBy":["u"],"orderBy":["u"],"limit":1000,"returnTotal":true}
FactSalesQueryModel {"columns":["customer$id","customer$caption","salesAmount"],"groupBy":["customer$id","customer$caption"],"limit":1000,"orderBy":[{"field":"customer$caption","order":"desc"}]}
FactOrderQueryModel {"columns":["orderTime$hour","orderCount","avgOrderAmount"],"groupBy":["orderTime$hour"],"limit":100,"orderBy":["-orderTime$hour"]}
FactOrderQueryModel {"columns":["channel$caption","totalAmount"],"groupBy":["channel$caption"],"limit":200,"timeWindow":{"field":"orderDate$caption","grain":"month","comparison":"yoy","range":"2024"}}
FactOrderQueryModel {"columns":["orderTime$week","orderTime$quarter","orderCount"],"groupBy":["orderTime$week","orderTime$quarter"],"limit":200,"returnTotal":true}
FactOrderQueryModel {"columns":["orderId","orderTime","paymentStatus"],"slice":[{"field":"paymentStatus","op":"!=","value":"PAID"},{"field":"orderTime","op":"[]","value":["2024-02-01","2024-02-29"]}],"orderBy":["-orderTime"],"limit":200}
FactPaymentQueryModel {"columns":["payMethod","payStatus","payAmount","paymentCount"],"groupBy":["payMethod","payStatus"],"returnTotal":true}
FactReturnQueryModel {"columns":["returnReason","returnDate$yearQuarter","returnAmount"],"groupBy":["returnReason","returnDate$yearQuarter"],"limit":100,"returnTotal":true}
FactInventorySnapshotQueryModel {"columns":["snapshotDate$yearMonth","quantityOnHand","inventoryValue","unitCost"],"groupBy":["snapshotDate$yearMonth"],"returnTotal":true}
FactInventorySnapshotQueryModel {"columns":["store$caption","quantityOnHand"],"groupBy":["store$caption"],"having":[{"field":"quantityOnHand","op":">","value":100}],"returnTotal":true,"limit":100}
FactTeamSalesQueryModel {"columns":["team$hierarchy$caption","salesAmount","avgSalesAmount"],"groupBy":["team$hierarchy$caption"]}
FactTeamSalesQueryModel {"columns":["team$caption","salesAmount","recordCount"],"groupBy":["team$caption"],"slice":[{"field":"team$id","op":"selfAndDescendantsOf","value":2}],"returnTotal":true}
OrderPaymentQueryModel {"columns":["customer$customerType","totalAmount","orderCount","payAmount","paymentCount"],"groupBy":["customer$customerType"],"returnTotal":true}
OrderPaymentQueryModel {"columns":["date$yearMonth","totalAmount","payAmount"],"groupBy":["date$yearMonth"],"limit":100,"orderBy":["-payAmount"]}
DimProductQueryModel {"slice":[{"field":"productName","op":"starts_with","value":"a"}],"limit":1000}
DimCustomerQueryModel {"limit":1000,"orderBy":["-customerName"]}
DimTeamQueryModel {}
`

// TestDemo loads the embedded demo into the engine that PARLANCE_ENGINE names, and asks it and DuckDB the same questions.
func TestDemo(t *testing.T) {
	if chosen() == "duckdb" {
		t.Skip("PARLANCE_ENGINE names no other engine")
	}
	var both [2]*pipeline
	for i, name := range []string{"duckdb", chosen()} {
		start := time.Now()
		p, err := openDemo(t.Context(), name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Cleanup(func() {
			if err := p.close(); err != nil {
				t.Error(err)
			}
		})
		both[i] = p
		t.Logf("%s: loaded in %s", name, time.Since(start).Round(time.Millisecond))
	}
	for line := range strings.SplitSeq(strings.TrimSpace(demoQueries), "\n") {
		model, payload, _ := strings.Cut(line, " ")
		var answers [2]string
		var took [2]time.Duration
		var texts []string
		for i, p := range both {
			start := time.Now()
			answers[i], texts = p.told(t.Context(), model, payload)
			took[i] = time.Since(start).Round(time.Millisecond)
		}
		t.Logf("%s and %s: %s", took[0], took[1], line)
		switch {
		case strings.HasPrefix(answers[0], "refused"), strings.HasPrefix(answers[0], "unread"):
			t.Errorf("%s\n%s", line, answers[0])
		case missing(answers[1]):
			t.Logf("unsupported: %s", line)
		case !alike(answers[0], answers[1]):
			t.Errorf("%s\nduckdb: %.3000s\n%s: %.3000s\n%s", line, answers[0], chosen(), answers[1], strings.Join(texts, "\n"))
		}
	}
}

func openDemo(ctx context.Context, engine string) (*pipeline, error) {
	p := &pipeline{}
	var err error
	if p.source, p.remove, err = openEngine(ctx, engine); err != nil {
		return nil, err
	}
	for _, t := range demo.Tables() {
		columns := make([]datasource.Column, len(t.Columns))
		for i, c := range t.Columns {
			columns[i] = datasource.Column{Name: c.Name, Type: c.Type, Nullable: !c.NotNull}
		}
		if err := p.source.Load(ctx, datasource.Table{Name: t.Name, Columns: columns, Key: t.Key, Rows: t.Rows, Sharded: strings.HasPrefix(t.Name, "fact_")}); err != nil {
			return nil, err
		}
	}
	generations, err := catalog.New(catalog.Options{
		Namespace: namespace, FS: models.Default(), Datasource: "db", Schema: schema{p.source},
		Calendar: semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January, Today: semantic.Today{Fixed: "2024-12-31"}},
	})
	if err != nil {
		return nil, err
	}
	generations.Reload(ctx, namespace)
	p.service = service.New(service.Deps{
		Catalog: generations, Sources: map[string]service.Source{"db": p.source}, DefaultNamespace: namespace,
		Namespaces: []string{namespace}, Limits: compile.Limits{DefaultRows: defaultRows, MaxRows: maxRows},
	})
	return p, nil
}
