package datasource

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"parlance/internal/dialect"
)

// Lines is a table whose rows are the lines of a file of JSON objects, and of the files beside it that have a number
// of six digits before the extension. They are read anew by every statement. A line without the first column is no row:
// it is broken, or still being written.
type Lines struct {
	Table   string
	File    string   // must be there
	Columns []Column // keys of the objects; a column of text also takes lists and objects, as JSON
}

// linesFile is what a view calls the name of a row's file.
const linesFile = "__file"

// settings opens the folder of the files for reading and makes the view; nothing else of the machine can be reached
// once the doors are shut. The folder is named twice because the database compares the pattern with it as well.
func (l *Lines) settings() []string {
	path, err := filepath.Abs(l.File)
	if err != nil {
		path = l.File // it is not found, which is the error
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	folder := filepath.Dir(path)
	return []string{"SET allowed_directories = [" + duckText(folder) + ", " + duckText(exactPath(folder)) + "]", l.view(path)}
}

func (l *Lines) view(path string) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	w := dialect.NewWriter(dialect.DuckDB())
	w.Text("CREATE VIEW ")
	w.Name(l.Table)
	w.Text(" AS SELECT * EXCLUDE (", linesFile, ") FROM read_json(", duckText(exactPath(stem)+"*"+exactPath(ext)),
		", format = 'newline_delimited', ignore_errors = true, maximum_object_size = 65536, filename = '", linesFile, "', columns = {")
	for i, c := range l.Columns {
		native, err := duckTable.words.of(c.Type)
		if err != nil {
			native = textColumn
		}
		if i > 0 {
			w.Text(", ")
		}
		w.Name(c.Name)
		w.Text(": ", duckText(native))
	}
	w.Text("}) WHERE ")
	w.Name(l.Columns[0].Name)
	w.Text(" IS NOT NULL AND regexp_full_match(", linesFile, ", ",
		duckText(fmt.Sprintf(`%s([.][0-9]{6,})?%s`, regexp.QuoteMeta(stem), regexp.QuoteMeta(ext))), ")")
	text, _ := w.Statement()
	return text
}
