package execute

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
)

// freshFiles is a small model with one rollup.
const freshFiles = `model: Sale
source: {table: sale, key: [id]}
time: day
dimensions:
  - {name: place, table: place, join: {place: code}, id: code, label: title}
attributes:
  - {name: day, column: day}
  - {name: kind, column: kind}
measures:
  - {name: amount, column: amount, agg: sum, type: money}
  - {name: rows, agg: count}
rollups:
  - {name: monthly, dimensions: [kind, place$caption], time: {field: day, grain: month}, measures: [amount, rows], refresh: 1h, max_age: 3h}
`

// fresh is that model over tables that change, with a clock that is turned by hand.
type fresh struct {
	t             *testing.T
	ctx           context.Context // of queries
	source, store *datasource.Source
	models        *catalog.Catalog
	files         fstest.MapFS
	keeper        *rollup.Keeper
	service       *service.Service
	now           time.Time
	options       rollup.Options
}

func openFresh(t *testing.T, folder string) *fresh {
	t.Helper()
	return openFreshOn(t, folder, nil)
}

// openFreshOn is openFresh on a database; nil: on one in memory.
func openFreshOn(t *testing.T, folder string, source *datasource.Source) *fresh {
	t.Helper()
	f := &fresh{t: t, ctx: t.Context(), now: time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC), files: fstest.MapFS{"sale.yaml": {Data: []byte(freshFiles)}}}
	if f.source = source; source == nil {
		f.source = f.memory()
	}
	f.sales("2024-01-31 A p 10.00", "2024-02-01 A p 2.50", "2024-02-02 B q 4.00", "2024-02-03 - - 1.00")
	f.places("p Pier", "q Quay")
	f.options = rollup.Options{
		Origins: map[string]rollup.Origin{"db": f.source}, Folder: folder, Now: func() time.Time { return f.now },
		Models: func() iter.Seq2[string, *semantic.Model] {
			g, _ := f.models.Namespace(namespace)
			return func(yield func(string, *semantic.Model) bool) {
				for _, m := range g.Models {
					if !yield(namespace, m) {
						return
					}
				}
			}
		},
	}
	f.load()
	f.keep()
	return f
}

// memory opens an empty database.
func (f *fresh) memory() *datasource.Source {
	f.t.Helper()
	source, err := datasource.Open(f.t.Context(), "db", datasource.Config{Type: "duckdb"}, slog.New(slog.DiscardHandler))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { source.Close() })
	return source
}

// load reads the model files.
func (f *fresh) load() {
	f.t.Helper()
	var err error
	if f.models == nil {
		if f.models, err = catalog.New(catalog.Options{Namespace: namespace, FS: f.files, Datasource: "db", Schema: schema{f.source}}); err != nil {
			f.t.Fatal(err)
		}
	}
	if problems := f.models.Reload(f.t.Context(), namespace); len(problems) > 0 {
		f.t.Fatal(problems)
	}
}

// keep makes a keeper that has built nothing yet, as another process would.
func (f *fresh) keep() {
	f.t.Helper()
	f.store = f.memory()
	f.options.Store = f.store
	f.keeper = rollup.New(f.options)
	f.service = service.New(service.Deps{
		Catalog: f.models, Sources: map[string]service.Source{"db": f.source}, DefaultNamespace: namespace, Namespaces: []string{namespace},
		Limits: compile.Limits{DefaultRows: defaultRows, MaxRows: maxRows}, Rollups: heldRollups{f.keeper, f.store, f.source}, Now: func() time.Time { return f.now },
	})
}

// sales replaces the rows of the fact: day, kind, place and amount, - for null.
func (f *fresh) sales(rows ...string) {
	f.t.Helper()
	var cells [][]any
	for i, row := range rows {
		words := strings.Fields(row)
		day, err := time.Parse(time.DateOnly, words[0])
		if err != nil {
			f.t.Fatal(err)
		}
		cents, err := unscaledCents(words[3])
		if err != nil {
			f.t.Fatal(err)
		}
		cells = append(cells, []any{int64(i), day, orNull(words[1]), orNull(words[2]), cents})
	}
	f.table("sale", cells, "id integer", "day date", "kind string", "place string", "amount money")
}

func (f *fresh) places(rows ...string) {
	f.t.Helper()
	var cells [][]any
	for _, row := range rows {
		code, title, _ := strings.Cut(row, " ")
		cells = append(cells, []any{code, title})
	}
	f.table("place", cells, "code string", "title string")
}

func (f *fresh) table(name string, rows [][]any, columns ...string) {
	f.t.Helper()
	t := datasource.Table{Name: name, Replace: true, Rows: slices.Values(rows)}
	for _, c := range columns {
		column, word, _ := strings.Cut(c, " ")
		typ, _ := value.Named(word)
		t.Columns = append(t.Columns, datasource.Column{Name: column, Type: typ, Nullable: true})
	}
	if err := f.source.Load(f.t.Context(), t); err != nil {
		f.t.Fatal(err)
	}
}

func orNull(word string) any {
	if word == "-" {
		return nil
	}
	return word
}

func unscaledCents(text string) (int64, error) {
	var whole, cents int64
	for i, part := range strings.SplitN(text, ".", 2) {
		n := int64(0)
		for _, c := range part {
			if c < '0' || c > '9' {
				return 0, errors.New("no amount: " + text)
			}
			n = 10*n + int64(c-'0')
		}
		if i == 0 {
			whole = n
		} else {
			cents = n
		}
	}
	return 100*whole + cents, nil
}

const freshPayload = `{"columns": ["kind", "amount", "rows"], "groupBy": ["kind"], "slice": [{"field": "day", "op": ">=", "value": "2024-02"}]}`

// expect asks for the amounts of February and later and compares the answer, and where it was read.
func (f *fresh) expect(what, items, from string) {
	f.t.Helper()
	q, err := decode(freshPayload)
	if err != nil {
		f.t.Fatal(err)
	}
	a, err := f.service.Query(f.ctx, service.Caller{}, "Sale", q, service.QueryOptions{})
	if err != nil {
		f.t.Fatalf("%s: %v (%v)", what, err, fault.As(err).Cause)
	}
	defer a.Release()
	got := "rows"
	if u := a.Applied.Rollup; u != nil {
		got = u.Name + " of " + u.BuiltAt + " with data to " + u.Watermark
	}
	if string(a.Items) != items || got != from {
		f.t.Errorf("%s: %s from %s", what, a.Items, got)
	}
}

// build builds the rollup and returns the reason for which it is refused, or "".
func (f *fresh) build() string {
	f.t.Helper()
	g, _ := f.models.Namespace(namespace)
	m := g.ByName["Sale"]
	if _, err := f.keeper.Build(f.t.Context(), namespace, m, m.Rollups[0]); err != nil {
		return fault.As(err).Reason
	}
	return ""
}

const (
	before = `[{"kind":"A","amount":2.50,"rows":1},{"kind":"B","amount":4.00,"rows":1},{"kind":null,"amount":1.00,"rows":1}]`
	after  = `[{"kind":"A","amount":3.00,"rows":1}]`
	noon   = "monthly of 2024-06-01T12:00:00Z with data to 2024-02-03"
)

// TestRollupFreshness: a rollup shows the rows of the moment at which it was built, says so, and is not used once it is
// older than it may be.
func TestRollupFreshness(t *testing.T) {
	f := openFresh(t, "")
	f.expect("nothing is built", before, "rows")
	if why := f.build(); why != "" {
		t.Fatal(why)
	}
	f.expect("built", before, noon)
	f.sales("2024-02-01 A p 3.00")
	f.expect("the rows changed", before, noon)
	f.now = f.now.Add(3 * time.Hour)
	f.expect("as old as it may be", before, noon)
	for what, control := range map[string]service.CacheControl{
		"nothing kept": {NoCache: true}, "nothing to be kept": {NoStore: true}, "nothing older than an hour": {MaxAge: time.Hour},
	} {
		f.ctx = service.WithCacheControl(t.Context(), control)
		f.expect(what, after, "rows")
	}
	f.ctx = service.WithCacheControl(t.Context(), service.CacheControl{MaxAge: 4 * time.Hour})
	f.expect("nothing older than four hours", before, noon)
	f.now = f.now.Add(time.Second)
	f.expect("too old", after, "rows")
	f.keeper.Refresh(t.Context())
	f.expect("refreshed", after, "monthly of 2024-06-01T15:00:01Z with data to 2024-02-01")
	f.now = f.now.Add(-2 * time.Hour)
	f.expect("the clock went back: its age is not known", after, "rows")
}

// TestRollupRefresh: it is built when there is none, and again when its time has come, and not before.
func TestRollupRefresh(t *testing.T) {
	f := openFresh(t, "")
	for _, step := range []struct {
		after time.Duration
		built int64
	}{{0, 1}, {time.Minute, 1}, {50 * time.Minute, 1}, {10 * time.Minute, 2}, {30 * time.Minute, 2}, {30 * time.Minute, 3}} {
		f.now = f.now.Add(step.after)
		f.keeper.Refresh(t.Context())
		if got := f.keeper.Stats().Built; got != step.built {
			t.Errorf("%s later: %d builds, not %d", step.after, got, step.built)
		}
	}
	f.now = f.now.Add(3 * time.Minute)
	f.keeper.Refresh(t.Context())
	tables, err := f.store.Schema(t.Context(), "")
	if err != nil || len(tables.Tables) != 1 {
		t.Errorf("tables that were replaced are still there: %v %v", tables.Names(), err)
	}
	if s := f.keeper.Stats().Rollups[0]; !s.Usable || s.Rows != 4 || s.Failures != 0 || s.Watermark != "2024-02-03" {
		t.Errorf("%+v", s)
	}
}

// TestRollupDefinition: what was built for another definition is not used, whatever its name.
func TestRollupDefinition(t *testing.T) {
	f := openFresh(t, "")
	f.keeper.Refresh(t.Context())
	f.expect("built", before, noon)
	f.files["sale.yaml"].Data = []byte(strings.Replace(freshFiles, "agg: count}", "agg: count, filter: \"place$id = 'q'\"}", 1))
	f.load()
	other := strings.ReplaceAll(strings.ReplaceAll(before, `2.50,"rows":1`, `2.50,"rows":0`), `1.00,"rows":1`, `1.00,"rows":0`)
	f.expect("the measure means something else", other, "rows")
	f.keeper.Refresh(t.Context())
	f.expect("built for it", other, noon)
	f.files["sale.yaml"].Data = []byte(strings.Replace(freshFiles, "caption], ", "caption, place$id], ", 1))
	f.load()
	f.expect("another dimension", before, "rows")
}

// TestRollupFailures: a build that fails leaves the one before, and none that is not whole is ever read.
func TestRollupFailures(t *testing.T) {
	f := openFresh(t, "")
	f.places("p Pier", "q Quay", "p Port")
	if why := f.build(); why != "duplicate_dimension_key" {
		t.Errorf("a key that stands twice: %q", why)
	}
	f.places("p Pier", "q Quay")
	if why := f.build(); why != "" {
		t.Fatal(why)
	}
	f.now = f.now.Add(2 * time.Hour)
	f.options.Origins["db"] = failing{f.source, 2}
	f.keeper.Refresh(t.Context())
	if s := f.keeper.Stats(); s.Failed != 2 || s.Rollups[0].Failures != 1 {
		t.Errorf("%+v", s)
	}
	f.expect("the database failed in the middle", before, noon)
	f.keeper.Refresh(t.Context())
	if s := f.keeper.Stats(); s.Failed != 2 {
		t.Error("tried again at once")
	}
	f.options.Origins["db"] = f.source
	f.now = f.now.Add(5 * time.Minute)
	f.keeper.Refresh(t.Context())
	f.expect("mended", before, "monthly of 2024-06-01T14:05:00Z with data to 2024-02-03")
}

// failing is a database that breaks off after some rows of every statement.
type failing struct {
	*datasource.Source
	rows int
}

func (f failing) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	n := 0
	return f.Source.Query(ctx, sql, args, func(cells []any) error {
		if n++; n > f.rows {
			return errors.New("broken off")
		}
		return row(cells)
	})
}

// TestRollupUnreadable: where a rollup cannot be read the rows are, it is told of, and it is not used again.
func TestRollupUnreadable(t *testing.T) {
	f := openFresh(t, "")
	if why := f.build(); why != "" {
		t.Fatal(why)
	}
	g, _ := f.models.Namespace(namespace)
	usable := f.keeper.Usable(namespace, g.ByName["Sale"])
	if len(usable) != 1 {
		t.Fatal("not usable")
	}
	if err := f.store.Drop(t.Context(), usable[0].Source.Table); err != nil {
		t.Fatal(err)
	}
	f.expect("the read that fails", before, "rows")
	f.expect("from then on", before, "rows")
	if s := f.keeper.Stats(); s.FailedRead != 1 || s.Rollups[0].Usable {
		t.Errorf("%+v", s)
	}
}

// TestRollupFolder: a build outlives its process; what is newer in the folder is taken over, and what is broken or of
// another definition is not.
func TestRollupFolder(t *testing.T) {
	folder := t.TempDir()
	f := openFresh(t, folder)
	if why := f.build(); why != "" {
		t.Fatal(why)
	}
	f.now = f.now.Add(10 * time.Minute)
	f.sales("2024-02-01 A p 3.00")
	f.keep()
	f.expect("another process", after, "rows")
	f.keeper.Refresh(t.Context())
	if s := f.keeper.Stats(); s.Built != 0 || s.Restored != 1 {
		t.Errorf("%+v", s)
	}
	f.expect("read from the folder", before, noon)
	if why := f.built(); why != "" { // by the command, beside the running server
		t.Fatal(why)
	}
	f.keeper.Refresh(t.Context())
	f.expect("taken over", after, "monthly of 2024-06-01T12:10:00Z with data to 2024-02-01")
	file := filepath.Join(folder, namespace, "Sale.monthly.jsonl.gz")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range [][]byte{whole[:len(whole)/2], whole[:len(whole)-9], nil, []byte("no file of ours")} {
		if err := os.WriteFile(file, broken, 0o600); err != nil {
			t.Fatal(err)
		}
		f.keep()
		f.keeper.Refresh(t.Context())
		if s := f.keeper.Stats(); s.Built != 1 || s.Restored != 0 {
			t.Errorf("%d bytes of a file: %+v", len(broken), s)
		}
	}
	f.options.Marks = map[string]string{"db": "another database of that name"}
	f.keep()
	f.keeper.Refresh(t.Context())
	if s := f.keeper.Stats(); s.Built != 1 || s.Restored != 0 {
		t.Errorf("another database: %+v", s)
	}
	left, err := filepath.Glob(filepath.Join(folder, namespace, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// TestRollupLeftovers: what a build leaves in the folder that was cut off with its process is taken away, once no other
// process can be writing it.
func TestRollupLeftovers(t *testing.T) {
	folder := t.TempDir()
	f := openFresh(t, folder)
	if err := os.Mkdir(filepath.Join(folder, namespace), 0o750); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{
		".Sale.monthly.jsonl.gz.1.part": time.Hour, ".Sale.monthly.jsonl.gz.2.part": 15 * time.Minute,
		".Sale.monthly2.jsonl.gz.3.part": time.Hour, "Sale.monthly.jsonl.gz.4.part": time.Hour,
	} {
		file := filepath.Join(folder, namespace, name)
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, f.now.Add(-age), f.now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	if why := f.build(); why != "" {
		t.Fatal(why)
	}
	entries, err := os.ReadDir(filepath.Join(folder, namespace))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	want := []string{".Sale.monthly.jsonl.gz.2.part", ".Sale.monthly2.jsonl.gz.3.part", "Sale.monthly.jsonl.gz", "Sale.monthly.jsonl.gz.4.part"}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
}

// built builds the rollup as another process would.
func (f *fresh) built() string {
	f.t.Helper()
	beside := *f
	beside.keep()
	return beside.build()
}

// TestRollupInSource: a rollup may be kept in the database of the model, where one may make tables. Each process reads the
// rows of its own build, whatever others build beside it, and takes away what those left behind that are no more.
func TestRollupInSource(t *testing.T) {
	e := engineNamed("postgres")
	e.ready(t)
	source, remove, err := e.open(t.Context(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { source.Close(); remove() })
	f := openFreshOn(t, "", source)
	f.files["sale.yaml"].Data = []byte(strings.Replace(freshFiles, "max_age: 3h", "max_age: 3h, keep: source", 1))
	f.load()
	if why := f.build(); why != "bad_rollup" {
		t.Errorf("a database that is not to be written to: %q", why)
	}
	f.options.Sources = map[string]rollup.Shared{"db": source}
	f.keep()
	f.keeper.Refresh(t.Context())
	f.expect("built", before, noon)
	f.sales("2024-02-01 A p 3.00")
	f.expect("the rows changed", before, noon)
	other := *f
	other.keep()
	other.keeper.Refresh(t.Context())
	other.expect("another process", after, "monthly of 2024-06-01T12:00:00Z with data to 2024-02-01")
	f.expect("beside another process", before, noon)
	f.kept(2)
	for range 3 {
		f.now = f.now.Add(time.Hour)
		f.keeper.Refresh(t.Context())
	}
	f.expect("refreshed", after, "monthly of 2024-06-01T15:00:00Z with data to 2024-02-01")
	f.now = f.now.Add(3 * time.Minute)
	f.keeper.Refresh(t.Context())
	f.kept(1) // the other process has not built for three hours
	f.now = f.now.Add(time.Hour)
	f.options.Origins["db"] = failing{source, 0}
	f.keeper.Refresh(t.Context())
	f.expect("a build fails", after, "monthly of 2024-06-01T15:00:00Z with data to 2024-02-01")
	f.kept(1)
}

// kept tells how many builds the database of the model holds.
func (f *fresh) kept(want int) {
	f.t.Helper()
	tables, err := f.source.Loaded(f.t.Context(), "parlance_rollup_")
	if err != nil {
		f.t.Fatal(err)
	}
	if len(tables) != want {
		f.t.Errorf("the database holds %v, want %d", tables, want)
	}
}

// TestRollupRun: rollups are built in the background, and the end of the context ends that.
func TestRollupRun(t *testing.T) {
	f := openFresh(t, "")
	ctx, stop := context.WithCancel(t.Context())
	built := make(chan struct{})
	f.options.Log = slog.New(heard{slog.DiscardHandler, func(message string) {
		if message == "rollup built" {
			close(built)
		}
	}})
	f.keep()
	done := make(chan struct{})
	go func() { defer close(done); f.keeper.Run(ctx) }()
	<-built
	f.expect("built in the background", before, noon)
	stop()
	<-done
}

// heard is a log that somebody listens to.
type heard struct {
	slog.Handler
	hear func(message string)
}

func (h heard) Enabled(context.Context, slog.Level) bool { return true }

func (h heard) Handle(_ context.Context, r slog.Record) error {
	h.hear(r.Message)
	return nil
}
