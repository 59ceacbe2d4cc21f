package chart

import "math"

const (
	plotHeight = 230.0
	mostUpland = 12 // columns that stand side by side
)

// upright reports whether the labels are short and few enough to stand below columns.
func (f *frame) upright() bool {
	n := len(f.labels)
	if n > mostUpland {
		return false
	}
	_, room := f.sides()
	band := (sheet - margin - room) / float64(n)
	if f.kind == Grouped && band/float64(len(f.series)) < 12 {
		return false
	}
	return widest(f.labels, textSize) <= band-8
}

// sides returns the axis of the numbers and where the plot begins beside its labels.
func (f *frame) sides() (a [3]float64, left float64) {
	least, most := f.extent()
	from, to, step := axis(least, most, f.kind != Line)
	a = [3]float64{from, to, step}
	for _, v := range ticks(from, to, step) {
		left = max(left, width(f.compact(v), smallSize))
	}
	return a, margin + left + 8
}

// gridlines draws the round numbers of an axis and a line for each.
func (f *frame) gridlines(c *canvas, a [3]float64, left float64, at scale) {
	c.open(` font-size="11"`)
	for _, v := range ticks(a[0], a[1], a[2]) {
		colour := grid
		if v == 0 {
			colour = baseline
		}
		y := at.at(v)
		c.rule(left, y, sheet-margin, y, colour)
		c.text(left-6, y+4, "end", "", f.compact(v))
	}
	c.close()
}

// columns draws upright bars: alone, side by side or on top of one another.
func (f *frame) columns() string {
	var c canvas
	top := f.head(&c) + 8
	a, left := f.sides()
	at := scale{a[0], a[1], top + plotHeight, top}
	f.gridlines(&c, a, left, at)
	band := (sheet - margin - left) / float64(len(f.labels))
	for i := range f.series {
		c.open(` fill="` + f.colour(i) + `"`)
		for j := range f.labels {
			f.column(&c, i, j, left+float64(j)*band, band, at)
		}
		c.close()
	}
	f.columnValues(&c, left, band, at)
	for j, label := range f.labels {
		c.text(left+(float64(j)+0.5)*band, top+plotHeight+18, "middle", "", label)
	}
	return f.sheetOf(&c, f.foot(&c, top+plotHeight+22))
}

// column draws one bar of a series.
func (f *frame) column(c *canvas, s, j int, x, band float64, at scale) {
	v := f.series[s].values[j]
	if math.IsNaN(v) {
		return
	}
	w := min(band*0.7, 64)
	x += (band - w) / 2
	from := 0.0
	switch f.kind {
	case Grouped:
		w /= float64(len(f.series))
		x += float64(s) * w
		w = max(w-1, 1)
	case Stacked:
		from = f.below(s, j)
	case Line, Bar, Value:
	}
	y1, y2 := at.at(from), at.at(from+v)
	c.bar(x, min(y1, y2), w, math.Abs(y1-y2), f.tip(s, j))
}

// below returns what lies under a part of a stack.
func (f *frame) below(s, j int) float64 {
	sum := 0.0
	for _, other := range f.series[:s] {
		if v := other.values[j]; !math.IsNaN(v) {
			sum += v
		}
	}
	return sum
}

// columnValues writes the numbers over single columns and stacks, where every one of them has room; a missing one is told
// in any case.
func (f *frame) columnValues(c *canvas, left, band float64, at scale) {
	sums := f.stack()
	room := f.kind != Grouped
	for _, v := range sums {
		room = room && width(f.compact(v), smallSize) <= band-2
	}
	c.open(` font-size="11" fill="` + ink + `"`)
	for j, v := range sums {
		x := left + (float64(j)+0.5)*band
		switch {
		case math.IsNaN(v):
			c.text(x, at.at(0)-6, "middle", "", none)
		case room && v < 0:
			c.text(x, at.at(v)+13, "middle", "", f.compact(v))
		case room:
			c.text(x, at.at(v)-5, "middle", "", f.compact(v))
		}
	}
	c.close()
}
