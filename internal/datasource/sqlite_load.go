package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"parlance/internal/dialect"
	"parlance/internal/exact"
	"parlance/internal/value"
)

var sqliteTable = tableForm{keyed: true, words: typeWords{
	text: "TEXT", integer: "INTEGER", wide: "INTEGER", decimal: "DECIMAL(%d,%d)", float: "REAL", boolean: "BOOLEAN",
	date: "DATE", timestamp: "TIMESTAMP", zoned: "TIMESTAMPTZ",
}}

// load makes and fills a table in one transaction, on a connection of its own.
func (d *sqliteDB) load(ctx context.Context, t Table) (err error) {
	create, err := sqliteTable.create(d.dialect(), t)
	if err != nil {
		return err
	}
	d.loads.Lock()
	defer d.loads.Unlock()
	conn, err := d.connect("rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.close()) }()
	if err = conn.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if drop := dropFirst(d.dialect(), t, ""); drop != "" {
		err = conn.exec(drop)
	}
	if err == nil {
		err = conn.exec(create)
	}
	if err == nil {
		err = fillSQLite(ctx, conn, d.insert(t), t)
	}
	if err == nil {
		err = conn.exec("COMMIT")
		return err
	}
	undone := conn.exec("ROLLBACK")
	return errors.Join(err, undone)
}

func (d *sqliteDB) insert(t Table) string {
	w := dialect.NewWriter(d.dialect())
	w.Text("INSERT INTO ")
	w.Name(t.Name)
	w.Text(" VALUES (", strings.Repeat("?, ", len(t.Columns)-1), "?)")
	text, _ := w.Statement()
	return text
}

func fillSQLite(ctx context.Context, conn *sqliteConn, insert string, t Table) (err error) {
	stmt, err := conn.Prepare(insert)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	run, ok := stmt.(driver.StmtExecContext)
	if !ok {
		return errNotReading
	}
	values, n := make([]driver.NamedValue, len(t.Columns)), 0
	for row := range t.Rows {
		n++
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(row) != len(values) {
			return fmt.Errorf("row %d has %d cells for %d columns", n, len(row), len(values))
		}
		for i, cell := range row {
			v, err := sqliteCell(t.Columns[i].Type, cell)
			if err != nil {
				return fmt.Errorf("row %d, column %s: %w", n, t.Columns[i].Name, err)
			}
			values[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
		}
		if _, err := run.ExecContext(context.Background(), values); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
	}
	return nil
}

// sqliteCell is a cell as SQLite keeps it; SQLite itself would keep anything in any column.
func sqliteCell(t value.Type, cell any) (driver.Value, error) {
	if cell == nil {
		return nil, nil
	}
	var v driver.Value
	ok := false
	switch t.Kind {
	case value.String:
		v, ok = cell.(string)
	case value.Float:
		v, ok = cell.(float64)
	case value.Boolean:
		v, ok = cell.(bool)
	case value.Integer, value.Decimal:
		if n, whole := cell.(int64); whole && fits(t, n) {
			v, ok = sqliteNumber(t, n), true
		}
	case value.Date, value.Timestamp:
		if at, dated := cell.(time.Time); dated && at.Year() >= 0 && at.Year() <= 9999 {
			v, ok = at.UTC().Format(sqliteLayout(t)), true
		}
	case value.Null:
	}
	if !ok {
		return nil, fmt.Errorf("%v does not fit", cell)
	}
	return v, nil
}

// sqliteNumber keeps a decimal of up to fifteen digits as a number. A double would lose digits of a longer one, so that
// is text, as bytes because the column would turn text into a double too.
func sqliteNumber(t value.Type, n int64) driver.Value {
	const safe = 1_000_000_000_000_000
	switch {
	case t.Kind == value.Integer:
		return n
	case n > -safe && n < safe:
		return exact.New(n, int(t.Scale)).Float()
	}
	return exact.New(n, int(t.Scale)).Append(nil, int(t.Scale))
}

func sqliteLayout(t value.Type) string {
	switch {
	case t.Kind == value.Date:
		return time.DateOnly
	case t.Zoned:
		return "2006-01-02T15:04:05.999999Z"
	}
	return "2006-01-02T15:04:05.999999"
}
