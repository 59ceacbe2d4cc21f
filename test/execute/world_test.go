package execute

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"parlance/test/evaluate"
)

// world is a random database with model files over it.
type world struct {
	seed   uint64
	tables []table
	files  map[string]string
	models []string // names to query
	words  []string // the texts of its rows
	tree   string   // how the hierarchy of teams is declared
	today  string
}

// dice are the random choices of one world or one query.
// firstSeed is where random worlds begin: at the same place in every run of the tests, so that a change is judged by the
// same worlds, and anywhere in a run that asks for its own number of queries.
func firstSeed() uint64 {
	for _, name := range []string{"PARLANCE_QUERIES", "PARLANCE_GRANTS", "PARLANCE_WORLDS"} {
		if os.Getenv(name) != "" {
			return rand.Uint64() >> 1
		}
	}
	return 20241231
}

type dice struct{ *rand.Rand }

func newDice(seed, stream uint64) dice { return dice{rand.New(rand.NewPCG(seed, stream))} }

func (d dice) chance(percent int) bool { return d.IntN(100) < percent }

func (d dice) between(low, high int) int { return low + d.IntN(high-low+1) }

func pick[T any](d dice, list []T) T { return list[d.IntN(len(list))] }

// some returns between low and high different entries of a list, in random order.
func some[T any](d dice, low, high int, list []T) []T {
	n := min(len(list), d.between(low, high))
	chosen := make([]T, 0, n)
	for _, i := range d.Perm(len(list))[:n] {
		chosen = append(chosen, list[i])
	}
	return chosen
}

var (
	texts = []string{
		"a", "A", "ab", "Ab", "b", "B", "z", "50%", "50", "5_0", "", " ", "ä", "Ä", "é", "É", "ſ", "s", "S", "K", "k", "中文", "ß",
		"a'b", `a"b`, "a\\b", "Straße", "STRASSE", "😀", "ﬀ", "x,y",
	}
	codes = []string{"NEW", "OLD", "ODD", "new"}
	zones = []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Shanghai"}
)

// newWorld makes a world from a seed; the same seed makes the same world.
func newWorld(seed uint64) *world {
	d := newDice(seed, 1)
	w := &world{seed: seed, files: map[string]string{}, today: "2024-03-31", words: some(d, 4, 12, texts)}
	w.files["dictionaries.yaml"] = "kind: {NEW: Brand new, OLD: {label: Old}, GONE: Old}\n"
	cal := w.calendar(d)
	place := w.place(d)
	item := w.item(d, place)
	team := w.team(d)
	w.fact(d, "Sale", "sale", cal, item, place, team)
	w.models = []string{"Sale"}
	if d.chance(40) {
		w.fact(d, "Other", "other", cal, item, place, team)
		w.models = append(w.models, "Other")
		w.multi(d)
	}
	return w
}

func (w *world) fs() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range w.files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func (w *world) add(t table) []evaluate.Value {
	w.tables = append(w.tables, t)
	ids := make([]evaluate.Value, len(t.rows))
	for i, r := range t.rows {
		ids[i] = r[0]
	}
	return ids
}

// calendar is a table of days that several dimensions may point to.
func (w *world) calendar(d dice) []evaluate.Value {
	t := table{name: "cal", columns: []column{
		{"k", typeWords["integer"]}, {"day", typeWords["date"]}, {"ym", typeWords["string"]}, {"holiday", typeWords["boolean"]},
	}}
	for i := range d.between(3, 12) {
		day := time.Date(2023, 12, 27, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i*d.between(1, 9))
		key := int64(day.Year()*10000 + int(day.Month())*100 + day.Day())
		if len(t.rows) > 0 && !day.After(t.rows[len(t.rows)-1][1].Time) {
			continue
		}
		t.rows = append(t.rows, []evaluate.Value{
			evaluate.Int(key), evaluate.Day(day), evaluate.Str(day.Format("2006-01")), w.maybe(d, evaluate.Flag(d.chance(30))),
		})
	}
	return w.add(t)
}

func (w *world) maybe(d dice, v evaluate.Value) evaluate.Value {
	if d.chance(15) {
		return evaluate.Value{}
	}
	return v
}

// place is a dimension that stands behind another.
func (w *world) place(d dice) []evaluate.Value {
	t := table{name: "place", columns: []column{{"code", typeWords["string"]}, {"title", typeWords["string"]}, {"size", typeWords["decimal1"]}}}
	for _, code := range some(d, 1, 4, []string{"p1", "p2", "P2", "ø"}) {
		t.rows = append(t.rows, []evaluate.Value{
			evaluate.Str(code), w.maybe(d, evaluate.Str(pick(d, w.words))), w.maybe(d, evaluate.Dec(int64(d.between(-20, 40)), 1)),
		})
	}
	return w.add(t)
}

// item is a dimension whose rows point to places, some of which do not exist.
func (w *world) item(d dice, places []evaluate.Value) []evaluate.Value {
	key := pick(d, []string{"integer", "bigint"})
	t := table{name: "item", columns: []column{
		{"id", typeWords[key]}, {"name", typeWords["string"]}, {"kind", typeWords["string"]}, {"price", typeWords["money"]},
		{"since", typeWords["date"]}, {"place", typeWords["string"]},
	}}
	for i := range d.between(0, 8) {
		id := int64(i + 1)
		if key == "bigint" {
			id += 1 << 53
		}
		t.rows = append(t.rows, []evaluate.Value{
			evaluate.Int(id), w.maybe(d, evaluate.Str(pick(d, w.words))), w.maybe(d, evaluate.Str(pick(d, codes))),
			w.maybe(d, evaluate.Dec(int64(d.between(-500, 99999)), 2)),
			w.maybe(d, evaluate.Day(time.Date(2024, 1, 1+d.IntN(90), 0, 0, 0, 0, time.UTC))),
			pointer(d, places, evaluate.Str("nowhere")),
		})
	}
	return w.add(t)
}

// team is a tree of parents, with its closure beside it; one of the two declares the hierarchy.
func (w *world) team(d dice) []evaluate.Value {
	t := table{name: "team", columns: []column{{"id", typeWords["string"]}, {"name", typeWords["string"]}, {"level", typeWords["integer"]}, {"parent", typeWords["string"]}}}
	closure := table{name: "closure", columns: []column{{"up", typeWords["string"]}, {"down", typeWords["string"]}, {"steps", typeWords["integer"]}}}
	parents := map[string]string{}
	names := []string{"r", "s", "T", "u", "v", "w", "x"}
	for i, id := range names[:d.between(1, len(names))] {
		parent := evaluate.Value{}
		if i > 0 && d.chance(85) {
			parents[id] = pick(d, names[:i])
			parent = evaluate.Str(parents[id])
		}
		t.rows = append(t.rows, []evaluate.Value{evaluate.Str(id), w.maybe(d, evaluate.Str(pick(d, w.words))), evaluate.Int(int64(d.between(1, 3))), parent})
		for at, steps := id, int64(0); at != ""; at, steps = parents[at], steps+1 {
			closure.rows = append(closure.rows, []evaluate.Value{evaluate.Str(at), evaluate.Str(id), evaluate.Int(steps)})
		}
	}
	w.tables = append(w.tables, closure)
	w.tree = pick(d, []string{"{parent: parent}", "{closure: closure, ancestor: up, descendant: down, distance: steps}"})
	return w.add(t)
}

// pointer returns one of the ids, or null, or an id that does not exist.
func pointer(d dice, ids []evaluate.Value, orphan evaluate.Value) evaluate.Value {
	switch {
	case d.chance(8):
		return evaluate.Value{}
	case d.chance(8) || len(ids) == 0:
		return orphan
	}
	return pick(d, ids)
}

func (w *world) rowCount(d dice) int {
	switch n := d.IntN(100); {
	case n < 4:
		return 0
	case n < 40:
		return d.between(1, 12)
	case n < 88:
		return d.between(13, 50)
	}
	return d.between(51, 200)
}

// fact adds a table of rows and the model over it.
func (w *world) fact(d dice, model, name string, cal, item, place, team []evaluate.Value) {
	wide := len(item) > 0 && item[0].Num.Num().BitLen() > 40
	itemType := "integer"
	if wide {
		itemType = "bigint"
	}
	t := table{name: name, sharded: true, columns: []column{
		{"id", typeWords[pick(d, []string{"integer", "bigint"})]}, {"sub", typeWords["string"]},
		{"item", typeWords[itemType]}, {"place", typeWords["string"]}, {"team", typeWords["string"]}, {"ordered", typeWords["integer"]}, {"shipped", typeWords["integer"]},
		{"word", typeWords["string"]}, {"kind", typeWords["string"]}, {"ok", typeWords["boolean"]}, {"day", typeWords["date"]},
		{"at", typeWords["timestamp"]}, {"zoned", typeWords["timestamptz"]}, {"flags", typeWords["integer"]},
		{"qty", typeWords["integer"]}, {"big", typeWords["bigint"]}, {"amount", typeWords["money"]},
		{"cost", typeWords["decimal4"]}, {"fine", typeWords["decimal8"]},
	}}
	spread := d.between(1, 10)
	for i := range w.rowCount(d) {
		orphan := evaluate.Int(99)
		t.rows = append(t.rows, []evaluate.Value{
			evaluate.Int(int64(i / 2)), evaluate.Str([]string{"x", "Y"}[i%2]),
			pointer(d, item, orphan), pointer(d, place, evaluate.Str("void")), pointer(d, team, evaluate.Str("exile")),
			pointer(d, cal, evaluate.Int(20991231)), pointer(d, cal, evaluate.Int(20991231)),
			w.maybe(d, evaluate.Str(pick(d, w.words))), w.maybe(d, evaluate.Str(pick(d, codes))), w.maybe(d, evaluate.Flag(d.chance(50))),
			w.maybe(d, evaluate.Day(time.Date(2024, 1, 1+d.IntN(100), 0, 0, 0, 0, time.UTC))),
			w.maybe(d, evaluate.Wall(w.moment(d))), w.maybe(d, evaluate.Instant(w.moment(d))),
			w.maybe(d, evaluate.Int(int64(d.IntN(16)))),
			w.maybe(d, evaluate.Int(int64(d.between(-2, spread)))), w.maybe(d, evaluate.Int(1<<53+int64(d.between(-3, 3)))),
			w.maybe(d, evaluate.Dec(int64(d.between(-1000, 1000*spread)), 2)),
			w.maybe(d, evaluate.Dec(int64(d.between(-10000, 99999)), 4)),
			w.maybe(d, evaluate.Dec(int64(d.between(-3, 3))*12345678+int64(d.IntN(7)), 8)),
		})
	}
	w.tables = append(w.tables, t)
	w.files[lowerFirst(model)+".yaml"] = strings.Replace(factModel(d, model, name), "@tree", w.tree, 1)
}

// moment is a time near the ends of days, of months and of summer time.
func (w *world) moment(d dice) time.Time {
	day := pick(d, []time.Time{
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 3, 10, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 31, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 10, 27, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
	})
	switch d.IntN(4) {
	case 0:
		return day
	case 1:
		return day.Add(24*time.Hour - time.Microsecond)
	case 2:
		return day.Add(-time.Second)
	}
	return day.Add(time.Duration(d.IntN(24)) * time.Hour).Add(time.Duration(d.IntN(3)) * 500 * time.Millisecond)
}
