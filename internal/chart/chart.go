// Package chart shows a table of groups and numbers as a picture: it chooses a form and draws it as SVG, or as text for a
// terminal. It knows no query and no model: what a column means is told by whoever has the answer.
package chart

import "parlance/internal/value"

// Type is the form of a chart.
type Type string

// The forms.
const (
	Line    Type = "line"    // over time, one line for each number or member of the second key
	Bar     Type = "bar"     // one number for each member of a key
	Stacked Type = "stacked" // a number of two keys whose parts add up
	Grouped Type = "grouped" // several numbers, or a number of two keys whose parts do not add up
	Value   Type = "value"   // numbers without a key
)

// Column is one column of a table, with what a reader must know of it.
type Column struct {
	Key      string // in the rows of the answer
	Name     string // for people
	Number   bool   // it is measured; otherwise it is a key of the groups
	Time     bool   // of a key: it tells when
	Additive bool   // of a number: the numbers of groups add up to that of their union
	Style    value.Style
	Unit     string // such as CNY; "": none
}

// Cell is one value of a row, as the answer's JSON has it.
type Cell struct {
	Text string
	Null bool
}

// Table is an answer. Every row has a cell for each column.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	Total   int64 // rows that there are in all; 0: those of Rows
}

// Options are what the reader of a chart decides.
type Options struct {
	Chinese  bool // words and numbers are Chinese; otherwise English
	MaxBytes int  // of the SVG; 0: 20,000. A larger one is drawn with less detail, or left out, and Note says so
}

// Chart is a suggestion of how to show an answer, with its picture. X, Y and Series are keys of the rows.
type Chart struct {
	Type   Type     `json:"type"`
	X      string   `json:"x,omitempty"`
	Y      []string `json:"y"`
	Series string   `json:"series,omitempty"` // the second key; "": each of Y is a series
	Title  string   `json:"title"`
	Note   string   `json:"note,omitempty"` // what the picture leaves out
	SVG    string   `json:"svg,omitempty"`
}

const defaultBytes = 20_000

// Make chooses and draws the chart of a table. It returns nil where a picture would say nothing: no rows, no number, more
// than two keys. The same table gives the same bytes.
func Make(t Table, o Options) *Chart {
	f := choose(t, o)
	if f == nil {
		return nil
	}
	limit := o.MaxBytes
	if limit <= 0 {
		limit = defaultBytes
	}
	c := f.suggestion()
	for _, d := range []detail{{tips: true, points: 480}, {points: 240}, {points: 60}} {
		drawn := *f
		drawn.detail = d
		svg := drawn.draw()
		if len(svg) <= limit {
			c.SVG, c.Note = svg, drawn.note()
			return c
		}
	}
	f.left = append(f.left, f.words.tooLarge)
	c.Note = f.note()
	return c
}

// detail is how much of a chart is drawn.
type detail struct {
	tips   bool // every mark tells its exact value
	points int  // of a line
}
