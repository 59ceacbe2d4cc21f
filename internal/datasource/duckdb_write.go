package datasource

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/dialect"
)

var (
	errOtherFile = errors.New("the table is made of other files than one of its name, and they are not touched")
	errFileName  = errors.New("a file cannot have the table's name")
)

// loadFile writes a table as a Parquet file of the folder: under a name that nobody reads until it is whole.
func (d *duckDB) loadFile(ctx context.Context, t Table) error {
	if hidden(t.Name) || strings.ContainsAny(t.Name, "/\\\x00") {
		return errFileName
	}
	path := filepath.Join(d.folder.root, t.Name+".parquet")
	if err := d.writable(path, t); err != nil {
		return err
	}
	part := filepath.Join(d.folder.root, "."+t.Name+".parquet.part")
	if err := d.writeFile(ctx, t, part); err != nil {
		return errors.Join(err, removed(part))
	}
	if err := os.Rename(part, path); err != nil {
		return errors.Join(err, removed(part))
	}
	return d.refresh(ctx)
}

// writable reports whether a table may be written to a file.
func (d *duckDB) writable(path string, t Table) error {
	tables, err := scanFolder(d.name, d.folder.root)
	if err != nil {
		return err
	}
	for _, old := range tables {
		switch {
		case !strings.EqualFold(old.name, t.Name):
		case !t.Replace:
			return errThere
		case len(old.files) != 1 || old.files[0].path != path:
			return errOtherFile
		}
	}
	return nil
}

// writeFile writes the rows of a table, by way of one in memory that goes away with its transaction.
func (d *duckDB) writeFile(ctx context.Context, t Table, path string) (err error) {
	t.Name, t.Replace = "__loaded "+t.Name, false
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
		err = d.export(ctx, conn, t.Name, path)
	}
	_, undone := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil)
	return errors.Join(err, undone)
}

func (d *duckDB) export(ctx context.Context, conn *duckdb.Conn, table, path string) error {
	w := dialect.NewWriter(d.dialect())
	w.Text("COPY ")
	w.Name(table)
	w.Text(" TO ", duckText(path), " (FORMAT parquet, COMPRESSION zstd)")
	text, _ := w.Statement()
	_, err := conn.ExecContext(ctx, text, nil)
	return err
}

func removed(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
