package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parlance/internal/catalog"
)

type validateCommand struct {
	Dir string `arg:"" help:"Folder of model files."`
}

// Run prints every problem of the folder's files as file:line:column: message.
func (c validateCommand) Run(ctx context.Context, s Streams) error {
	if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
		return fmt.Errorf("parlance: %s is not a folder", c.Dir)
	}
	g, problems := catalog.Load(ctx, catalog.Options{FS: os.DirFS(c.Dir)})
	for _, p := range problems {
		if p.File != "" {
			p.File = filepath.Join(c.Dir, filepath.FromSlash(p.File))
		}
		fmt.Fprintln(s.Out, p)
	}
	if len(problems) > 0 {
		return errors.New(counted(len(problems), "problem"))
	}
	fmt.Fprintf(s.Out, "%s, no problems\n", counted(len(g.Models), "model"))
	return nil
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
