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
	Data   bool   `help:"Also check keys, joins, trees and dictionary codes against the data, and print what each finding does to the numbers."`
	Config string `placeholder:"FILE" help:"With --data: the server's file, parlance.yaml, which names the databases; the embedded demo's without one."`
	Dir    string `arg:"" optional:"" help:"Folder of model files; with --data it may be left out for those that the configuration names."`
}

// Run prints every problem of the folder's files as file:line:column: message.
func (c validateCommand) Run(ctx context.Context, s Streams) error {
	switch {
	case c.Dir != "":
		if info, err := os.Stat(c.Dir); err != nil || !info.IsDir() {
			return fmt.Errorf("parlance: %s is not a folder", c.Dir)
		}
	case !c.Data:
		return errors.New("parlance: validate needs a folder of model files, or --data")
	}
	if c.Data {
		return c.data(ctx, s)
	}
	if c.Config != "" {
		return errors.New("parlance: --config has a meaning only with --data")
	}
	g, problems := catalog.Load(ctx, catalog.Options{FS: os.DirFS(c.Dir)})
	if err := printProblems(s, c.Dir, problems); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s, no problems\n", counted(len(g.Models), "model"))
	return nil
}

// printProblems prints the problems of a folder's files; an error counts them.
func printProblems(s Streams, dir string, problems []catalog.Problem) error {
	for _, p := range problems {
		if p.File != "" {
			p.File = filepath.Join(dir, filepath.FromSlash(p.File))
		}
		fmt.Fprintln(s.Out, p)
	}
	if len(problems) > 0 {
		return errors.New(counted(len(problems), "problem"))
	}
	return nil
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
