package datasource

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/dialect"
)

// csvFile is a CSV file whose first line was read.
type csvFile struct {
	folderFile
	header    []string
	delimiter rune
}

// delimiters are what may stand between two values, where the file's extension does not say it.
var delimiters = []rune{',', ';', '\t', '|'}

// copyCSV makes a table of the files' columns by name and copies the rows into it.
func (d *duckDB) copyCSV(ctx context.Context, conn *duckdb.Conn, t folderTable) error {
	columns, err := learnParts(ctx, conn, t)
	if err != nil {
		return err
	}
	parts := slices.Clone(columns)
	var files []csvFile
	for _, f := range t.files {
		file, wrong, err := readHeader(f)
		if wrong != "" {
			return badFile(d.name, f.shown, wrong, err)
		}
		for _, p := range parts {
			if slices.ContainsFunc(file.header, func(name string) bool { return strings.EqualFold(name, p.name) }) {
				return badFile(d.name, f.shown, fmt.Sprintf("has a column %q, which its folder says too", p.name), nil)
			}
		}
		files = append(files, file)
		if err := d.learnCSV(ctx, conn, file, &columns); err != nil {
			return d.badCSV(ctx, file, err)
		}
	}
	if _, err := conn.ExecContext(ctx, d.createCSV(t.name, columns), nil); err != nil {
		return err
	}
	for _, f := range files {
		if _, err := conn.ExecContext(ctx, d.insertCSV(t.name, f, columns), nil); err != nil {
			return d.badCSV(ctx, f, err)
		}
		if !f.same() {
			return badFile(d.name, f.shown, "was changed while it was read", nil)
		}
	}
	return nil
}

// learnCSV adds what a file's values look like.
func (d *duckDB) learnCSV(ctx context.Context, conn *duckdb.Conn, f csvFile, columns *csvColumns) error {
	aggregates := make([]string, len(f.header))
	for i := range f.header {
		aggregates[i] = looksOf(csvValue(i))
	}
	rows, err := selectText(ctx, conn, "SELECT "+strings.Join(aggregates, ", ")+" FROM "+f.read())
	if err != nil {
		return err
	}
	for i, name := range f.header {
		l, err := readLooks(rows[0][i])
		if err != nil {
			return err
		}
		columns.add(name, l)
	}
	return nil
}

func (d *duckDB) createCSV(table string, columns csvColumns) string {
	w := dialect.NewWriter(d.dialect())
	w.Text("CREATE TABLE ")
	w.Name(table)
	w.Text(" (")
	for i, c := range columns {
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.name)
		w.Text(" ", c.looks.native())
	}
	w.Text(")")
	text, _ := w.Statement()
	return text
}

// insertCSV copies the rows of a file. All that is not text has looks that its type was chosen by, so that no
// conversion can fail or round.
func (d *duckDB) insertCSV(table string, f csvFile, columns csvColumns) string {
	w := dialect.NewWriter(d.dialect())
	w.Text("INSERT INTO ")
	w.Name(table)
	w.Text(" BY NAME SELECT ")
	for i, name := range f.header {
		if i > 0 {
			w.Text(", ")
		}
		if native := columns.native(name); native == textColumn {
			w.Text(csvValue(i))
		} else {
			w.Text("CAST(nullif(", csvValue(i), ", '') AS ", native, ")")
		}
		w.Text(" AS ")
		w.Name(name)
	}
	for _, p := range f.parts {
		w.Text(", CAST(", p.literal(), " AS ", columns.native(p.column), ") AS ")
		w.Name(p.column)
	}
	w.Text(" FROM ", f.read())
	text, _ := w.Statement()
	return text
}

// csvValue is what a column of a file is called while it is read.
func csvValue(i int) string { return "v" + strconv.Itoa(i) }

// read is the file as a table of texts. Nothing bare is null, "" is an empty text; nothing is guessed, padded or skipped.
func (f csvFile) read() string {
	columns := make([]string, len(f.header))
	for i := range f.header {
		columns[i] = csvValue(i) + ": 'VARCHAR'"
	}
	compression := "none"
	if f.form.zipped {
		compression = "gzip"
	}
	return fmt.Sprintf("read_csv(%s, auto_detect = false, header = true, delim = %s, quote = '\"', escape = '\"', allow_quoted_nulls = false, "+
		"compression = '%s', hive_partitioning = false, columns = {%s})",
		duckText(exactPath(f.path)), duckText(string(f.delimiter)), compression, strings.Join(columns, ", "))
}

var csvLine = regexp.MustCompile(`^Invalid Input Error: CSV Error on Line: ([0-9]+)`)

// badCSV says where a file is broken, and nothing else of what the driver says.
func (d *duckDB) badCSV(ctx context.Context, f csvFile, err error) error {
	var e *duckdb.Error
	if ctx.Err() != nil || !errors.As(err, &e) || e.Type != duckdb.ErrorTypeInvalidInput {
		return err
	}
	wrong := "cannot be read as CSV in UTF-8"
	if at := csvLine.FindStringSubmatch(e.Msg); at != nil {
		wrong += ": look at line " + at[1]
	}
	return badFile(d.name, f.shown, wrong, err)
}

// maxHeader is how long the line of the column names may be.
const maxHeader = 1 << 20

// readHeader reads the names of the columns and finds what divides them. Of a compressed file the whole is read: one
// that was cut off looks complete to the database.
func readHeader(f folderFile) (file csvFile, wrong string, err error) {
	opened, err := os.Open(f.path)
	if err != nil {
		return file, "cannot be read", err
	}
	defer func() { _ = opened.Close() }()
	reader := io.Reader(opened)
	if f.form.zipped {
		if reader, err = gzip.NewReader(opened); err != nil {
			return file, "cannot be unpacked", err
		}
	}
	start, err := io.ReadAll(io.LimitReader(reader, maxHeader))
	if err == nil && f.form.zipped {
		_, err = io.Copy(io.Discard, reader)
	}
	if err != nil {
		return file, "is broken or cut off", err
	}
	file = csvFile{folderFile: f}
	file.header, file.delimiter = columnNames(start, f.form.delimiter)
	return file, wrongHeader(file.header), nil
}

// columnNames reads the first line. What divides the most names, divides them.
func columnNames(start []byte, delimiter rune) (names []string, found rune) {
	candidates := delimiters
	if delimiter != 0 {
		candidates = []rune{delimiter}
	}
	text := strings.TrimPrefix(string(start), "\ufeff")
	for _, c := range candidates {
		r := csv.NewReader(bufio.NewReader(strings.NewReader(text)))
		r.Comma = c
		if record, err := r.Read(); err == nil && len(record) > len(names) {
			names, found = record, c
		}
	}
	return names, found
}

func wrongHeader(names []string) string {
	if len(names) == 0 {
		return "has no first line with the names of the columns"
	}
	seen := map[string]bool{}
	for i, n := range names {
		key := strings.ToLower(n)
		switch {
		case strings.TrimSpace(n) == "":
			return fmt.Sprintf("has no name for column %d in its first line", i+1)
		case !utf8.ValidString(n) || strings.ContainsRune(n, 0):
			return fmt.Sprintf("has a name for column %d in its first line that is no text in UTF-8", i+1)
		case seen[key]:
			return fmt.Sprintf("has two columns %q", n)
		}
		seen[key] = true
	}
	return ""
}
