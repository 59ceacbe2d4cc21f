package chart

// bold is how much wider heavy letters are.
const bold = 1.12

// numbers draws single values, side by side and as large as there is room.
func (f *frame) numbers() string {
	var c canvas
	room := (sheet - 2*margin) / float64(len(f.series))
	size := 44.0
	for _, s := range f.series {
		if w := width(s.texts[0], size) * bold; w > room-16 {
			size = max(12, size*(room-16)/w)
		}
	}
	baseline := 62 + size
	for i, s := range f.series {
		x := margin + float64(i)*room
		c.text(x, baseline, "start", ` font-size="`+num(size)+`" font-weight="600" fill="`+ink+`"`, fit(s.texts[0], size*bold, room-8))
		if len(f.series) > 1 {
			c.text(x, baseline+22, "start", "", fit(s.name, textSize, room-12))
		}
	}
	bottom := baseline + 10
	if len(f.series) > 1 {
		bottom += 22
	}
	return f.sheetOf(&c, f.foot(&c, bottom))
}
