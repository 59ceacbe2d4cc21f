package app

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	_ "github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	_ "modernc.org/sqlite"

	"parlance/test/servers"
)

// bazaar is a shop with references, a self reference, two roles of a calendar, a composite key, a snowflake, odd names,
// a type that cannot be queried, a view and an empty table. BLOB, AT and the quotes are each engine's own.
var bazaar = []string{
	`CREATE TABLE region (country VARCHAR(2) NOT NULL, region_no INTEGER NOT NULL, name VARCHAR(40), PRIMARY KEY (country, region_no))`,
	`CREATE TABLE staff (staff_id INTEGER NOT NULL PRIMARY KEY, staff_name VARCHAR(40) NOT NULL, boss_id INTEGER, FOREIGN KEY (boss_id) REFERENCES staff (staff_id))`,
	`CREATE TABLE dim_date (date_key INTEGER NOT NULL PRIMARY KEY, full_date DATE NOT NULL, calendar_year INTEGER NOT NULL)`,
	`CREATE TABLE category (category_id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL)`,
	`CREATE TABLE product (product_id INTEGER NOT NULL PRIMARY KEY, product_name VARCHAR(40) NOT NULL, list_price DECIMAL(10, 2), category_id INTEGER, FOREIGN KEY (category_id) REFERENCES category (category_id))`,
	`CREATE TABLE customers (customer_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, country VARCHAR(2), region_no INTEGER, id INTEGER, FOREIGN KEY (country, region_no) REFERENCES region (country, region_no))`,
	`CREATE TABLE sale (sale_id INTEGER NOT NULL PRIMARY KEY, order_date_key INTEGER NOT NULL, ship_date_key INTEGER, customer_id INTEGER NOT NULL, product_id INTEGER NOT NULL, seller_id INTEGER,
		"order" VARCHAR(20), "Unit Price" DECIMAL(10, 2), "and" INTEGER, amount DECIMAL(18, 2) NOT NULL, quantity INTEGER NOT NULL, payload BLOB, booked_at AT,
		FOREIGN KEY (order_date_key) REFERENCES dim_date (date_key), FOREIGN KEY (ship_date_key) REFERENCES dim_date (date_key), FOREIGN KEY (customer_id) REFERENCES customers (customer_id),
		FOREIGN KEY (product_id) REFERENCES product (product_id), FOREIGN KEY (seller_id) REFERENCES staff (staff_id))`,
	`CREATE TABLE empty_log (log_id INTEGER NOT NULL PRIMARY KEY, happened AT NOT NULL, message VARCHAR(200))`,
	`CREATE VIEW large_sale AS SELECT sale_id, amount FROM sale WHERE amount > 15`,
	`INSERT INTO region VALUES ('DE', 1, 'North'), ('DE', 2, 'South'), ('FR', 1, 'Nord')`,
	`INSERT INTO staff VALUES (1, 'Ada', NULL)`, `INSERT INTO staff VALUES (2, 'Bob', 1)`, `INSERT INTO staff VALUES (3, 'Cy', 2)`,
	`INSERT INTO dim_date VALUES (20231231, '2023-12-31', 2023), (20240101, '2024-01-01', 2024), (20240215, '2024-02-15', 2024)`,
	`INSERT INTO category VALUES (1, 'Light'), (2, 'Wood')`,
	`INSERT INTO product VALUES (7, 'Lamp', 10.50, 1), (8, 'Desk', 99.00, 2)`,
	`INSERT INTO customers VALUES (1, 'Acme', 'DE', 1, 5), (2, 'Bolt', 'FR', 1, 6)`,
	`INSERT INTO sale VALUES (1, 20231231, 20240101, 1, 7, 2, 'first', 10.50, 1, 21.00, 2, NULL, '2023-12-31 10:00:00'), (2, 20240101, NULL, 1, 8, 3, 'second', 99.00, 2, 99.00, 1, NULL, '2024-01-01 11:00:00'),
		(3, 20240215, 20240215, 2, 7, 3, NULL, 9.50, 3, 9.50, 1, NULL, '2024-02-15 12:00:00')`,
}

// bazaarAnswers are queries of the models with their rows, by hand from the rows above.
var bazaarAnswers = []struct{ needs, model, payload, want string }{
	{"", "Sale", `{"columns":["customer$caption","sum(amount) as a","saleCount"],"groupBy":["customer$caption"],"orderBy":["customer$caption"]}`,
		`[{"customer$caption":"Acme","a":120.00,"saleCount":2},{"customer$caption":"Bolt","a":9.50,"saleCount":1}]`},
	{"", "Sale", `{"columns":["product.category$caption","sum(amount) as a"],"groupBy":["product.category$caption"],"orderBy":["product.category$caption"]}`,
		`[{"product.category$caption":"Light","a":30.50},{"product.category$caption":"Wood","a":99.00}]`},
	{"", "Sale", `{"columns":["orderDate$calendarYear","sum(quantity) as q","avg(unitPrice) as u"],"groupBy":["orderDate$calendarYear"],"orderBy":["orderDate$calendarYear"]}`,
		`[{"orderDate$calendarYear":2023,"q":2,"u":10.500000},{"orderDate$calendarYear":2024,"q":2,"u":54.250000}]`},
	{"", "Sale", `{"columns":["shipDate$caption","saleCount"],"groupBy":["shipDate$caption"],"orderBy":["shipDate$caption"]}`,
		`[{"shipDate$caption":"2024-01-01","saleCount":1},{"shipDate$caption":"2024-02-15","saleCount":1},{"shipDate$caption":null,"saleCount":1}]`},
	{"", "Sale", `{"columns":["order","product$listPrice"],"orderBy":["saleId"]}`,
		`[{"order":"first","product$listPrice":10.50},{"order":"second","product$listPrice":99.00},{"order":null,"product$listPrice":10.50}]`},
	{"references", "Sale", `{"columns":["customer.region$caption","sum(amount) as a"],"groupBy":["customer.region$caption"],"orderBy":["customer.region$caption"]}`,
		`[{"customer.region$caption":"Nord","a":9.50},{"customer.region$caption":"North","a":120.00}]`},
	{"references", "Sale", `{"columns":["seller$caption","sum(amount) as a"],"groupBy":["seller$caption"],"orderBy":["seller$caption"]}`,
		`[{"seller$caption":"Bob","a":21.00},{"seller$caption":"Cy","a":108.50}]`},
	{"references", "Sale", `{"columns":["sum(amount) as a"],"slice":[{"field":"seller$id","op":"selfAndDescendantsOf","value":2}]}`, `[{"a":129.50}]`},
	{"", "EmptyLog", `{"columns":["emptyLogCount"]}`, `[{"emptyLogCount":0}]`},
	{"", "LargeSale", `{"columns":["sum(amount) as a","largeSaleCount"]}`, `[{"a":120.00,"largeSaleCount":2}]`},
}

// stall is a database with the bazaar and the lines of a configuration that reach it.
type stall struct {
	datasource string
	references bool // the database declares them
	comments   bool
}

func bazaarFor(blob, at string, quote rune) []string {
	words := strings.NewReplacer("BLOB", blob, " AT", " "+at, `"`, string(quote))
	list := make([]string, len(bazaar))
	for i, text := range bazaar {
		list[i] = words.Replace(text)
	}
	return list
}

func execAll(t *testing.T, driver, address string, statements []string) {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// stalls fill one database of each kind.
var stalls = map[string]func(t *testing.T, dir string) stall{
	"duckdb": func(t *testing.T, dir string) stall {
		t.Helper()
		execAll(t, "duckdb", filepath.Join(dir, "bazaar.duckdb"), append(bazaarFor("BLOB", "TIMESTAMP", '"'),
			"COMMENT ON TABLE sale IS 'Sold goods'", "COMMENT ON COLUMN sale.amount IS 'Net amount'"))
		return stall{"{type: duckdb, path: ./bazaar.duckdb}", true, true}
	},
	"folder": func(t *testing.T, dir string) stall {
		t.Helper()
		data := filepath.Join(dir, "data")
		if err := os.Mkdir(data, 0o755); err != nil {
			t.Fatal(err)
		}
		statements := bazaarFor("BLOB", "TIMESTAMP", '"')
		for _, table := range []string{"region", "staff", "dim_date", "category", "product", "customers", "sale", "empty_log", "large_sale"} {
			statements = append(statements, fmt.Sprintf("COPY %s TO '%s/%s.parquet' (FORMAT parquet)", table, data, table))
		}
		execAll(t, "duckdb", filepath.Join(t.TempDir(), "made.duckdb"), statements)
		return stall{"{type: duckdb, folder: ./data}", false, false}
	},
	"sqlite": func(t *testing.T, dir string) stall {
		t.Helper()
		execAll(t, "sqlite", filepath.Join(dir, "bazaar.db"), bazaarFor("BLOB", "TIMESTAMP", '"'))
		return stall{"{type: sqlite, path: ./bazaar.db}", true, false}
	},
	"postgres": func(t *testing.T, _ string) stall {
		t.Helper()
		dsn := servers.StartPostgres(t)
		conn, err := pgconn.Connect(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.WithoutCancel(t.Context()))
		for _, text := range append(bazaarFor("BYTEA", "TIMESTAMP", '"'), "COMMENT ON TABLE sale IS 'Sold goods'", "COMMENT ON COLUMN sale.amount IS 'Net amount'") {
			if err := conn.Exec(t.Context(), text).Close(); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		return stall{fmt.Sprintf("{type: postgres, dsn: %q}", dsn), true, true}
	},
	"mysql": func(t *testing.T, _ string) stall {
		t.Helper()
		dsn := servers.StartMySQL(t)
		execAll(t, "mysql", dsn, append(bazaarFor("BLOB", "DATETIME", '`'), "ALTER TABLE sale COMMENT = 'Sold goods'", "ALTER TABLE sale MODIFY amount DECIMAL(18, 2) NOT NULL COMMENT 'Net amount'"))
		return stall{fmt.Sprintf("{type: mysql, dsn: %q}", dsn), true, true}
	},
	"clickhouse": func(t *testing.T, _ string) stall {
		t.Helper()
		server := servers.RunClickHouse(t, 1, "UTC")
		options := &clickhouse.Options{Addr: server.Addresses, Auth: clickhouse.Auth{Database: "default", Username: server.User, Password: server.Password}}
		conn, err := clickhouse.Open(options)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		for _, words := range bazaarFor("Array(String)", "DateTime", '`') {
			for _, text := range clickHouseWords(words) {
				if err := conn.Exec(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
		}
		return stall{fmt.Sprintf("{type: clickhouse, addresses: [%q], user: %s, password: %s, database: default}", server.Addresses[0], server.User, server.Password), false, false}
	},
}

var (
	nullable   = regexp.MustCompile(`(\w+|` + "`[^`]+`" + `) (VARCHAR\(\d+\)|INTEGER|DECIMAL\(\d+, \d+\)|DateTime|DATE)( NOT NULL)?`)
	literal    = regexp.MustCompile(`'\d{4}-\d\d-\d\d[^']*'|\b\d+\.\d+\b`)
	constraint = regexp.MustCompile(`(?s),\s*(FOREIGN|PRIMARY) KEY \(.*\)$`)
)

// clickHouseWords writes a statement as an old ClickHouse reads it, which has no keys and no references, and takes no
// rows as text.
func clickHouseWords(text string) []string {
	if table, rows, ok := strings.Cut(text, " VALUES ("); ok {
		var list []string
		for row := range strings.SplitSeq(strings.TrimSuffix(rows, ")"), "),") {
			row = strings.ReplaceAll(strings.TrimLeft(row, " \n\t("), ", NULL, '20", ", emptyArrayString(), '20") // the payload
			row = literal.ReplaceAllStringFunc(row, func(text string) string {
				switch {
				case strings.Contains(text, ":"):
					return "toDateTime(" + text + ")"
				case strings.Contains(text, "-"):
					return "toDate(" + text + ")"
				}
				return "toDecimal64('" + text + "', 2)"
			})
			list = append(list, table+" SELECT "+row)
		}
		return list
	}
	if !strings.HasPrefix(text, "CREATE TABLE") {
		return []string{text}
	}
	text = constraint.ReplaceAllString(text, ")")
	text = nullable.ReplaceAllStringFunc(text, func(column string) string {
		m := nullable.FindStringSubmatch(column)
		typ := strings.NewReplacer("INTEGER", "Int32", "DECIMAL", "Decimal", "DATE", "Date").Replace(m[2])
		if strings.HasPrefix(typ, "VARCHAR") {
			typ = "String"
		}
		if m[3] == "" {
			typ = "Nullable(" + typ + ")"
		}
		return m[1] + " " + typ
	})
	return []string{strings.ReplaceAll(text, " PRIMARY KEY", "") + " ENGINE = MergeTree ORDER BY tuple()"}
}

// program runs the program and returns its exit code and what it printed.
func program(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), args, Streams{Out: &stdout, Err: &stderr, Env: environment})
	return code, stdout.String(), stderr.String()
}

// TestIntrospectedModelsAnswerAtOnce makes models of a real database of every kind, which load without a change and give
// the numbers that its rows have.
func TestIntrospectedModelsAnswerAtOnce(t *testing.T) {
	for name, fill := range stalls {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := fill(t, dir)
			config := filepath.Join(dir, "parlance.yaml")
			text := "listen: 127.0.0.1:0\nnamespaces: {bazaar: {models: ./models, datasource: store}}\ndatasources: {store: " + s.datasource + "}\n"
			write(t, dir, "parlance.yaml", text)
			models := filepath.Join(dir, "models")
			start := time.Now()
			if code, out, errs := program(t, "introspect", "--config", config, "--datasource", "store", "--out", models); code != 0 {
				t.Fatalf("%d %s %s", code, out, errs)
			}
			t.Logf("introspected in %s", time.Since(start))
			if code, out, errs := program(t, "validate", models); code != 0 {
				t.Fatalf("%s%s", out, errs)
			}
			code, out, errs := program(t, "check", "--config", config)
			if code != 0 || strings.Contains(out+errs, "error ") {
				t.Errorf("check: %d\n%s%s", code, out, errs)
			}
			made, err := os.ReadFile(filepath.Join(models, "sale.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			checkBazaarFile(t, string(made), s)
			code, printed, errs := program(t, "introspect", "--config", config, "--tables", "sale")
			if code != 0 || printed != string(made) || errs != "" {
				t.Errorf("printed: %d %s%s", code, printed, errs)
			}
			c, err := readConfig(config, []byte(text), environment)
			if err != nil {
				t.Fatal(err)
			}
			checkBazaar(t, run(t, c), s)
		})
	}
}

func checkBazaarFile(t *testing.T, made string, s stall) {
	t.Helper()
	want := []string{"time: orderDate ", "name: shipDate", `column: Unit Price, type: money, agg: avg`, "name: andMeasure, column: and", "column payload is left out",
		"name: customerId, column: id", "label: title"}
	if s.comments {
		want = append(want, "caption: Sold goods", "agg: sum, caption: Net amount")
	}
	if s.references {
		want = append(want, "hierarchy: {parent: boss_id}", "key: [country, region_no]", "key: [sale_id]}")
	} else {
		want = append(want, "# guessed from names", "# no key is declared; if no two rows share it, add to the source: key: [sale_id]")
	}
	for _, w := range want {
		if !strings.Contains(made, w) {
			t.Errorf("no %q in\n%s", w, made)
		}
	}
}

func checkBazaar(t *testing.T, r *running, s stall) {
	t.Helper()
	for _, a := range bazaarAnswers {
		if a.needs == "references" && !s.references || a.want == "" {
			continue
		}
		_, body := r.post(t, "/jdbc-model/query-model/v2/"+a.model, `{"param":`+a.payload+`}`)
		if want := `"items":` + a.want + `,`; !strings.Contains(body, want) {
			t.Errorf("%s %s:\ngot  %s\nwant %s", a.model, a.payload, body, want)
		}
	}
}
