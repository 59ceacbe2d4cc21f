package chart

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Text draws the chart of a table for a terminal of a width, with bars and lines made of characters; "" where Make gives
// none or a number alone.
func Text(t Table, o Options, columns int) string {
	f := choose(t, o)
	if f == nil || f.kind == Value {
		return ""
	}
	var b strings.Builder
	b.WriteString(f.title() + "\n")
	if f.kind == Line && (len(f.labels) > 24 || len(f.series) > 1) {
		f.sparks(&b, columns)
	} else {
		f.blocks(&b, columns)
	}
	if note := f.note(); note != "" {
		b.WriteString("(" + note + ")\n")
	}
	return b.String()
}

// Cells returns how many columns of a terminal a text takes.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		switch w := widthOf(r); {
		case w == 0:
		case w == 1 && r > 0x2E7F:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Clip returns a text in at most so many columns of a terminal, on one line.
func Clip(s string, columns int) string {
	s = clean(s)
	if Cells(s) <= columns {
		return s
	}
	used := 0
	for i, r := range s {
		if used += Cells(string(r)); used >= columns {
			return s[:i] + "…"
		}
	}
	return s
}

func pad(s string, columns int) string { return s + strings.Repeat(" ", max(0, columns-Cells(s))) }

// blocks draws lying bars, the series of a label one below the other.
func (f *frame) blocks(b *strings.Builder, columns int) {
	labels := 0
	for _, label := range f.labels {
		labels = max(labels, Cells(Clip(label, columns/3)))
	}
	names := 0
	if len(f.series) > 1 {
		for _, s := range f.series {
			names = max(names, Cells(Clip(s.name, columns/5))+1)
		}
	}
	room := 0
	for _, s := range f.series {
		for _, v := range s.values {
			room = max(room, Cells(f.compact(v))+1)
		}
	}
	least, most, _ := f.ends()
	at := newTerminal(least, most, max(columns-labels-names-room-2, 8))
	for j, label := range f.labels {
		for i, s := range f.series {
			name := ""
			if names > 0 {
				name = pad(Clip(s.name, columns/5), names)
			}
			if i > 0 {
				label = ""
			}
			b.WriteString(strings.TrimRight(pad(Clip(label, columns/3), labels)+" "+name+at.bar(s.values[j])+" "+f.compact(s.values[j]), " ") + "\n")
		}
	}
}

// terminal is a row of characters with zero somewhere in it.
type terminal struct {
	zero int // characters before it
	unit float64
}

func newTerminal(least, most float64, columns int) terminal {
	least, most = min(least, 0), max(most, 0)
	if most == least {
		most = 1
	}
	unit := (most - least) / float64(columns)
	return terminal{zero: int(math.Ceil(-least / unit)), unit: unit}
}

var eighths = []rune(" ▏▎▍▌▋▊▉")

// bar returns the bar of a number, eighths of a character exact to the right of zero.
func (t terminal) bar(v float64) string {
	before := strings.Repeat(" ", t.zero)
	if math.IsNaN(v) {
		return before
	}
	if v < 0 {
		n := min(int(math.Round(-v/t.unit)), t.zero)
		return strings.Repeat(" ", t.zero-n) + strings.Repeat("█", n)
	}
	parts := int(math.Round(v / t.unit * 8))
	bar := before + strings.Repeat("█", parts/8)
	if parts%8 > 0 {
		bar += string(eighths[parts%8])
	}
	return bar
}

var heights = []rune("▁▂▃▄▅▆▇█")

// sparks draws a line of heights for each series; a missing number is a space.
func (f *frame) sparks(b *strings.Builder, columns int) {
	names := 0
	for _, s := range f.series {
		names = max(names, Cells(Clip(s.name, columns/4)))
	}
	least, most, _ := f.ends()
	for _, s := range f.series {
		kept := thin(s.values, max(columns-names-30, 20))
		var line strings.Builder
		for _, i := range kept {
			if v := s.values[i]; math.IsNaN(v) {
				line.WriteByte(' ')
			} else {
				line.WriteRune(heights[level(v, least, most)])
			}
		}
		low, high := lowHigh(s.values)
		b.WriteString(pad(Clip(s.name, columns/4), names) + " " + line.String() + " " + f.compact(low) + " … " + f.compact(high) + "\n")
	}
	first, last := f.labels[0], f.labels[len(f.labels)-1]
	b.WriteString(strings.Repeat(" ", names+1) + first + " … " + last + "\n")
}

func level(v, least, most float64) int {
	least = min(least, 0)
	if most <= least {
		return 0
	}
	return min(int((v-least)/(most-least)*float64(utf8.RuneCountInString(string(heights)))), len(heights)-1)
}

func lowHigh(values []float64) (low, high float64) {
	low, high = math.NaN(), math.NaN()
	for _, v := range values {
		if !math.IsNaN(v) {
			if math.IsNaN(low) || v < low {
				low = v
			}
			if math.IsNaN(high) || v > high {
				high = v
			}
		}
	}
	return low, high
}
