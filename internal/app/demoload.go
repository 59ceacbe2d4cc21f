package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"strings"
	"time"

	"parlance/internal/datasource"
	"parlance/internal/demo"
	"parlance/internal/fault"
)

type demoCommand struct {
	Load   demoLoadCommand   `cmd:"" help:"Load the demo's tables into a datasource of a configuration."`
	Models demoModelsCommand `cmd:"" help:"Write the demo's model files to a folder."`
}

type demoLoadCommand struct {
	Config     string `required:"" placeholder:"FILE" help:"The server's file, parlance.yaml."`
	Datasource string `required:"" placeholder:"NAME" help:"The datasource of it that the tables go to."`
	Replace    bool   `help:"Drop tables of the same names first; without it nothing is touched where there is one."`
}

// Run loads every table of the demo, one after the other, and tells of each.
func (c demoLoadCommand) Run(ctx context.Context, s Streams) (err error) {
	config, err := serveCommand{Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	source, err := c.open(ctx, config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	l := loading{source: source, tables: demo.Tables(), replace: c.Replace, progress: s.Err}
	if !c.Replace {
		if err := l.refuseExisting(ctx); err != nil {
			return err
		}
	}
	if err := l.run(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, `%s, %s loaded into datasource %q. To serve them, write the models with
  parlance demo models --out models/demo
and name both in the configuration:
  namespaces: {default: {models: ./models/demo, datasource: %s, today: %s}}
`, counted(len(l.tables), "table"), counted(l.rows, "row"), c.Datasource, c.Datasource, demoToday)
	return err
}

// open opens the datasource for loading; the file of one that is a file is made.
func (c demoLoadCommand) open(ctx context.Context, config Config) (*datasource.Source, error) {
	names := make([]string, len(config.Datasources))
	for i, d := range config.Datasources {
		if names[i] = d.Name; d.Name != c.Datasource {
			continue
		}
		settings := sourceConfig(d, config.Limits)
		settings.Create = true
		source, err := datasource.Open(ctx, d.Name, settings, slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, fmt.Errorf("datasources.%s: %w", d.Name, err)
		}
		return source, nil
	}
	return nil, fmt.Errorf("parlance: no datasource is called %q%s", c.Datasource, didYouMean(c.Datasource, names))
}

// loading is the demo on its way into a datasource.
type loading struct {
	source   *datasource.Source
	tables   []demo.Table
	replace  bool
	progress io.Writer
	done     []string // tables that are complete
	rows     int
}

// refuseExisting fails when a table of the demo is there already, so that nothing of anyone's is touched.
func (l *loading) refuseExisting(ctx context.Context) error {
	var found []string
	for _, t := range l.tables {
		switch _, err := l.source.Columns(ctx, "", t.Name, ""); {
		case err == nil:
			found = append(found, t.Name)
		case fault.As(err).Kind != fault.NotFound:
			return err
		}
	}
	if len(found) > 0 {
		return fmt.Errorf("parlance: datasource %q has %s of the demo already (%s); --replace drops them and loads them anew",
			l.source.Name(), counted(len(found), "table"), strings.Join(found, ", "))
	}
	return nil
}

// run loads the tables. Each is there whole or not at all; the error says which are.
func (l *loading) run(ctx context.Context) error {
	for _, t := range l.tables {
		if err := l.load(ctx, t); err != nil {
			return l.incomplete(err)
		}
	}
	return nil
}

func (l *loading) load(ctx context.Context, t demo.Table) error {
	fmt.Fprintf(l.progress, "%-26s", t.Name)
	start, rows := time.Now(), 0
	table := loaded(t)
	table.Replace, table.Rows = l.replace, countedRows(t.Rows, &rows)
	if err := l.source.Load(ctx, table); err != nil {
		fmt.Fprintln(l.progress, "failed")
		return err
	}
	took := time.Since(start)
	fmt.Fprintf(l.progress, "%8d rows %8.2f s %9.0f rows/s\n", rows, took.Seconds(), float64(rows)/max(took.Seconds(), 1e-6))
	l.done, l.rows = append(l.done, t.Name), l.rows+rows
	return nil
}

// countedRows counts the rows of one reading. ClickHouse is sent the rows once, however many servers keep them.
func countedRows(rows iter.Seq[[]any], n *int) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		*n = 0
		for row := range rows {
			*n++
			if !yield(row) {
				return
			}
		}
	}
}

// incomplete tells what is there after a failure.
func (l *loading) incomplete(err error) error {
	state := "no table was loaded"
	if len(l.done) > 0 {
		state = fmt.Sprintf("%d of %d tables are loaded (%s), the others are not", len(l.done), len(l.tables), strings.Join(l.done, ", "))
	}
	return fmt.Errorf("parlance: the demo is not complete: %w\nparlance: %s; once that is mended, run it again with --replace", err, state)
}
