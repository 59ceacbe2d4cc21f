package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"parlance/models"
)

type demoModelsCommand struct {
	Out string `required:"" placeholder:"DIR" help:"The folder to write to; it is made where there is none, and may hold none of the files."`
}

// Run writes the model files of the demo, byte for byte. Where one of them is there already, nothing is written.
func (c demoModelsCommand) Run(s Streams) error {
	files := models.Default()
	var names []string
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(c.Out, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("parlance: %s is there already; nothing was written", filepath.Join(c.Out, filepath.FromSlash(name)))
		}
	}
	if err := os.CopyFS(c.Out, files); err != nil {
		return fmt.Errorf("parlance: the model files cannot be written: %w", err)
	}
	_, err = fmt.Fprintf(s.Out, "%s written to %s\n", counted(len(names), "file"), c.Out)
	return err
}
