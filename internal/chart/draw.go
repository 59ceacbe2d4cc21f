package chart

import "math"

// draw returns the SVG of a chart.
func (f *frame) draw() string {
	switch f.kind {
	case Line:
		return f.lines()
	case Value:
		return f.numbers()
	case Bar, Stacked, Grouped:
	}
	if f.upright() {
		return f.columns()
	}
	return f.rows()
}

// head draws unit and legend below the title, and returns where the plot may begin.
func (f *frame) head(c *canvas) float64 {
	y := 38.0
	if unit := clean(f.y[0].Unit); unit != "" {
		y += 10
		c.text(margin, y, "start", ` font-size="11"`, fit(f.words.unit(unit), smallSize, sheet-2*margin))
		y += 4
	}
	if len(f.series) > 1 {
		y = f.legend(c, y)
	}
	return y + 10
}

// legend names the series, in as many lines as they take.
func (f *frame) legend(c *canvas, y float64) float64 {
	const box, gap, line = 10.0, 18.0, 18.0
	x := margin
	y += line
	for i, s := range f.series {
		name := fit(s.name, textSize, 180)
		w := box + 6 + width(name, textSize)
		if x > margin && x+w > sheet-margin {
			x, y = margin, y+line
		}
		c.open(` fill="` + f.colour(i) + `"`)
		c.bar(x, y-9, box, box, "")
		c.close()
		c.text(x+box+6, y, "start", "", name)
		x += w + gap
	}
	return y
}

// foot draws the note below the plot, and returns the height of the sheet.
func (f *frame) foot(c *canvas, y float64) float64 {
	note := f.note()
	if note == "" {
		return y + margin
	}
	c.text(margin, y+16, "start", ` font-size="11"`, fit(note, smallSize, sheet-2*margin))
	return y + 16 + margin
}

// extent returns the ends of what bars must show.
func (f *frame) extent() (least, most float64) {
	least, most, _ = f.ends()
	if f.kind == Stacked {
		for _, sum := range f.stack() {
			if !math.IsNaN(sum) {
				most = max(most, sum)
			}
		}
	}
	return least, most
}
