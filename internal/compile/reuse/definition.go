// Package reuse rewrites a resolved query so that it reads a rollup of its model, where that is proved to give the same
// answer. It knows neither where rollups are kept nor how old they are.
package reuse

import (
	"strconv"
	"time"

	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Definition is what one rollup of a model keeps: a column for each dimension, each period and each partial aggregate.
// It is never changed once it is made.
type Definition struct {
	Model   *semantic.Model
	Rollup  *semantic.Rollup
	Columns []Column // dimensions and periods first

	keys     int                      // of Columns
	kept     map[string]resolve.Field // by the text of the row's expression
	places   map[place]resolve.Field  // by where a field is stored
	times    []period
	partials map[string]resolve.Field // by what partialOf names them
	rows     resolve.Field            // how many rows a row of the rollup stands for
}

// Column is a column of a rollup.
type Column struct {
	Name   string
	Type   value.Type     // of what is kept
	Grain  semantic.Grain // of a period, which is kept as its first day or hour; NoGrain of all else
	Source resolve.Expr   // over the model's rows: a group's key or an aggregate
}

// Key reports whether the column is one of those that tell the rows of the rollup apart.
func (d *Definition) Key(i int) bool { return i < d.keys }

// place is where a field is read.
type place struct {
	dimension *semantic.Dimension
	column    string
}

// period is a time that is kept by its periods.
type period struct {
	raw   string // the text of the time as it is stored
	wall  string // the text of its wall time
	kind  value.Kind
	zone  *time.Location
	grain semantic.Grain
	first resolve.Field // the first day, or hour, of the period
}

var integer = value.Type{Kind: value.Integer, Wide: true}

// Define works out what a rollup keeps. It fails for what cannot be put together from parts. Relative dates in the
// definitions of measures count from now.
func Define(m *semantic.Model, r *semantic.Rollup, now time.Time) (*Definition, error) {
	d := &Definition{
		Model: m, Rollup: r,
		kept: map[string]resolve.Field{}, places: map[place]resolve.Field{}, partials: map[string]resolve.Field{},
	}
	if m.Multi != nil {
		return nil, d.cannot("the model is of several facts")
	}
	for _, f := range r.Dimensions {
		if err := d.dimension(f); err != nil {
			return nil, err
		}
	}
	for _, t := range r.Times {
		d.time(t)
	}
	d.keys = len(d.Columns)
	d.rows = d.partial(&resolve.Agg{Fn: semantic.Count, T: integer})
	for _, ms := range r.Measures {
		if err := d.measure(ms, now); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *Definition) dimension(f *semantic.Field) error {
	e := resolve.OwnField(d.Model, f)
	t := e.Type()
	if f.Measure != nil || f.Tree || f.Native || t.Kind == value.Float || t.Kind == value.Null {
		return d.cannot(f.Name + " cannot be kept")
	}
	if _, twice := d.kept[e.String()]; twice {
		return nil
	}
	col := d.column(f.Name, Column{Name: "k" + strconv.Itoa(len(d.Columns)), Type: t, Source: e})
	d.kept[e.String()] = col
	if dim, column, ok := f.Place(); ok {
		d.places[place{dim, column}] = col
	}
	return nil
}

func (d *Definition) time(t semantic.RollupTime) {
	cut, wall := resolve.OwnPeriod(d.Model, t.Field, t.Grain)
	if _, twice := d.kept[cut.String()]; twice {
		return
	}
	stored := value.Type{Kind: value.Date}
	if t.Grain == semantic.Hour {
		stored.Kind = value.Timestamp
	}
	raw := resolve.Field{Field: t.Field}
	first := d.column(t.Field.Name+" by "+t.Grain.Name(), Column{
		Name: "k" + strconv.Itoa(len(d.Columns)), Type: stored, Grain: t.Grain, Source: cut,
	})
	d.times = append(d.times, period{
		raw: raw.String(), wall: wall.String(), kind: raw.Type().Kind, zone: d.Model.Calendar.Zone, grain: t.Grain, first: first,
	})
	if t.Grain == semantic.Day && raw.Type().Kind == value.Date {
		d.kept[raw.String()] = first
	}
}

// measure keeps the aggregates that a measure is made of. A sum has the count of its values beside it, so that averages
// can be told as well.
func (d *Definition) measure(ms *semantic.Measure, now time.Time) (err error) {
	e, err := resolve.OwnMeasure(d.Model, ms, now)
	if err != nil {
		return d.cannot(ms.Name + " cannot be computed")
	}
	resolve.Visit(e, func(x resolve.Expr) bool {
		a, ok := x.(*resolve.Agg)
		if !ok {
			return err == nil
		}
		if !d.keepAggregate(a) && err == nil {
			err = d.cannot(ms.Name + " cannot be put together from parts")
		}
		return false
	})
	return err
}

func (d *Definition) keepAggregate(a *resolve.Agg) bool {
	plain := &resolve.Agg{Fn: a.Fn, Arg: a.Arg, T: a.T}
	if a.Arg != nil && a.Arg.Type().Kind == value.Float {
		return false
	}
	w := &rewriter{d: d}
	if _, ok := w.aggregate(a); ok {
		return true // what is kept already tells it
	}
	switch a.Fn {
	case semantic.Sum:
		d.partial(plain)
		d.partial(&resolve.Agg{Fn: semantic.Count, Arg: a.Arg, T: integer})
	case semantic.Count, semantic.Min, semantic.Max:
		d.partial(plain)
	default:
		return false
	}
	_, ok := w.aggregate(a)
	return ok
}

// partial keeps an aggregate of the rows that a row of the rollup stands for.
func (d *Definition) partial(a *resolve.Agg) resolve.Field {
	text := partialOf(a.Fn, a.Arg)
	if f, ok := d.partials[text]; ok {
		return f
	}
	f := d.column("partial "+text, Column{Name: "p" + strconv.Itoa(len(d.Columns)), Type: a.T, Source: a})
	d.partials[text] = f
	return f
}

// partialOf names an aggregate of rows. Two measures of one column have their aggregates in common.
func partialOf(fn semantic.Agg, arg resolve.Expr) string {
	if f, ok := arg.(resolve.Field); ok {
		if dim, column, ok := f.Place(); ok && dim == nil {
			return string(fn) + " of column " + column
		}
	}
	return (&resolve.Agg{Fn: fn, Arg: arg}).String()
}

func (d *Definition) column(name string, c Column) resolve.Field {
	d.Columns = append(d.Columns, c)
	return resolve.Field{Field: &semantic.Field{Name: name, Column: c.Name, Type: c.Type}}
}

// Build is the query over the model whose rows are those of the rollup, in the order of Columns.
func (d *Definition) Build() *resolve.Query {
	q := &resolve.Query{Model: d.Model, Grouped: true}
	for i, c := range d.Columns {
		q.Columns = append(q.Columns, resolve.Output{Key: c.Name, Expr: c.Source})
		if d.Key(i) {
			q.Keys = append(q.Keys, c.Source)
			q.KeyNames = append(q.KeyNames, c.Name)
		}
	}
	q.Identity = q.Keys
	return q
}

func (d *Definition) cannot(why string) error {
	return fault.Invalidf("bad_rollup", "", "Rollup %q of model %q cannot be kept: %s", d.Rollup.Name, d.Model.Name, why)
}
