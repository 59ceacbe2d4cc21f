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

// load makes and fills a table in one transaction, on a connection of its own.
func (d *sqliteDB) load(ctx context.Context, t Table) (err error) {
	create, insert, err := d.loadTexts(t)
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
		err = fillSQLite(ctx, conn, insert, t)
	}
	if err == nil {
		err = conn.exec("COMMIT")
		return err
	}
	undone := conn.exec("ROLLBACK")
	return errors.Join(err, undone)
}

func (d *sqliteDB) loadTexts(t Table) (create, insert string, err error) {
	if len(t.Columns) == 0 {
		return "", "", errNoColumns
	}
	w, into := dialect.NewWriter(d.dialect()), dialect.NewWriter(d.dialect())
	w.Text("CREATE TABLE ")
	into.Text("INSERT INTO ")
	w.Name(t.Name)
	into.Name(t.Name)
	w.Text(" (")
	into.Text(" VALUES (", strings.Repeat("?, ", len(t.Columns)-1), "?)")
	for i, c := range t.Columns {
		native, err := sqliteName(c.Type)
		if err != nil {
			return "", "", fmt.Errorf("column %s: %w", c.Name, err)
		}
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.Name)
		w.Text(" ", native)
		if !c.Nullable {
			w.Text(" NOT NULL")
		}
	}
	for i, k := range t.Key {
		if i == 0 {
			w.Text(", PRIMARY KEY (")
		} else {
			w.Text(", ")
		}
		w.Name(k)
	}
	if len(t.Key) > 0 {
		w.Text(")")
	}
	w.Text(")")
	create, _ = w.Statement()
	insert, _ = into.Statement()
	return create, insert, nil
}

func sqliteName(t value.Type) (string, error) {
	switch t.Kind {
	case value.Decimal:
		digits := smallDecimal
		if t.Scale > smallDecimal || t.Wide {
			digits = value.MaxPrecision
		}
		return fmt.Sprintf("DECIMAL(%d,%d)", digits, t.Scale), nil
	case value.Null:
		return "", fmt.Errorf("no column can have the type %s", t.Name())
	case value.String, value.Integer, value.Float, value.Boolean, value.Date, value.Timestamp:
	}
	return dialect.SQLite().TypeName(t), nil
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
