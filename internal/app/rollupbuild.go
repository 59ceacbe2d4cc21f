package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"parlance/internal/catalog"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
)

type rollupCommand struct {
	Build rollupBuildCommand `cmd:"" help:"Build rollups now and print what they hold. A running server of the same folder takes them over."`
}

type rollupBuildCommand struct {
	Config    string   `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo's models without one."`
	Namespace string   `placeholder:"NS" help:"Only of this namespace; of all unless given."`
	Model     []string `placeholder:"NAME" help:"Only of these models; of all unless given."`
}

// Run builds the rollups and prints a line for each; it fails when one of them does.
func (c rollupBuildCommand) Run(ctx context.Context, s Streams) (err error) {
	config, err := configured(c.Config, s.Env)
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	w, err := openWorld(ctx, config, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	models, err := readModels(ctx, w)
	if err != nil {
		return err
	}
	r := newRollups(config, w, models, log)
	defer func() { err = errors.Join(err, r.close()) }()
	jobs, err := c.jobs(models)
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		_, err = fmt.Fprintln(s.Out, "no model declares a rollup")
		return err
	}
	if err := w.bring(ctx); err != nil {
		return err
	}
	if config.Rollups.Folder == "" {
		fmt.Fprintln(s.Err, "rollups.folder is not set: what is built here goes with this process")
	}
	return r.buildAll(ctx, s, jobs)
}

// readModels reads the models of a world, for which its data need not be there yet.
func readModels(ctx context.Context, w *world) (*catalog.Catalog, error) {
	models, err := catalog.New(w.distinct()...)
	if err != nil {
		return nil, err
	}
	for _, name := range models.Names() {
		for _, p := range models.Reload(ctx, name) {
			err = errors.Join(err, errors.New(p.String()))
		}
	}
	return models, err
}

// rollupJob is a rollup to build.
type rollupJob struct {
	namespace string
	model     *semantic.Model
	rollup    *semantic.Rollup
}

// jobs are the rollups that the command names. A name that no model has is an error.
func (c rollupBuildCommand) jobs(models *catalog.Catalog) ([]rollupJob, error) {
	names, wanted := map[string]bool{}, map[string]bool{}
	for _, name := range c.Model {
		wanted[name] = true
	}
	if c.Namespace != "" && !slices.Contains(models.Names(), c.Namespace) {
		return nil, fmt.Errorf("no namespace is called %q%s", c.Namespace, didYouMean(c.Namespace, models.Names()))
	}
	var jobs []rollupJob
	for namespace, m := range allModels(models) {
		if c.Namespace != "" && namespace != c.Namespace {
			continue
		}
		names[m.Name] = true
		if len(wanted) > 0 && !wanted[m.Name] {
			continue
		}
		for _, r := range m.Rollups {
			jobs = append(jobs, rollupJob{namespace, m, r})
		}
	}
	known := slices.Sorted(maps.Keys(names))
	for _, name := range c.Model {
		if !names[name] {
			return nil, fmt.Errorf("no model is called %q%s", name, didYouMean(name, known))
		}
	}
	return jobs, nil
}

// buildAll builds one rollup after the other and prints the table.
func (r *rollups) buildAll(ctx context.Context, s Streams, jobs []rollupJob) error {
	t := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "namespace\tmodel\trollup\trows\tseconds\tsize")
	failed := 0
	for _, j := range jobs {
		b, err := r.Build(ctx, j.namespace, j.model, j.rollup)
		if err == nil && j.rollup.InSource {
			fmt.Fprintf(s.Err, "%s.%s is kept in its source, where each server builds its own: what was built here is taken away\n", j.model.Name, j.rollup.Name)
			err = r.Discard(ctx, b)
		}
		if err != nil {
			failed++
			fmt.Fprintf(t, "%s\t%s\t%s\tfailed: %s\t\t\n", j.namespace, j.model.Name, j.rollup.Name, strings.Map(oneLine, whyNotBuilt(b, err)))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.2f\t%s\n", j.namespace, j.model.Name, j.rollup.Name, b.Rows, b.Took.Seconds(), sizeText(b.Bytes))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%s not built", counted(failed, "rollup"))
	}
	return nil
}

// whyNotBuilt says why there is no build, or why there is none in the folder.
func whyNotBuilt(b *rollup.Build, err error) string {
	var file *fs.PathError
	if b != nil && errors.As(err, &file) {
		return "it could not be written to its folder: " + file.Err.Error()
	}
	return safely(err)
}

// sizeText writes bytes as people read them.
func sizeText(n int64) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d B", n)
	case n < 10_000_000:
		return fmt.Sprintf("%d KB", n/1000)
	}
	return fmt.Sprintf("%d MB", n/1_000_000)
}
