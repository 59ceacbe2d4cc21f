package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/introspect"
	"parlance/internal/relation"
)

type introspectCommand struct {
	Config     string   `placeholder:"FILE" help:"The server's file, parlance.yaml, which names the databases; the embedded demo's without one."`
	Datasource string   `placeholder:"NAME" help:"The datasource to read; may be left out where there is only one."`
	Tables     []string `placeholder:"A,B" help:"The tables that get a model; every fact, and every table that no other points to, unless given."`
	Schema     string   `placeholder:"NAME" help:"The schema of the tables; the datasource's own unless given."`
	Out        string   `placeholder:"DIR" help:"Folder that gets a file for each model; one model is printed without it."`
	Force      bool     `help:"With --out: overwrite files that exist."`
}

// Run prints the model of one table, or writes those of several to a folder.
func (c introspectCommand) Run(ctx context.Context, s Streams) (err error) {
	if c.Force && c.Out == "" {
		return errors.New("parlance: --force has a meaning only with --out")
	}
	config, err := serveCommand{Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	source, err := c.open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	made, err := c.read(ctx, source)
	if err != nil {
		return unread(source.Name(), err)
	}
	if c.Out == "" {
		return printed(s, made)
	}
	return c.write(s, made)
}

// open opens the datasource alone, or the demo's with its data.
func (c introspectCommand) open(ctx context.Context, config Config) (*datasource.Source, error) {
	log := slog.New(slog.DiscardHandler)
	if c.Config == "" {
		if c.Datasource != "" && c.Datasource != demoName {
			return nil, fmt.Errorf("parlance: without --config there is only the datasource %s", demoName)
		}
		w, err := openDemo(ctx, config, log)
		if err != nil {
			return nil, err
		}
		if err := w.fill(ctx); err != nil {
			return nil, errors.Join(err, w.close())
		}
		return w.sources[demoName], nil
	}
	d, err := c.choose(config.Datasources)
	if err != nil {
		return nil, err
	}
	source, err := datasource.Open(ctx, d.Name, sourceConfig(d, config.Limits), log)
	if err != nil {
		return nil, unread(d.Name, err)
	}
	return source, nil
}

func (c introspectCommand) choose(all []DatasourceConfig) (DatasourceConfig, error) {
	if c.Datasource == "" && len(all) == 1 {
		return all[0], nil
	}
	var names []string
	for _, d := range all {
		if d.Name == c.Datasource {
			return d, nil
		}
		names = append(names, d.Name)
	}
	switch {
	case len(all) == 0:
		return DatasourceConfig{}, fmt.Errorf("parlance: %s names no datasources", c.Config)
	case c.Datasource == "":
		return DatasourceConfig{}, fmt.Errorf("parlance: name one of the datasources with --datasource: %s", strings.Join(names, ", "))
	}
	return DatasourceConfig{}, fmt.Errorf("parlance: there is no datasource %q; there are: %s", c.Datasource, strings.Join(names, ", "))
}

// read lists the tables, with those of other schemas that they point to, and makes models of them.
func (c introspectCommand) read(ctx context.Context, source *datasource.Source) (introspect.Result, error) {
	schema, err := source.Schema(ctx, c.Schema)
	if err != nil {
		return introspect.Result{}, err
	}
	var others []*relation.Table
	seen := map[string]bool{c.Schema: true}
	for tables := schema.Tables; len(tables) > 0; {
		var next []*relation.Table
		for _, t := range tables {
			for _, f := range t.Foreign {
				if seen[f.Schema] {
					continue
				}
				seen[f.Schema] = true
				other, err := source.Schema(ctx, f.Schema)
				if err != nil {
					return introspect.Result{}, err
				}
				next = append(next, other.Tables...)
			}
		}
		others = append(others, next...)
		tables = next
	}
	return introspect.Models(schema, others, introspect.Options{Datasource: source.Name(), Tables: c.Tables})
}

// unread is an error about a datasource in words that hold no secret and nothing of a driver.
func unread(name string, err error) error {
	f := fault.As(err)
	text := f.Text()
	if why := datasource.Refusal(err); why != "" {
		text += ": " + why
	}
	return fmt.Errorf("parlance: datasources.%s: %s", name, text)
}

// printed prints the only model. Several are not one file.
func printed(s Streams, made introspect.Result) error {
	if len(made.Files) == 1 {
		_, err := io.WriteString(s.Out, made.Files[0].Text)
		return err
	}
	tables := make([]string, len(made.Files))
	for i, f := range made.Files {
		tables[i] = f.Table
	}
	return fmt.Errorf("parlance: there are %d models, each a file of its own: write them with --out DIR, or print one with --tables NAME: %s",
		len(made.Files), strings.Join(tables, ", "))
}

// write writes every file, or none when one exists that may not be overwritten.
func (c introspectCommand) write(s Streams, made introspect.Result) error {
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return fmt.Errorf("parlance: %w", err)
	}
	if !c.Force {
		if err := c.existing(made); err != nil {
			return err
		}
	}
	for _, f := range made.Files {
		path := filepath.Join(c.Out, f.Name)
		if err := os.WriteFile(path, []byte(f.Text), 0o644); err != nil {
			return fmt.Errorf("parlance: %w", err)
		}
		fmt.Fprintf(s.Out, "%s: %s\n", path, f.Model)
	}
	if len(made.Only) > 0 {
		fmt.Fprintf(s.Out, "dimensions of these, without a model of their own: %s\n", strings.Join(made.Only, ", "))
	}
	return nil
}

func (c introspectCommand) existing(made introspect.Result) error {
	var there []string
	for _, f := range made.Files {
		if _, err := os.Lstat(filepath.Join(c.Out, f.Name)); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, f.Name)
		}
	}
	if len(there) > 0 {
		return fmt.Errorf("parlance: nothing was written, for %s exists already in %s (--force overwrites)", strings.Join(there, ", "), c.Out)
	}
	return nil
}
