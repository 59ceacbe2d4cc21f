package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"parlance/internal/catalog"
	"parlance/internal/datasource"
	"parlance/internal/inspect"
)

type checkCommand struct {
	Config string `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo is checked without one."`
}

// The verdicts of a check.
const (
	verdictOK    = "ok"
	verdictHint  = "hint"
	verdictError = "error"
)

// checked is one line of the table.
type checked struct{ namespace, model, what, verdict, advice string }

// Run compares every model with its database and prints what it finds; an error among it makes it fail.
func (c checkCommand) Run(ctx context.Context, s Streams) (err error) {
	config, err := serveCommand{Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	k := &checker{live: newLiveTables(ctx), told: map[inspect.Hint]bool{}}
	defer func() { err = errors.Join(err, k.live.close()) }()
	namespaces, err := k.open(ctx, config)
	if err != nil {
		return err
	}
	for _, n := range namespaces {
		k.namespace(ctx, n)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return k.report(s)
}

// checker gathers the lines.
type checker struct {
	live  *liveTables
	lines []checked
	told  map[inspect.Hint]bool
	seen  int // models
}

func (k *checker) add(c checked) { k.lines = append(k.lines, c) }

// open opens every datasource; one that cannot be opened is a line and keeps no other from being checked.
func (k *checker) open(ctx context.Context, config Config) ([]catalog.Options, error) {
	log := slog.New(slog.DiscardHandler)
	if len(config.Datasources) == 0 && config.Demo() { // datasources alone are checked before there are models
		w, err := openDemo(ctx, config, log)
		if err != nil {
			return nil, err
		}
		k.live.sources[demoName] = w.sources[demoName]
		if err := w.fill(ctx); err != nil {
			return nil, err
		}
		k.datasource(demoName, "duckdb")
		return w.distinct(), nil
	}
	for _, d := range config.Datasources {
		source, err := datasource.Open(ctx, d.Name, sourceConfig(d, config.Limits), log)
		if err != nil {
			k.live.failed[d.Name] = err
		} else {
			k.live.sources[d.Name] = source
		}
		k.datasource(d.Name, d.Type)
	}
	var namespaces []catalog.Options
	for _, n := range config.Namespaces {
		namespaces = append(namespaces, catalog.Options{Namespace: n.Name, Dir: n.Models, Datasource: n.Datasource, Calendar: n.Calendar, MaskSecret: maskKey(n)})
	}
	return namespaces, nil
}

// datasource adds what there is to say of a database itself.
func (k *checker) datasource(name, typ string) {
	schema, err := k.live.schema(name, "")
	if err != nil {
		what, advice := failure(name, err)
		k.add(checked{what: what, verdict: verdictError, advice: advice})
		return
	}
	k.add(checked{what: fmt.Sprintf("datasource %s (%s): %s", name, typ, counted(len(schema.Tables), "table")), verdict: verdictOK})
	for _, n := range schema.Notes {
		k.add(checked{what: "datasource " + name + ": " + n.What, verdict: verdictHint, advice: n.Advice})
	}
}

// failure says why a datasource cannot be read, without a secret and without anything of its driver.
func failure(name string, err error) (what, advice string) {
	what = "datasource " + name + " cannot be read"
	if why := datasource.Refusal(err); why != "" {
		return what + ": " + why, "see datasources." + name + " of the configuration, and whether the database runs"
	}
	return what + ": " + lowered(safely(err)), "see datasources." + name + " of the configuration"
}

// namespace adds the lines of a namespace's models: problems of the files and of what they say of tables, then hints.
func (k *checker) namespace(ctx context.Context, o catalog.Options) {
	o.Schema = k.live
	review := catalog.Examine(ctx, o)
	bad, skipped := map[string]bool{}, map[string]bool{}
	for _, p := range review.Problems {
		model := review.ModelIn(p.File)
		bad[model] = true
		what, advice, _ := strings.Cut(p.Message, "; ")
		if name, down := k.live.down(p.Message); down {
			if skipped[model] {
				continue
			}
			skipped[model] = true
			k.add(checked{o.Namespace, named(model, p.File), "not compared, for datasource " + name + " cannot be read", verdictError, "check again once it can"})
			continue
		}
		k.add(checked{o.Namespace, named(model, p.File), what, verdictError, mend(advice, p)})
	}
	for _, m := range review.Models {
		k.seen++
		n := len(k.lines)
		if _, down := k.live.failed[m.Datasource]; !down {
			for _, h := range k.live.hints(m) {
				if !k.told[h] {
					k.told[h] = true
					k.add(checked{o.Namespace, m.Name, h.What, verdictHint, h.Advice})
				}
			}
		}
		if len(k.lines) == n && !bad[m.Name] {
			k.add(checked{o.Namespace, m.Name, scope(m), verdictOK, ""})
		}
	}
}

// mend puts the place of a problem behind what may mend it.
func mend(advice string, p catalog.Problem) string {
	if p.File == "" {
		return advice
	}
	at := filepath.FromSlash(p.File)
	if p.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", at, p.Line, p.Column)
	}
	if advice == "" {
		return "see " + at
	}
	return advice + " (" + at + ")"
}

func named(model, file string) string {
	if model == "" {
		return file
	}
	return model
}

// report prints the table and how it went.
func (k *checker) report(s Streams) error {
	count := map[string]int{}
	for _, l := range k.lines {
		count[l.verdict]++
	}
	if err := printTable(s.Out, k.lines); err != nil {
		return err
	}
	sum := fmt.Sprintf("%s, %s, %s", counted(k.seen, "model"), counted(count[verdictError], "error"), counted(count[verdictHint], "hint"))
	if count[verdictError] > 0 {
		return errors.New(sum)
	}
	_, err := fmt.Fprintln(s.Out, sum)
	return err
}

func printTable(to io.Writer, lines []checked) error {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "namespace\tmodel\twhat\tverdict\tadvice")
	for _, l := range lines {
		cells := []string{l.namespace, l.model, l.what, l.verdict, l.advice}
		for i, c := range cells {
			cells[i] = strings.Map(oneLine, c)
			if c == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// oneLine keeps a cell from breaking the table.
func oneLine(c rune) rune {
	if c < ' ' {
		return ' '
	}
	return c
}
