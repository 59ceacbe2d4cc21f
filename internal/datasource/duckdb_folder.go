package datasource

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// folderTable is one table of a folder: a file, or all files of a folder in it.
type folderTable struct {
	name  string
	csv   bool // or Parquet
	files []folderFile
}

// folderFile is a file of a table.
type folderFile struct {
	path    string // without symbolic links
	shown   string // what a person calls it: the name within the folder
	form    fileForm
	parts   []part // what the folders that it lies in say
	size    int64
	changed time.Time
}

// fileForm is what a file's extension says of it.
type fileForm struct {
	extension string
	csv       bool
	delimiter rune // of a CSV file; 0: found in its first line
	zipped    bool
}

var fileForms = []fileForm{
	{extension: ".parquet"},
	{extension: ".csv", csv: true},
	{extension: ".csv.gz", csv: true, zipped: true},
	{extension: ".tsv", csv: true, delimiter: '\t'},
	{extension: ".tsv.gz", csv: true, delimiter: '\t', zipped: true},
}

// formOf splits a file's name into the table's and what its extension says. Hidden files, and files with other
// extensions, are none of ours.
func formOf(name string) (table string, form fileForm, ok bool) {
	lower := strings.ToLower(name)
	for _, f := range fileForms {
		if strings.HasSuffix(lower, f.extension) && len(name) > len(f.extension) && !hidden(name) {
			return name[:len(name)-len(f.extension)], f, true
		}
	}
	return "", fileForm{}, false
}

// hidden names are those that programs keep for themselves, such as _SUCCESS and what is still being written.
func hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

// folderScan finds the tables of a folder.
type folderScan struct {
	source string // the datasource, for messages
	root   string // without symbolic links
	tables []folderTable
	claims map[string]string // by the table's name in small letters: the file or folder that has it
}

// scanFolder returns the tables of a folder, by name. A name that two files would have is an error, as is a link that
// leads out of the folder.
func scanFolder(source, root string) ([]folderTable, error) {
	s := &folderScan{source: source, root: root, claims: map[string]string{}}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, unreadableFolder(source, err)
	}
	for _, e := range entries {
		if err := s.entry(e.Name()); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.tables, func(a, b folderTable) int { return strings.Compare(a.name, b.name) })
	return s.tables, nil
}

func (s *folderScan) entry(name string) error {
	if hidden(name) {
		return nil
	}
	path, info, err := s.resolve(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return s.folder(name, path)
	}
	table, form, ok := formOf(name)
	if !ok {
		return nil
	}
	file := folderFile{path: path, shown: name, form: form, size: info.Size(), changed: info.ModTime()}
	return s.claim(folderTable{name: table, csv: form.csv, files: []folderFile{file}}, name)
}

// folder makes one table of the files of a folder; one without any is none of ours.
func (s *folderScan) folder(name, path string) error {
	t := folderTable{name: name}
	if err := s.collect(&t, name, path, nil); err != nil || len(t.files) == 0 {
		return err
	}
	for _, f := range t.files {
		switch first := t.files[0]; {
		case f.form.csv != first.form.csv:
			return badFolder(s.source, "the folder %s holds Parquet and CSV files; a table has one kind", name)
		case !sameColumns(f.parts, first.parts):
			return badFolder(s.source, "%s and %s lie in folders that do not say the same columns", first.shown, f.shown)
		case len(f.parts) > 0 && strings.Contains(s.root, "="):
			return badFolder(s.source, "%s lies in a folder that says a column, which cannot be told where the path of the datasource's folder holds =", f.shown)
		}
	}
	t.csv = t.files[0].form.csv
	return s.claim(t, name)
}

// collect gathers the files of a folder, and of the folders in it that say a column.
func (s *folderScan) collect(t *folderTable, within, path string, parts []part) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return unreadableFolder(s.source, err)
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			continue
		}
		shown := filepath.Join(within, e.Name())
		path, info, err := s.resolve(shown)
		if err != nil {
			return err
		}
		if info.IsDir() {
			p, ok := partOf(e.Name())
			if !ok {
				return badFolder(s.source, "%s is a folder in the folder of a table, which is read only where it says a column, as year=2024 does", shown)
			}
			if err := s.collect(t, shown, path, append(slices.Clip(parts), p)); err != nil {
				return err
			}
			continue
		}
		if _, form, ok := formOf(e.Name()); ok {
			t.files = append(t.files, folderFile{path: path, shown: shown, form: form, parts: parts, size: info.Size(), changed: info.ModTime()})
		}
	}
	return nil
}

// resolve follows symbolic links, within the folder only.
func (s *folderScan) resolve(shown string) (string, os.FileInfo, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(s.root, shown))
	if err != nil {
		return "", nil, badFile(s.source, shown, "cannot be read", err)
	}
	if inside, err := filepath.Rel(s.root, path); err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return "", nil, badFile(s.source, shown, "is a link that leads out of the folder", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, badFile(s.source, shown, "cannot be read", err)
	}
	return path, info, nil
}

// claim gives a table its name. Names that differ only in case are one to the database.
func (s *folderScan) claim(t folderTable, by string) error {
	key := strings.ToLower(t.name)
	if other, taken := s.claims[key]; taken {
		return badFolder(s.source, "%s and %s would both be the table %q", other, by, t.name)
	}
	s.claims[key] = by
	s.tables = append(s.tables, t)
	return nil
}

// mark is a text that is another once a file of the table was changed.
func (t folderTable) mark() string {
	var b strings.Builder
	for _, f := range t.files {
		b.WriteString(f.mark())
	}
	return b.String()
}

func (f folderFile) mark() string {
	return f.path + "\x00" + f.changed.UTC().Format(time.RFC3339Nano) + "\x00" + strconv.FormatInt(f.size, 10) + "\x00"
}

// same reports whether the file is still as it was found.
func (f folderFile) same() bool {
	info, err := os.Stat(f.path)
	return err == nil && info.Size() == f.size && info.ModTime().Equal(f.changed)
}
