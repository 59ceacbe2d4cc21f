package chart

import (
	"math"
	"strings"
)

// mostDots is up to how many points each is marked.
const mostDots = 60

// lines draws a line for each series over time. Where a number is missing the line is broken.
func (f *frame) lines() string {
	var c canvas
	top := f.head(&c) + 8
	a, left := f.sides()
	up := scale{a[0], a[1], top + plotHeight, top}
	inset := min(width(f.labels[len(f.labels)-1], smallSize)/2, 40)
	along := scale{f.steps[0], f.steps[len(f.steps)-1], left + 12, sheet - margin - max(inset, 8)}
	f.gridlines(&c, a, left, up)
	for i := range f.series {
		f.line(&c, i, along, up)
	}
	f.times(&c, along, left, top+plotHeight)
	return f.sheetOf(&c, f.foot(&c, top+plotHeight+22))
}

// line draws one series: its path, and a dot for each point while they are few or where one stands alone.
func (f *frame) line(c *canvas, s int, along, up scale) {
	kept := thin(f.series[s].values, f.detail.points)
	if len(kept) < len(f.labels) {
		f.thinned = [2]int{len(kept), len(f.labels)}
	}
	var path strings.Builder
	var alone []int
	for n, i := range kept {
		v := f.series[s].values[i]
		if math.IsNaN(v) {
			continue
		}
		joined := n > 0 && f.joined(s, kept[n-1], i)
		switch {
		case joined:
			path.WriteByte('L')
		default:
			path.WriteByte('M')
		}
		path.WriteString(num(along.at(f.steps[i])) + " " + num(up.at(v)))
		follows := n+1 < len(kept) && f.joined(s, i, kept[n+1])
		if !joined && !follows {
			alone = append(alone, i)
		}
	}
	colour := f.colour(s)
	c.WriteString(`<path d="` + path.String() + `" fill="none" stroke="` + colour + `" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>`)
	dots := alone
	if len(kept) == len(f.labels) && len(kept)*len(f.series) <= mostDots {
		dots = kept
	}
	c.open(` fill="` + colour + `"`)
	for _, i := range dots {
		if v := f.series[s].values[i]; !math.IsNaN(v) {
			c.WriteString(`<circle cx="` + num(along.at(f.steps[i])) + `" cy="` + num(up.at(v)) + `" r="3"`)
			c.closed("circle", f.tip(s, i))
		}
	}
	c.close()
}

// joined reports whether a line runs from one point to a later one: both are there, and no step between them is missing.
// Thinned points stand further apart by nature.
func (f *frame) joined(s, from, to int) bool {
	values := f.series[s].values
	if math.IsNaN(values[from]) || math.IsNaN(values[to]) {
		return false
	}
	for i := from; i < to; i++ {
		if math.IsNaN(values[i]) || f.steps[i+1]-f.steps[i] > 1.5*f.step {
			return false
		}
	}
	return true
}

// thin returns the points that are drawn of many: of each stretch the least and the greatest.
func thin(values []float64, most int) []int {
	var kept []int
	if len(values) <= most {
		for i := range values {
			kept = append(kept, i)
		}
		return kept
	}
	stretches := most / 2
	for k := range stretches {
		least, greatest := -1, -1
		for i := k * len(values) / stretches; i < (k+1)*len(values)/stretches; i++ {
			if v := values[i]; !math.IsNaN(v) {
				if least < 0 || v < values[least] {
					least = i
				}
				if greatest < 0 || v > values[greatest] {
					greatest = i
				}
			}
		}
		switch {
		case least < 0:
		case least == greatest:
			kept = append(kept, least)
		default:
			kept = append(kept, min(least, greatest), max(least, greatest))
		}
	}
	return kept
}

// roundSteps are the distances of labels that read well: months in years, days in weeks, anything else in tens.
var roundSteps = [][]float64{
	{1, 2, 3, 6, 12, 24, 60, 120}, {1, 7, 14, 28, 91, 182, 364, 728}, {1, 2, 4, 8, 20, 40}, {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000},
}

// every returns the distance at which labels of a width stand side by side.
func (f *frame) every(room float64, along scale) float64 {
	steps := roundSteps[len(roundSteps)-1]
	switch first := f.labels[0]; {
	case len(first) == len("2024-01") && first[5] == 'Q':
		steps = roundSteps[2]
	case len(first) == len("2024-01"):
		steps = roundSteps[0]
	case len(first) == len("2024-01-01") && f.step < 7:
		steps = roundSteps[1]
	}
	for _, step := range steps {
		if along.at(f.steps[0]+step*f.step)-along.at(f.steps[0]) >= room {
			return step * f.step
		}
	}
	return f.steps[len(f.steps)-1] - f.steps[0] + 1
}

// times writes as many of the labels as stand side by side, where they can at the round ones.
func (f *frame) times(c *canvas, along scale, left, bottom float64) {
	room := widest(f.labels, smallSize) + 14
	every := f.every(room, along)
	phase := f.phase(every)
	free := left - room
	c.open(` font-size="11"`)
	for i, label := range f.labels {
		x := along.at(f.steps[i])
		if math.Mod(f.steps[i]-phase, every) != 0 || x-room/2 < free {
			continue
		}
		at := x - max(0, x+width(label, smallSize)/2-(sheet-margin/2))
		c.rule(x, bottom, x, bottom+4, baseline)
		c.text(at, bottom+18, "middle", "", fit(label, smallSize, 160))
		free = x + room/2
	}
	c.close()
}

// phase returns a place from which labels count: the first January where that loses none of few, otherwise the first label.
func (f *frame) phase(every float64) float64 {
	if len(f.labels[0]) == len("2024-01") && every > 1 {
		for i, label := range f.labels {
			if (label[4:] == "-01" || label[4:] == "-Q1") && f.steps[i]-f.steps[0] < every {
				return f.steps[i]
			}
		}
	}
	return f.steps[0]
}
