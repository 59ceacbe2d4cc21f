// Package models holds the model files of the embedded demo, whose tables internal/demo makes, and of the audit record.
// The files are data: the catalogue reads and checks them like anyone's.
package models

import (
	"embed"
	"io/fs"
)

//go:embed audit default secure
var files embed.FS

// Default returns the folder of the namespace "default".
func Default() fs.FS { return folder("default") }

// Secure returns the folder of the namespace "demo-secure": the same models under policies.
func Secure() fs.FS { return over{folder("default"), folder("secure")} }

// Audit returns the folder of the namespace in which admins query the audit record.
func Audit() fs.FS { return folder("audit") }

func folder(name string) fs.FS {
	f, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // only an invalid path is an error, and these are constants
	}
	return f
}

// over is one folder with the files of another beside its own.
type over struct{ base, more fs.FS }

// Open opens a file of either folder.
func (o over) Open(name string) (fs.File, error) {
	if f, err := o.more.Open(name); err == nil && name != "." {
		return f, nil
	}
	return o.base.Open(name)
}

// ReadDir lists both folders.
func (o over) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.base, name)
	if err != nil {
		return nil, err
	}
	more, _ := fs.ReadDir(o.more, name) // it need not have the folder
	return append(entries, more...), nil
}
