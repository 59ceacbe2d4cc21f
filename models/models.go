// Package models holds the model files of the embedded demo, whose tables internal/demo makes.
// The files are data: the catalogue reads and checks them like anyone's.
package models

import (
	"embed"
	"io/fs"
)

//go:embed default
var files embed.FS

// Default returns the folder of the namespace "default".
func Default() fs.FS {
	folder, err := fs.Sub(files, "default")
	if err != nil {
		panic(err) // only an invalid path is an error, and this one is a constant
	}
	return folder
}
