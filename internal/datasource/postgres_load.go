package datasource

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

var postgresTable = tableForm{words: typeWords{
	text: "text", integer: "integer", wide: "bigint", decimal: "numeric(%d,%d)", float: "double precision", boolean: "boolean",
	date: "date", timestamp: "timestamp", zoned: "timestamptz",
}}

// load makes and fills a table in one transaction, the only one that may write.
func (p *postgres) load(ctx context.Context, t Table) error {
	create, err := postgresTable.create(p.dialect(), t)
	if err != nil {
		return err
	}
	conn, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer p.give(conn)
	run := func(text string) error { return conn.Exec(ctx, text).Close() }
	err = run("BEGIN READ WRITE; SET LOCAL statement_timeout = 0; " + dropFirst(p.dialect(), t, "; ") + create)
	if err == nil {
		err = p.fill(ctx, conn, t)
	}
	if err == nil {
		err = run(p.finish(t))
	}
	if err != nil && !conn.IsClosed() {
		err = errors.Join(err, conn.Exec(context.WithoutCancel(ctx), "ROLLBACK").Close())
	}
	return err
}

// finish is what follows the rows: the key, what the planner knows of them, and the end of the transaction.
func (p *postgres) finish(t Table) string {
	w := dialect.NewWriter(p.dialect())
	if len(t.Key) > 0 {
		w.Text("ALTER TABLE ")
		w.Name(t.Name)
		w.Text(" ADD PRIMARY KEY (")
		writeNames(w, t.Key)
		w.Text("); ")
	}
	w.Text("ANALYZE ")
	w.Name(t.Name)
	w.Text("; COMMIT")
	text, _ := w.Statement()
	return text
}

// fill streams the rows: they are made here and sent by the driver beside.
func (p *postgres) fill(ctx context.Context, conn *pgconn.PgConn, t Table) error {
	w := dialect.NewWriter(p.dialect())
	w.Text("COPY ")
	w.Name(t.Name)
	w.Text(" FROM STDIN")
	text, _ := w.Statement()
	out, in := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		_, err := conn.CopyFrom(ctx, out, text)
		_ = out.CloseWithError(io.ErrClosedPipe)
		sent <- err
	}()
	made := copyRows(in, t)
	_ = in.CloseWithError(made) // nil is the end of the rows
	if err := <-sent; err != nil && (made == nil || errors.Is(made, io.ErrClosedPipe)) {
		return err
	}
	return made
}

// copyChunk is about how many bytes are handed over at once.
const copyChunk = 64 << 10

// copyRows writes the rows of a table in the text form of COPY.
func copyRows(to io.Writer, t Table) error {
	buf, n := make([]byte, 0, copyChunk+copyChunk/8), 0
	for row := range t.Rows {
		n++
		var err error
		if buf, err = appendRow(buf, t.Columns, row); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
		if len(buf) < copyChunk {
			continue
		}
		if _, err := to.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	_, err := to.Write(buf)
	return err
}

func appendRow(b []byte, columns []Column, row []any) ([]byte, error) {
	if len(row) != len(columns) {
		return nil, fmt.Errorf("%d cells for %d columns", len(row), len(columns))
	}
	for i, cell := range row {
		if i > 0 {
			b = append(b, '\t')
		}
		var ok bool
		if b, ok = appendCopied(b, columns[i].Type, cell); !ok {
			return nil, fmt.Errorf("%v does not fit column %s", cell, columns[i].Name)
		}
	}
	return append(b, '\n'), nil
}

var copyEscape = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// appendCopied appends one cell; it reports false for one that its column cannot hold. Whether a number is too large
// is for the server to say.
func appendCopied(b []byte, t value.Type, cell any) ([]byte, bool) {
	switch v := cell.(type) {
	case nil:
		return append(b, '\\', 'N'), true
	case int64:
		b = strconv.AppendInt(b, v, 10)
		if t.Kind == value.Decimal && t.Scale > 0 {
			b = append(b, "e-"...)
			b = strconv.AppendInt(b, int64(t.Scale), 10)
		}
		return b, t.Exact()
	case *big.Int:
		b = v.Append(b, 10)
		b = append(b, "e-"...)
		return strconv.AppendInt(b, int64(t.Scale), 10), t.Kind == value.Decimal && t.Wide
	case string:
		return append(b, copyEscape.Replace(v)...), t.Kind == value.String
	case bool:
		return strconv.AppendBool(b, v), t.Kind == value.Boolean
	case float64:
		return strconv.AppendFloat(b, v, 'g', -1, 64), t.Kind == value.Float
	case time.Time:
		const lastYear = 9999
		return v.UTC().AppendFormat(b, time.RFC3339Nano), t.Temporal() && v.Year() > 0 && v.Year() <= lastYear
	}
	return b, false
}
