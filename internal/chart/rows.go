package chart

import "math"

// rows draws lying bars, each label before its bars and each number behind them.
func (f *frame) rows() string {
	var c canvas
	top := f.head(&c) + 4
	labels := min(widest(f.labels, textSize), 220)
	lane, gap := f.lanes()
	height := lane*f.lanesEach() + gap
	at := f.lying(margin + labels + 10)
	bottom := top + height*float64(len(f.labels))
	for i := range f.series {
		c.open(` fill="` + f.colour(i) + `"`)
		for j := range f.labels {
			f.row(&c, i, j, top+float64(j)*height+gap/2, lane, at)
		}
		c.close()
	}
	c.rule(at.at(0), top, at.at(0), bottom, baseline)
	for j, label := range f.labels {
		c.text(margin+labels, top+(float64(j)+0.5)*height+4, "end", "", fit(label, textSize, labels))
	}
	f.rowValues(&c, top, lane, gap, at)
	return f.sheetOf(&c, f.foot(&c, bottom+4))
}

// lanes returns the height of one bar and the space between groups of them.
func (f *frame) lanes() (lane, gap float64) {
	if f.kind == Grouped {
		return 13, 10
	}
	return 17, 8
}

func (f *frame) lanesEach() float64 {
	if f.kind == Grouped {
		return float64(len(f.series))
	}
	return 1
}

// lying returns the scale of lying bars, with room for the numbers behind their ends.
func (f *frame) lying(left float64) scale {
	least, most := f.extent()
	room := 0.0
	for _, s := range f.marks() {
		for _, v := range s {
			room = max(room, width(f.compact(v), smallSize)+8)
		}
	}
	at := scale{min(least, 0), max(most, 0), left, sheet - margin - room}
	if least < 0 {
		at.start += room
	}
	if at.from == at.to {
		at.to = 1
	}
	return at
}

// marks returns the numbers that stand behind bars: those of each series, or of the stacks.
func (f *frame) marks() [][]float64 {
	if f.kind == Stacked {
		return [][]float64{f.stack()}
	}
	var all [][]float64
	for _, s := range f.series {
		all = append(all, s.values)
	}
	return all
}

func (f *frame) row(c *canvas, s, j int, y, lane float64, at scale) {
	v := f.series[s].values[j]
	if math.IsNaN(v) {
		return
	}
	from, thick := 0.0, lane
	switch f.kind {
	case Grouped:
		y += float64(s) * lane
		thick--
	case Stacked:
		from = f.below(s, j)
	case Line, Bar, Value:
	}
	x1, x2 := at.at(from), at.at(from+v)
	c.bar(min(x1, x2), y, math.Abs(x1-x2), thick, f.tip(s, j))
}

func (f *frame) rowValues(c *canvas, top, lane, gap float64, at scale) {
	height := lane*f.lanesEach() + gap
	c.open(` font-size="11" fill="` + ink + `"`)
	for s, marks := range f.marks() {
		for j, v := range marks {
			y := top + float64(j)*height + gap/2 + float64(s)*lane + lane/2 + 3.5
			switch {
			case math.IsNaN(v):
				c.text(at.at(0)+5, y, "start", "", none)
			case v < 0:
				c.text(at.at(v)-5, y, "end", "", f.compact(v))
			default:
				c.text(at.at(v)+5, y, "start", "", f.compact(v))
			}
		}
	}
	c.close()
}
