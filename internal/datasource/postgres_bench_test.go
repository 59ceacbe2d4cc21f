package datasource

import (
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/result"
	"parlance/test/servers"
)

const postgresBenchSetUp = `CREATE TABLE sales AS SELECT CAST(i AS bigint) AS sales_key, 'SO-' || (i / 5) AS order_id, i % 5 AS line,
	DATE '2022-01-01' + i % 1000 AS day, CAST(i * 7 % 100000 AS numeric(18,2)) AS amount, 'COMPLETED' AS status
	FROM generate_series(0, 109999) t(i); ALTER TABLE sales ADD PRIMARY KEY (sales_key)`

// BenchmarkPostgres is a page from the statement to its JSON, and the same page read by hand through the same driver,
// without the JSON.
func BenchmarkPostgres(b *testing.B) {
	dsn := servers.StartPostgres(b)
	postgresExec(b, dsn, postgresBenchSetUp)
	s := openAs(b, Config{Type: "postgres", DSN: dsn})
	conn, err := pgconn.Connect(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	for _, n := range benchSizes {
		text := benchQuery(n)
		b.Run("source/"+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e := result.NewEncoder(benchColumns, result.Objects)
				if err := s.Query(b.Context(), text, nil, e.Row); err != nil {
					b.Fatal(err)
				}
				e.Release()
			}
		})
		b.Run("by hand/"+strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rows := conn.ExecParams(b.Context(), text, nil, nil, nil, nil)
				for rows.NextRow() {
					_ = rows.Values()
				}
				if _, err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
