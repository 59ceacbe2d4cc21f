package datasource

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strconv"
	"testing"

	"parlance/internal/result"
	"parlance/internal/value"
)

const benchSetUp = `CREATE TABLE sales AS SELECT i AS sales_key, 'SO-' || (i // 5) AS order_id, CAST(i % 5 AS INTEGER) AS line,
	DATE '2022-01-01' + CAST(i % 1000 AS INTEGER) AS day, CAST(i * 7 % 100000 AS DECIMAL(18,2)) AS amount, 'COMPLETED' AS status
	FROM range(110000) t(i)`

var benchColumns = []result.Column{
	{Key: "salesKey", Type: value.Type{Kind: value.Integer, Wide: true}}, {Key: "orderId", Type: value.Type{Kind: value.String}},
	{Key: "orderLineNo", Type: value.Type{Kind: value.Integer}}, {Key: "salesDate$caption", Type: value.Type{Kind: value.Date}},
	{Key: "salesAmount", Type: value.Type{Kind: value.Decimal, Scale: 2}, Measure: true}, {Key: "orderStatus", Type: value.Type{Kind: value.String}},
}

var benchSizes = []int{1, 1000, 10000}

func benchQuery(rows int) string {
	return "SELECT sales_key, order_id, line, day, amount, status FROM sales ORDER BY sales_key LIMIT " + strconv.Itoa(rows)
}

// BenchmarkQuery is a page from the statement to its JSON.
func BenchmarkQuery(b *testing.B) {
	s := open(b, Config{})
	exec(b, s, benchSetUp)
	for _, n := range benchSizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			text := benchQuery(n)
			b.ReportAllocs()
			for b.Loop() {
				e := result.NewEncoder(benchColumns, result.Objects)
				if err := s.Query(b.Context(), text, nil, e.Row); err != nil {
					b.Fatal(err)
				}
				e.Release()
			}
		})
	}
}

// BenchmarkDatabaseSQL is the same page read by hand through database/sql, without the JSON.
func BenchmarkDatabaseSQL(b *testing.B) {
	s := open(b, Config{})
	exec(b, s, benchSetUp)
	db := sql.OpenDB(keepOpen{s.engine.(*duckDB).connector})
	defer db.Close()
	for _, n := range benchSizes {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			text := benchQuery(n)
			cells, targets := make([]any, len(benchColumns)), make([]any, len(benchColumns))
			for i := range cells {
				targets[i] = &cells[i]
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := readAll(b.Context(), db, text, targets); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// keepOpen hides that the connector can be closed: it belongs to the source.
type keepOpen struct{ driver.Connector }

// readAll reads every row through database/sql.
func readAll(ctx context.Context, db *sql.DB, text string, targets []any) error {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
	}
	return rows.Err()
}
