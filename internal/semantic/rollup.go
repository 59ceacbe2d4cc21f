package semantic

import "time"

// Rollup is a pre-aggregation of a model's rows: one row for each combination of its dimensions and periods, with what
// its measures are put together from. Answers that it can give exactly may be read from it.
type Rollup struct {
	Name       string
	Dimensions []*Field // no measures, no views of hierarchies
	Times      []RollupTime
	Measures   []*Measure
	Refresh    time.Duration // after which it is built again; 0: when it is asked for only
	MaxAge     time.Duration // past which it is not used; 0: it has no bound
	InSource   bool          // it is kept as a table of the model's own database
}

// RollupTime is a date or time that a rollup keeps by the period that holds it.
type RollupTime struct {
	Field *Field // as it is stored: neither cut nor labelled
	Grain Grain
}

// Holds reports whether the periods of a grain lie within those of a coarser one, so that the coarser period of a time
// is known from the finer. Weeks lie within nothing but themselves.
func (g Grain) Holds(coarser Grain) bool {
	switch {
	case g == NoGrain || coarser == NoGrain:
		return false
	case g == coarser:
		return true
	case g == Week:
		return false
	case coarser == Week:
		return g == Day || g == Hour
	}
	return g > coarser
}

// GrainNamed returns the grain of a suffix.
func GrainNamed(name string) (Grain, bool) {
	for _, g := range grainNames {
		if g.name == name {
			return g.grain, true
		}
	}
	return NoGrain, false
}

// Name returns the suffix of the grain; "" of none.
func (g Grain) Name() string {
	for _, n := range grainNames {
		if n.grain == g {
			return n.name
		}
	}
	return ""
}

// Place returns the column that a field reads and the dimension whose table it is in, nil for the model's own rows. Two
// fields of one model with the same place have the same value in every row. A field that is made from another has none.
func (f *Field) Place() (d *Dimension, column string, ok bool) {
	if f.Column == "" || f.Of != nil || f.Tree {
		return nil, "", false
	}
	if d = f.Dimension; d != nil && f.Role == ID {
		for _, j := range d.Join {
			if j.To == d.ID {
				return d.Parent, j.From, true
			}
		}
	}
	return d, f.Column, true
}
