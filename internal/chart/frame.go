package chart

import (
	"math"
	"strings"
)

// frame is a chart as it is drawn: labels along one axis, and a number of every series at each of them.
type frame struct {
	kind    Type
	x, by   Column // by is the second key, if there is one
	hasX    bool
	hasBy   bool
	y       []Column
	labels  []string
	steps   []float64 // places of the labels along time; nil: one after the other
	step    float64   // the usual distance of two of them
	series  []series
	left    []string // what is left out, in words
	words   words
	chinese bool
	detail  detail
	thinned [2]int // points drawn of points, where a line has too many
}

// series is one number at every label; NaN stands where there is none.
type series struct {
	name   string
	values []float64
	texts  []string // as tooltips and single values show them
	rest   bool     // it is what remains beside the largest
}

func (f *frame) suggestion() *Chart {
	c := &Chart{Type: f.kind, Title: f.title()}
	if f.hasX {
		c.X = f.x.Key
	}
	if f.hasBy {
		c.Series = f.by.Key
	}
	for _, y := range f.y {
		c.Y = append(c.Y, y.Key)
	}
	return c
}

// title says what is shown, in the words of the columns.
func (f *frame) title() string {
	var names, keys []string
	for i, y := range f.y {
		name := clean(y.Name)
		if i > 0 {
			name = inSentence(name)
		}
		names = append(names, name)
	}
	if f.hasX {
		keys = append(keys, inSentence(clean(f.x.Name)))
	}
	if f.hasBy {
		keys = append(keys, inSentence(clean(f.by.Name)))
	}
	title := listed(names, f.words)
	if len(keys) > 0 {
		title = strings.Replace(strings.Replace(f.words.by, "{keys}", listed(keys, f.words), 1), "{names}", title, 1)
	}
	if first, size, ok := firstLetter(title); ok {
		title = first + title[size:]
	}
	return cut(title, 120)
}

func (f *frame) note() string {
	notes := f.left
	if f.thinned[0] > 0 {
		notes = append(notes[:len(notes):len(notes)], f.words.thinned(f.thinned[0], f.thinned[1]))
	}
	return strings.Join(notes, f.words.gap)
}

// ends returns the least and the greatest number that is drawn; ok is false without any.
func (f *frame) ends() (least, most float64, ok bool) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, s := range f.series {
		for _, v := range s.values {
			if !math.IsNaN(v) {
				least, most, ok = min(least, v), max(most, v), true
			}
		}
	}
	if !ok {
		return 0, 0, false
	}
	return least, most, true
}

// stack returns the sum of the series at each label; NaN where every one of them is missing.
func (f *frame) stack() []float64 {
	sums := make([]float64, len(f.labels))
	for i := range sums {
		sums[i] = math.NaN()
		for _, s := range f.series {
			switch v := s.values[i]; {
			case math.IsNaN(v):
			case math.IsNaN(sums[i]):
				sums[i] = v
			default:
				sums[i] += v
			}
		}
	}
	return sums
}

func (f *frame) compact(v float64) string { return compact(v, f.y[0].Style, f.chinese) }
