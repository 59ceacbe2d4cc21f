// Package page serves the page where people see their data: files that are built from web/ and embedded in the binary.
// It has no power of its own: all that the page shows, it asks of the public interfaces, as any other client would.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed assets
var embedded embed.FS

// indexFile is what the root of the server shows.
const indexFile = "index.html"

// Handlers returns the page's files by their paths; / is the page itself.
func Handlers() map[string]http.Handler {
	files, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic("page: " + err.Error()) // the name is a constant
	}
	return handlers(files)
}

func handlers(files fs.FS) map[string]http.Handler {
	all := map[string]http.Handler{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		all[pathOf(name)] = newFile(name, content)
		return nil
	})
	if err != nil {
		panic("page: " + err.Error()) // what is embedded can be read
	}
	return all
}

func pathOf(name string) string { return "/" + strings.TrimSuffix(name, indexFile) }
