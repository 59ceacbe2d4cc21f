package chart

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The colours. Marks are told apart by every common kind of colour vision (Okabe and Ito's palette).
var palette = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"}

const (
	ink      = "#1f2937"
	softInk  = "#4b5563"
	grid     = "#e5e7eb"
	baseline = "#9ca3af"
	restInk  = "#9ca3af"
	fonts    = "system-ui,'Segoe UI','Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif"
)

// canvas gathers the parts of an SVG. It has no ids, styles or scripts, so that several stand in one page under any
// policy of its content.
type canvas struct{ strings.Builder }

// num writes a coordinate, to a tenth.
func num(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(clean(s)))
	return b.String()
}

// text writes a line of text; anchor is start, middle or end.
func (c *canvas) text(x, y float64, anchor, attributes, s string) {
	c.WriteString(`<text x="` + num(x) + `" y="` + num(y) + `"`)
	if anchor != "start" {
		c.WriteString(` text-anchor="` + anchor + `"`)
	}
	c.WriteString(attributes + ">" + escaped(s) + "</text>")
}

// bar writes a mark that tells its value where it may.
func (c *canvas) bar(x, y, w, h float64, tip string) {
	c.WriteString(`<rect x="` + num(x) + `" y="` + num(y) + `" width="` + num(w) + `" height="` + num(h) + `"`)
	c.closed("rect", tip)
}

func (c *canvas) closed(element, tip string) {
	if tip == "" {
		c.WriteString("/>")
		return
	}
	c.WriteString("><title>" + escaped(tip) + "</title></" + element + ">")
}

// rule writes a horizontal or vertical line.
func (c *canvas) rule(x1, y1, x2, y2 float64, colour string) {
	fmt.Fprintf(c, `<path d="M%s %sL%s %s" stroke="%s"/>`, num(x1), num(y1), num(x2), num(y2), colour)
}

func (c *canvas) open(attributes string) { c.WriteString("<g" + attributes + ">") }
func (c *canvas) close()                 { c.WriteString("</g>") }

// sheetOf puts a body under its title, on a sheet of a height.
func (f *frame) sheetOf(body *canvas, height float64) string {
	var c canvas
	title := f.title()
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-label="%s" font-family="%s" font-size="%s" fill="%s">`,
		num(sheet), num(height), num(sheet), num(height), escaped(title), fonts, num(textSize), softInk)
	c.WriteString(`<rect width="100%" height="100%" rx="6" fill="#fff"/>`)
	c.text(margin, 29, "start", ` font-size="15" font-weight="600" fill="`+ink+`"`, fit(title, titleSize*bold, sheet-2*margin))
	return c.String() + body.String() + "</svg>"
}

func (f *frame) colour(i int) string {
	if f.series[i].rest {
		return restInk
	}
	return palette[i%len(palette)]
}

// tip returns what a mark tells, "" where marks are silent.
func (f *frame) tip(s, i int) string {
	if !f.detail.tips {
		return ""
	}
	parts := []string{}
	if f.labels[i] != "" {
		parts = append(parts, f.labels[i])
	}
	if len(f.series) > 1 {
		parts = append(parts, cut(f.series[s].name, 60))
	}
	return strings.Join(parts, ", ") + ": " + f.series[s].texts[i]
}
