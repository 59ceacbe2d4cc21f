package execute

import (
	"strings"
	"testing"
	"time"

	"parlance/internal/demo"
	"parlance/internal/value"
	"parlance/models"
	"parlance/test/evaluate"
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

// demoCollection is the demo with every row of its dimensions and some of its facts.
func demoCollection(t *testing.T) *collection {
	t.Helper()
	c := &collection{name: "demo", models: modelFiles(t, models.Default()), today: "2024-12-31"}
	for _, d := range demo.Tables() {
		c.tables = append(c.tables, demoTable(d, demoRows))
	}
	for _, q := range contractQueries(t) {
		if declares(c.models, q.model) {
			c.queries = append(c.queries, q)
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(demoQueries), "\n") {
		model, payload, _ := strings.Cut(line, " ")
		c.queries = append(c.queries, collected{model: model, payload: payload})
	}
	return c
}

const demoRows = 400 // of each fact

// demoTable returns a table of the demo; of a fact, some rows that lie evenly over it, or all when rows is 0.
func demoTable(d demo.Table, rows int) table {
	t := table{name: d.Name, key: d.Key, sharded: strings.HasPrefix(d.Name, "fact_")}
	for _, c := range d.Columns {
		t.columns = append(t.columns, column{c.Name, c.Type})
	}
	step, n := 1, 0
	if t.sharded && rows > 0 {
		for range d.Rows {
			n++
		}
		step, n = max(1, n/rows), 0
	}
	for row := range d.Rows {
		if n++; (n-1)%step > 0 {
			continue
		}
		cells := make([]evaluate.Value, len(row))
		for i, cell := range row {
			cells[i] = demoCell(t.columns[i].typ, cell)
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

func demoCell(t value.Type, cell any) evaluate.Value {
	switch v := cell.(type) {
	case int64:
		if t.Kind == value.Decimal {
			return evaluate.Dec(v, t.Scale)
		}
		return evaluate.Int(v)
	case string:
		return evaluate.Str(v)
	case bool:
		return evaluate.Flag(v)
	case time.Time:
		if t.Kind == value.Date {
			return evaluate.Day(v)
		}
		return evaluate.Wall(v)
	}
	return evaluate.Value{}
}
