// Package schema publishes the model file's JSON Schema, for editors and for `parlance schema`.
// It checks nothing itself; the catalogue does, and a test there holds the two together.
package schema

import _ "embed"

//go:embed model.json
var model []byte

// Model returns the JSON Schema (draft 2020-12) of a model file. The slice must not be changed.
func Model() []byte { return model }
