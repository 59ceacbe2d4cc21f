package contract

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	duckdb "github.com/duckdb/duckdb-go/v2"

	"parlance/internal/demo"
	"parlance/internal/jsontree"
	"parlance/internal/value"
)

// oracle evaluates a statement on a copy of the demo's tables that the server knows nothing of, and returns JSON: all
// rows as objects for an array, the first row's object for an object, its only cell for anything else.
type oracle func(statement string, kind jsontree.Kind) (string, error)

// newOracle loads the tables when the first statement is asked for.
func newOracle(t *testing.T) oracle {
	t.Helper()
	open := sync.OnceValues(func() (*sql.DB, error) { return loadDemo(context.WithoutCancel(t.Context())) })
	t.Cleanup(func() {
		if db, err := open(); err == nil {
			db.Close()
		}
	})
	return func(statement string, kind jsontree.Kind) (string, error) {
		db, err := open()
		if err != nil {
			return "", err
		}
		return evaluate(t.Context(), db, statement, kind)
	}
}

// ratioMacro is ratio(n, d): n / d rounded half up to six digits, in whole numbers only (decision 55). It takes
// amounts of at most two digits after the point, d above zero.
const ratioMacro = `create macro ratio(n, d) as
	cast((2 * cast(n * 100 as hugeint) * 1000000 + cast(d * 100 as hugeint)) // (2 * cast(d * 100 as hugeint)) as decimal(20, 0))
	* cast(0.000001 as decimal(7, 6))`

func loadDemo(ctx context.Context) (*sql.DB, error) {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	if _, err := db.ExecContext(ctx, ratioMacro); err != nil {
		return nil, err
	}
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for _, table := range demo.Tables() {
		var columns []string
		for _, c := range table.Columns {
			columns = append(columns, c.Name+" "+columnType(c.Type))
		}
		if _, err := db.ExecContext(ctx, "create table "+table.Name+" ("+strings.Join(columns, ", ")+")"); err != nil {
			return nil, err
		}
		if err := fill(conn, table); err != nil {
			return nil, fmt.Errorf("%s: %w", table.Name, err)
		}
	}
	return db, nil
}

func columnType(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "bigint"
	case value.Decimal:
		return fmt.Sprintf("decimal(18, %d)", t.Scale)
	case value.Boolean:
		return "boolean"
	case value.Date:
		return "date"
	case value.Timestamp:
		return "timestamp"
	case value.Null, value.String, value.Float:
	}
	return "varchar"
}

func fill(conn driver.Conn, table demo.Table) error {
	appender, err := duckdb.NewAppenderFromConn(conn, "", table.Name)
	if err != nil {
		return err
	}
	row := make([]driver.Value, len(table.Columns))
	for cells := range table.Rows {
		for i, cell := range cells {
			row[i] = cell
			if unscaled, ok := cell.(int64); ok && table.Columns[i].Type.Kind == value.Decimal {
				row[i] = duckdb.Decimal{Width: 18, Scale: table.Columns[i].Type.Scale, Value: big.NewInt(unscaled)}
			}
		}
		if err := appender.AppendRow(row...); err != nil {
			return err
		}
	}
	return appender.Close()
}

func evaluate(ctx context.Context, db *sql.DB, statement string, kind jsontree.Kind) (string, error) {
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return "", err
	}
	var objects []string
	var cell string
	for rows.Next() {
		cells := make([]any, len(types))
		into := make([]any, len(types))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		var members []string
		for i, c := range types {
			cell = cellJSON(cells[i], c.DatabaseTypeName())
			members = append(members, strconv.Quote(c.Name())+":"+cell)
		}
		objects = append(objects, "{"+strings.Join(members, ",")+"}")
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	switch {
	case kind == jsontree.Array:
		return "[" + strings.Join(objects, ",") + "]", nil
	case len(objects) == 0:
		return "", fmt.Errorf("no row: %s", statement)
	case kind == jsontree.Object:
		return objects[0], nil
	}
	return cell, nil
}

// cellJSON is a cell as the service prints it.
func cellJSON(cell any, databaseType string) string {
	switch v := cell.(type) {
	case nil:
		return "null"
	case string:
		text, _ := json.Marshal(v)
		return string(text)
	case time.Time:
		if databaseType == "DATE" {
			return strconv.Quote(v.Format(time.DateOnly))
		}
		return strconv.Quote(v.Format("2006-01-02T15:04:05"))
	case duckdb.Decimal:
		return new(big.Rat).SetFrac(v.Value, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.Scale)), nil)).FloatString(int(v.Scale))
	}
	return fmt.Sprint(cell)
}
