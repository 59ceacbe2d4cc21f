// Package introspect writes model files from a live schema: facts and dimensions from its references, measures from its
// numbers, captions from its comments. It reads no database and no file; what it guesses it marks for a person to check.
package introspect

import (
	"slices"
	"strings"

	"parlance/internal/relation"
)

// Options say what to write.
type Options struct {
	Datasource string   // as the head of each file names it
	Tables     []string // the tables that get a model; none: every fact, and every table that no other points to
}

// File is one model file.
type File struct {
	Table string
	Model string // the model's name
	Name  string // of the file, without a folder: lower case, unique among the files
	Text  string
}

// Result is what was written and what was not.
type Result struct {
	Files []File
	Only  []string // tables without a model, which others have as a dimension
}

// Models writes a model for each of the tables that the options name. Dimensions are looked for among all tables of the
// schema and of others, which get no models.
func Models(schema *relation.Schema, others []*relation.Table, o Options) (Result, error) {
	w := newWorld(append(slices.Clone(schema.Tables), others...))
	tables, only, err := w.choose(schema, o.Tables)
	if err != nil {
		return Result{}, err
	}
	result := Result{Only: only}
	models, files := newNames(), newNames()
	for _, t := range tables {
		m := w.model(t, models)
		result.Files = append(result.Files, File{
			Table: t.Name, Model: m.name, Name: files.take(fileName(t.Name)) + ".yaml", Text: m.print(o.Datasource),
		})
	}
	return result, nil
}

// fileName is a table's name as every file system takes it.
func fileName(table string) string {
	name := strings.Join(words(table), "_")
	if name == "" {
		return "table"
	}
	return name
}
