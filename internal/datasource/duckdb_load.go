package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

var duckTable = tableForm{words: typeWords{
	text: "VARCHAR", integer: "INTEGER", wide: "BIGINT", decimal: "DECIMAL(%d,%d)", float: "DOUBLE", boolean: "BOOLEAN",
	date: "DATE", timestamp: "TIMESTAMP", zoned: "TIMESTAMPTZ",
}}

// load makes and fills a table in one transaction; in a folder it becomes a file.
func (d *duckDB) load(ctx context.Context, t Table) (err error) {
	if d.folder != nil {
		return d.loadFile(ctx, t)
	}
	text, err := duckTable.create(d.dialect(), t)
	if err != nil {
		return err
	}
	conn, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer d.give(conn)
	if _, err = conn.ExecContext(ctx, "BEGIN", nil); err != nil {
		return err
	}
	if err = d.make(ctx, conn, t, text); err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT", nil)
		return err
	}
	_, undone := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil)
	return errors.Join(err, undone)
}

// make makes and fills a table.
func (d *duckDB) make(ctx context.Context, conn *duckdb.Conn, t Table, create string) error {
	if _, err := conn.ExecContext(ctx, dropFirst(d.dialect(), t, "; ")+create, nil); err != nil {
		return err
	}
	if err := fill(ctx, conn, t); err != nil {
		return err
	}
	if t.Narrow {
		if err := d.narrow(ctx, conn, t); err != nil {
			return err
		}
	}
	if len(t.Key) == 0 {
		return nil
	}
	_, err := conn.ExecContext(ctx, d.checkKey(t), nil)
	return err
}

// narrow keeps wide decimals as small ones where all of a column are: they take half the room, and far less time to add up.
func (d *duckDB) narrow(ctx context.Context, conn *duckdb.Conn, t Table) error {
	for _, c := range t.Columns {
		if c.Type.Kind != value.Decimal || !c.Type.Wide || c.Type.Scale > smallDecimal {
			continue
		}
		small, err := d.allSmall(ctx, conn, t.Name, c)
		if err != nil {
			return err
		}
		if !small {
			continue
		}
		w := dialect.NewWriter(d.dialect())
		w.Text("ALTER TABLE ")
		w.Name(t.Name)
		w.Text(" ALTER COLUMN ")
		w.Name(c.Name)
		w.Text(fmt.Sprintf(" TYPE DECIMAL(%d,%d)", smallDecimal, c.Type.Scale))
		text, _ := w.Statement()
		if _, err := conn.ExecContext(ctx, text, nil); err != nil {
			return err
		}
	}
	return nil
}

// allSmall reports whether every value of a column of decimals fits in 64 bits.
func (d *duckDB) allSmall(ctx context.Context, conn *duckdb.Conn, table string, c Column) (bool, error) {
	w := dialect.NewWriter(d.dialect())
	w.Text("SELECT coalesce(max(abs(")
	w.Name(c.Name)
	w.Text(")) < 1", strings.Repeat("0", smallDecimal-int(c.Type.Scale)), ", true) FROM ")
	w.Name(table)
	text, _ := w.Statement()
	rows, err := conn.QueryContext(ctx, text, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	cell := make([]driver.Value, 1)
	if err := rows.Next(cell); err != nil {
		return false, err
	}
	return cell[0] == true, nil
}

// checkKey returns a statement that fails when two rows have one key. A primary key would do the same at several times
// the cost of the whole load, and its index serves no query of ours.
func (d *duckDB) checkKey(t Table) string {
	w := dialect.NewWriter(d.dialect())
	w.Text("SELECT error('two rows have one key') FROM (SELECT 1 FROM ")
	w.Name(t.Name)
	w.Text(" GROUP BY ")
	writeNames(w, t.Key)
	w.Text(" HAVING count(*) > 1)")
	text, _ := w.Statement()
	return text
}

// fill appends the rows. Without checks the appender would cut an integer that does not fit its column.
func fill(ctx context.Context, conn *duckdb.Conn, t Table) (err error) {
	appender, err := duckdb.NewAppenderFromConn(conn, "", t.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, appender.CloseWithCancel(ctx)) }()
	values, n := make([]driver.Value, len(t.Columns)), 0
	for row := range t.Rows {
		n++
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(row) != len(values) {
			return fmt.Errorf("row %d has %d cells for %d columns", n, len(row), len(values))
		}
		for i, cell := range row {
			if !fits(t.Columns[i].Type, cell) {
				return fmt.Errorf("row %d: %v does not fit column %s", n, cell, t.Columns[i].Name)
			}
			values[i] = cell
		}
		if err := appender.AppendRow(values...); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
	}
	return nil
}

func fits(t value.Type, cell any) bool {
	const decimalBound = 1_000_000_000_000_000_000 // ten to the power of smallDecimal
	if wide, ok := cell.(*big.Int); ok {
		return t.Kind == value.Decimal && t.Wide && len(wide.Text(10)) <= value.MaxPrecision
	}
	n, ok := cell.(int64)
	switch {
	case !ok:
		return true
	case t.Kind == value.Integer && !t.Wide:
		return n >= math.MinInt32 && n <= math.MaxInt32
	case t.Kind == value.Decimal && !t.Wide:
		return n > -decimalBound && n < decimalBound
	}
	return true
}
