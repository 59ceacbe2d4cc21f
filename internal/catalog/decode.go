// Package catalog turns the model files of a namespace into a checked, immutable generation, and swaps generations
// while queries run. It owns the file format; it runs no query and knows no database but through Schema.
package catalog

import (
	"path"
	"strings"
)

// decoded is one file read on its own: what it says, and what is wrong with it whatever the other files say.
// It depends on nothing but the file's bytes and is never changed, so an unchanged file's can be used again.
type decoded struct {
	path         string
	sum          [32]byte
	model        *rawModel // nil for a file of dictionaries or policies and for one that is no mapping
	dictionaries *rawDictionaries
	policies     *rawPolicies
	problems     []Problem
}

// isModelFile reports whether a file of a namespace's folder is read at all: hidden ones are not.
func isModelFile(name string) bool {
	base := path.Base(name)
	return !strings.HasPrefix(base, ".") && (strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml"))
}

func isDictionaryFile(name string) bool {
	base := path.Base(name)
	return base == "dictionaries.yaml" || base == "dictionaries.yml"
}

func isPolicyFile(name string) bool {
	base := path.Base(name)
	return base == "policies.yaml" || base == "policies.yml"
}

// decode reads one file.
func decode(f sourceFile) *decoded {
	r := &report{file: f.path}
	d := &decoded{path: f.path, sum: f.sum}
	if root := parseYAML(r, f.data); root != nil {
		d.read(r, root)
	}
	d.problems = r.problems
	return d
}

func (d *decoded) read(r *report, root *node) {
	switch {
	case isDictionaryFile(d.path):
		d.dictionaries = &rawDictionaries{}
		d.dictionaries.read(r, root)
	case isPolicyFile(d.path):
		d.policies = &rawPolicies{}
		d.policies.read(r, root)
	default:
		var m object[rawModel, *rawModel]
		m.read(r, root)
		if d.model = m.value; d.model != nil {
			checkNames(r, d.model)
		}
	}
}
