package app

import (
	"fmt"
	"testing"

	"parlance/test/servers"
)

const loadedModel = `model: Sales
datasource: store
source: {table: sales, key: [sale_id]}
cache: {ttl: 1h, refresh_sql: select version from loads, refresh_every: 1ns}
attributes:
  - {name: saleId, column: sale_id}
measures:
  - {name: amount, column: amount, type: money, agg: sum}
`

// A load that is taken back says of the data what it said before: the answer of then is not used again.
func TestADatabaseThatGoesBackToAnEarlierStateIsAskedAgain(t *testing.T) {
	server := servers.RunPostgres(t)
	inPostgres(t, server, `CREATE TABLE sales (sale_id integer PRIMARY KEY, amount numeric(18, 2)); INSERT INTO sales VALUES (1, 0);
CREATE TABLE loads (version integer); INSERT INTO loads VALUES (0)`)
	c, models := shop(t)
	write(t, models, "sales.yaml", loadedModel)
	c.Datasources = append(c.Datasources, DatasourceConfig{Name: "store", Type: "postgres", DSN: server.DSN})
	r := run(t, c)
	for i, step := range []struct{ version, amount, told int }{
		{1, 10, 10},
		{1, 11, 10}, // which nobody told
		{2, 20, 20},
		{2, 21, 20},
		{1, 30, 30},
		{1, 31, 30},
		{2, 40, 40},
	} {
		inPostgres(t, server, fmt.Sprintf("UPDATE sales SET amount = %d; UPDATE loads SET version = %d", step.amount, step.version))
		if got, want := r.sum(t, "Sales"), fmt.Sprintf(`{"code":0,"data":{"amount":%d.00},"msg":"success"}`, step.told); got != want {
			t.Errorf("step %d: %s, want %s", i, got, want)
		}
	}
}
