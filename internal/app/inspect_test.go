package app

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// database is a command of scripts: it makes a DuckDB file from a file of statements.
func database(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: database FILE STATEMENTS")
	}
	ts.Check(makeDatabase(ts.MkAbs(args[0]), ts.ReadFile(args[1])))
}

func makeDatabase(file, statements string) error {
	db, err := sql.Open("duckdb", file)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statements)
	return err
}

// doubledShop has product 7 twice, a sale of 10.00 of it, and one of 5.00 of product 8.
const doubledShop = `
create table product (product_key integer, product_name varchar);
insert into product values (7, 'Lamp'), (7, 'Lamp, old'), (8, 'Desk');
create table sales (sale_id integer primary key, product_key integer, amount decimal(18, 2));
insert into sales values (1, 7, 10.00), (2, 8, 5.00);
`

const doubledModel = `model: Sales
source: {table: sales, key: [sale_id]}
dimensions:
  - {name: product, table: product, join: {product_key: product_key}, id: product_key, label: product_name}
attributes:
  - {name: saleId, column: sale_id}
measures:
  - {name: amount, column: amount, type: money, agg: sum}
`

// TestADuplicateDimensionKeyNeverDoubles is the case "duplicate dimension key": what needs the dimension's rows is
// refused, and what does not is right.
func TestADuplicateDimensionKeyNeverDoubles(t *testing.T) {
	dir := t.TempDir()
	if err := makeDatabase(filepath.Join(dir, "shop.duckdb"), doubledShop); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "models"), "sales.yaml", doubledModel)
	const text = "listen: 127.0.0.1:0\nnamespaces: {shop: {models: ./models, datasource: files}}\ndatasources: {files: {type: duckdb, path: ./shop.duckdb}}\n"
	c, err := readConfig(filepath.Join(dir, "parlance.yaml"), []byte(text), environment)
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, c)
	const refused = `dimension \"product\" has rows that share a key, so that the rows of Sales would count more than once`
	for _, call := range []struct{ name, path, body, want string }{
		{"caption", "v2/Sales", `{"param":{"columns":["product$caption","amount"],"groupBy":["product$caption"]}}`, refused},
		{"caption again, from the cache", "v2/Sales", `{"param":{"columns":["product$caption"]}}`, refused},
		{"filter", "v2/Sales", `{"param":{"columns":["amount"],"slice":[{"field":"product$caption","op":"=","value":"Lamp"}]}}`, refused},
		{"summary with a filter", "queryKpi", `{"queryModel":"Sales","columns":["amount"],"slice":[{"field":"product$caption","op":"like","value":"Lamp"}]}`, refused},
		{"id", "v2/Sales", `{"param":{"columns":["product$id","amount"],"groupBy":["product$id"],"orderBy":["product$id"]}}`,
			`{"code":0,"data":{"items":[{"product$id":7,"amount":10.00},{"product$id":8,"amount":5.00}],"total":2},"msg":"success"}`},
		{"summary", "queryKpi", `{"queryModel":"Sales","columns":["amount"]}`, `{"code":0,"data":{"amount":15.00},"msg":"success"}`},
	} {
		t.Run(call.name, func(t *testing.T) {
			_, body := r.post(t, "/jdbc-model/query-model/"+call.path, call.body)
			if !strings.Contains(body, call.want) {
				t.Errorf("got %s", body)
			}
			if call.want == refused && (!strings.Contains(body, `"code":400`) || !strings.Contains(body, "parlance validate --data")) {
				t.Errorf("the refusal is %s", body)
			}
		})
	}
}
