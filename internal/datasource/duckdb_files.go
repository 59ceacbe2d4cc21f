package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/dialect"
)

// duckFolder is a folder whose files are the tables of a database in memory. A Parquet file is read where it is, by a
// view; a CSV file is copied into the database, since it says nothing of its types: they are found over the whole file
// and must not change behind that.
type duckFolder struct {
	root  string               // without symbolic links
	known map[string]knownFile // by table: what the database has
	grown bool                 // it may be empty, to be loaded
}

// knownFile is a table that the database has.
type knownFile struct {
	csv  bool
	mark string // of the files that it was made of
}

// filesAlias is what a view calls the files behind it; an error that names it is about them.
const filesAlias = "__files"

// filesChanged is the error of a view whose files have other types than when it was made.
const filesChanged = "the files of the table have other columns than before"

// openFolder finds the folder. One that is to be loaded is made.
func openFolder(name string, c Config) (*duckFolder, error) {
	if c.Folder == "" {
		return nil, nil
	}
	if c.Path != "" {
		return nil, badSetting(name, "folder", "a duckdb datasource has a path or a folder, not both")
	}
	if c.Create {
		if err := os.MkdirAll(c.Folder, 0o755); err != nil {
			return nil, unreadableFolder(name, err)
		}
	}
	root, err := filepath.Abs(c.Folder)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, unreadableFolder(name, err)
	}
	return &duckFolder{root: root, known: map[string]knownFile{}, grown: c.Create}, nil
}

// refresh makes the tables those of the folder as it is now: all of them, or, on error, none but those of before.
func (d *duckDB) refresh(ctx context.Context) (err error) {
	if d.folder == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	tables, err := scanFolder(d.name, d.folder.root)
	if err != nil {
		return err
	}
	if len(tables) == 0 && !d.folder.grown {
		return badFolder(d.name, "the folder holds no file that ends with .parquet, .csv, .csv.gz, .tsv or .tsv.gz")
	}
	conn, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer d.give(conn)
	if _, err := conn.ExecContext(ctx, "BEGIN", nil); err != nil {
		return err
	}
	known, err := d.bring(ctx, conn, tables)
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT", nil)
	}
	if err != nil {
		_, undone := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK", nil)
		if undone != nil {
			return errors.Join(err, undone)
		}
		return err
	}
	d.folder.known = known
	return nil
}

// bring changes what has to be changed and returns what is there then.
func (d *duckDB) bring(ctx context.Context, conn *duckdb.Conn, tables []folderTable) (map[string]knownFile, error) {
	known := map[string]knownFile{}
	for _, t := range tables {
		known[t.name] = knownFile{csv: t.csv, mark: t.mark()}
	}
	for name, old := range d.folder.known {
		if known[name] == old {
			continue
		}
		if err := d.forget(ctx, conn, name, old); err != nil {
			return nil, err
		}
	}
	for _, t := range tables {
		if d.folder.known[t.name] == known[t.name] {
			continue
		}
		var err error
		if t.csv {
			err = d.copyCSV(ctx, conn, t)
		} else {
			err = d.viewParquet(ctx, conn, t)
		}
		if err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (d *duckDB) forget(ctx context.Context, conn *duckdb.Conn, name string, old knownFile) error {
	w := dialect.NewWriter(d.dialect())
	w.Text("DROP VIEW ")
	if old.csv {
		w = dialect.NewWriter(d.dialect())
		w.Text("DROP TABLE ")
	}
	w.Name(name)
	text, _ := w.Statement()
	_, err := conn.ExecContext(ctx, text, nil)
	return err
}

// viewParquet makes a view of the files' columns by name. Files that come later with other types would silently change
// what the models were checked against, so every column says what it was.
func (d *duckDB) viewParquet(ctx context.Context, conn *duckdb.Conn, t folderTable) error {
	parts, err := learnParts(ctx, conn, t)
	if err != nil {
		return err
	}
	from := readParquet(t.files, parts)
	columns, err := selectText(ctx, conn, "DESCRIBE SELECT * FROM "+from)
	if err != nil {
		return d.badParquet(ctx, t, err)
	}
	w := dialect.NewWriter(d.dialect())
	w.Text("CREATE VIEW ")
	w.Name(t.name)
	w.Text(" AS SELECT ")
	for i, c := range columns {
		if i > 0 {
			w.Text(", ")
		}
		w.Text("CAST(if(typeof(", filesAlias, ".")
		w.Name(c[0])
		w.Text(") = ", duckText(c[1]), ", ", filesAlias, ".")
		w.Name(c[0])
		w.Text(", error(", duckText(filesChanged), ")) AS ", c[1], ") AS ")
		w.Name(c[0])
	}
	w.Text(" FROM ", from, " AS ", filesAlias)
	text, _ := w.Statement()
	if _, err := conn.ExecContext(ctx, text, nil); err != nil {
		return badFile(d.name, t.files[0].shown, "cannot be read as Parquet", err)
	}
	return nil
}

// badParquet finds the file that is at fault, over a connection whose transaction has not failed.
func (d *duckDB) badParquet(ctx context.Context, t folderTable, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	conn, failed := d.take(ctx)
	if failed != nil {
		return failed
	}
	defer d.give(conn)
	for _, f := range t.files {
		if _, own := selectText(ctx, conn, "DESCRIBE SELECT * FROM "+readParquet([]folderFile{f}, nil)); own != nil {
			return badFile(d.name, f.shown, "cannot be read as Parquet", own)
		}
	}
	return badFile(d.name, t.name, "holds files whose columns do not go together", err)
}

// readParquet is the files as one table, with the columns that their folders say.
func readParquet(files []folderFile, parts csvColumns) string {
	list := make([]string, len(files))
	for i, f := range files {
		list[i] = duckText(exactPath(f.path))
	}
	hive := "false"
	if len(parts) > 0 {
		types := make([]string, len(parts))
		for i, p := range parts {
			types[i] = duckText(p.name) + ": " + p.looks.native()
		}
		hive = "true, hive_types = {" + strings.Join(types, ", ") + "}"
	}
	return "read_parquet([" + strings.Join(list, ", ") + "], union_by_name = true, hive_partitioning = " + hive + ")"
}

// duckText is a text as a literal, for the few places where the database takes no argument.
func duckText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// exactPath is a path that the database takes for a file and not for a pattern.
func exactPath(path string) string {
	return strings.NewReplacer("*", "[*]", "?", "[?]", "[", "[[]").Replace(path)
}

// selectText runs a statement of our own and returns its rows, their first cells as text.
func selectText(ctx context.Context, conn *duckdb.Conn, text string) (out [][]string, err error) {
	rows, err := conn.QueryContext(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	cells := make([]driver.Value, len(rows.Columns()))
	for {
		if err := rows.Next(cells); err != nil {
			if errors.Is(err, io.EOF) {
				return out, nil
			}
			return nil, err
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i], _ = c.(string)
		}
		out = append(out, row)
	}
}
