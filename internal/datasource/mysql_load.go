package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

const (
	mysqlTextLength   = 100   // of a text column, until a longer text comes; the server indexes two such group keys, not longer ones
	mysqlBatch        = 1000  // rows of one INSERT
	mysqlMaxArguments = 65535 // of one statement
)

// load makes and fills a table. Making one cannot be undone by the server, so a table that could not be filled is dropped.
func (m *mySQL) load(ctx context.Context, t Table) (err error) {
	text, err := m.table().create(m.dialect(), t)
	if err != nil {
		return err
	}
	conn, err := m.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	first := []string{"SET SESSION TRANSACTION READ WRITE", "SET SESSION sql_mode = 'STRICT_ALL_TABLES'"}
	if drop := dropFirst(m.dialect(), t, ""); drop != "" {
		first = append(first, drop)
	}
	for _, s := range append(first, text, "START TRANSACTION") {
		if _, err := conn.ExecContext(ctx, s, nil); err != nil {
			return err
		}
	}
	if err = m.fill(ctx, conn, t); err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT", nil)
	}
	if err != nil {
		return errors.Join(err, m.undo(context.WithoutCancel(ctx), conn, t.Name))
	}
	return nil
}

// undo drops a table, over another session where the loading one is gone.
func (m *mySQL) undo(ctx context.Context, conn *mysqlConn, table string) error {
	w := dialect.NewWriter(m.dialect())
	w.Text("DROP TABLE ")
	w.Name(table)
	text, _ := w.Statement()
	if _, err := conn.ExecContext(ctx, text, nil); err == nil {
		return nil
	}
	other, err := m.connect(ctx)
	if err != nil {
		return err
	}
	_, set := other.ExecContext(ctx, "SET SESSION TRANSACTION READ WRITE", nil)
	_, err = other.ExecContext(ctx, text, nil)
	return errors.Join(set, err, other.Close())
}

// table is how the server writes tables; texts of one compare by its own rule.
func (m *mySQL) table() tableForm {
	return tableForm{null: " NULL DEFAULT NULL", keyed: true, after: " CHARACTER SET utf8mb4 COLLATE " + m.server.dialect.Text, words: typeWords{
		text: fmt.Sprintf("VARCHAR(%d)", mysqlTextLength), integer: "INT", wide: "BIGINT", decimal: "DECIMAL(%d,%d)", float: "DOUBLE",
		boolean: "BOOLEAN", date: "DATE", timestamp: "DATETIME(6)", zoned: "TIMESTAMP(6)",
	}}
}

// fill inserts the rows, many in one statement.
func (m *mySQL) fill(ctx context.Context, conn *mysqlConn, t Table) error {
	batch := min(mysqlBatch, mysqlMaxArguments/max(1, len(t.Columns)))
	b := mysqlBatcher{conn: conn, columns: len(t.Columns), rows: batch, into: m.insert(t)}
	defer b.close()
	n, long := 0, map[int]bool{}
	for row := range t.Rows {
		n++
		if len(row) != len(t.Columns) {
			return fmt.Errorf("row %d has %d cells for %d columns", n, len(row), len(t.Columns))
		}
		for i, cell := range row {
			v, err := mysqlCell(t.Columns[i].Type, cell)
			if err != nil {
				return fmt.Errorf("row %d, column %s: %w", n, t.Columns[i].Name, err)
			}
			if text, ok := v.(string); ok && utf8.RuneCountInString(text) > mysqlTextLength && !long[i] {
				long[i] = true
				if _, err := conn.ExecContext(ctx, m.lengthen(t, i), nil); err != nil {
					return err
				}
			}
			b.args = append(b.args, driver.NamedValue{Ordinal: len(b.args) + 1, Value: v})
		}
		if n%batch == 0 {
			if err := b.flush(ctx); err != nil {
				return err
			}
		}
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return b.flush(ctx)
}

func (m *mySQL) insert(t Table) string {
	w := dialect.NewWriter(m.dialect())
	w.Text("INSERT INTO ")
	w.Name(t.Name)
	w.Text(" VALUES ")
	text, _ := w.Statement()
	return text
}

// lengthen returns a statement that makes a column of texts take any text; one of the key stays as it is.
func (m *mySQL) lengthen(t Table, i int) string {
	w := dialect.NewWriter(m.dialect())
	w.Text("ALTER TABLE ")
	w.Name(t.Name)
	w.Text(" MODIFY ")
	w.Name(t.Columns[i].Name)
	w.Text(" LONGTEXT CHARACTER SET utf8mb4 COLLATE ", m.server.dialect.Text)
	if !t.Columns[i].Nullable {
		w.Text(" NOT NULL")
	}
	text, _ := w.Statement()
	return text
}

// mysqlBatcher sends rows in statements of the same text, which is prepared once.
type mysqlBatcher struct {
	conn    *mysqlConn
	into    string
	columns int
	rows    int // of a full statement
	args    []driver.NamedValue
	full    driver.Stmt
}

func (b *mysqlBatcher) flush(ctx context.Context) error {
	if len(b.args) == 0 {
		return nil
	}
	rows := len(b.args) / b.columns
	stmt := b.full
	if stmt == nil || rows != b.rows {
		one := "(" + strings.Repeat("?, ", b.columns-1) + "?)"
		var err error
		if stmt, err = b.conn.PrepareContext(ctx, b.into+strings.Repeat(one+", ", rows-1)+one); err != nil {
			return err
		}
		if rows == b.rows {
			b.full = stmt
		} else {
			defer func() { _ = stmt.Close() }()
		}
	}
	_, err := stmt.(driver.StmtExecContext).ExecContext(ctx, b.args)
	b.args = b.args[:0]
	return err
}

func (b *mysqlBatcher) close() {
	if b.full != nil {
		_ = b.full.Close()
	}
}

// mysqlCell returns a cell as the server takes it. The server itself would read a number out of a text.
func mysqlCell(t value.Type, cell any) (driver.Value, error) {
	switch v := cell.(type) {
	case nil:
		return nil, nil
	case int64:
		switch {
		case !fits(t, cell):
		case t.Kind == value.Integer:
			return v, nil
		case t.Kind == value.Decimal:
			return fmt.Sprintf("%de-%d", v, t.Scale), nil
		}
	case float64:
		if t.Kind == value.Float {
			return v, nil
		}
	case string:
		if t.Kind == value.String {
			return v, nil
		}
	case bool:
		if t.Kind == value.Boolean {
			return v, nil
		}
	case time.Time:
		if t.Temporal() {
			return v.UTC().Format("2006-01-02 15:04:05.999999"), nil
		}
	}
	return nil, fmt.Errorf("%v does not fit a column of %s", cell, t.Name())
}
