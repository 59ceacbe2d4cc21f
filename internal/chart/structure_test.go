package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/value"
)

func dayAfter(from string, days int) string {
	t, _ := time.Parse(time.DateOnly, from)
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}

// shape is one element of a picture.
type shape struct {
	name  string
	attrs map[string]float64
	text  string // its own, of a text element; its title's, of a mark
	size  float64
	end   string // text-anchor
}

// shapesOf parses a picture strictly and returns its rects, circles and texts.
func shapesOf(t *testing.T, svg string) []shape {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	var all []shape
	sizes := []float64{textSize}
	var open []int // places in all, -1 for what is not kept
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "svg", "g", "rect", "circle", "text", "path", "title":
			default:
				t.Fatalf("an element %s", e.Name.Local)
			}
			s := shape{name: e.Name.Local, attrs: map[string]float64{}, size: sizes[len(sizes)-1]}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "style" || a.Name.Local == "id" {
					t.Fatalf("an attribute %s", a.Name.Local)
				}
				if v, err := strconv.ParseFloat(a.Value, 64); err == nil {
					s.attrs[a.Name.Local] = v
				}
				if a.Name.Local == "text-anchor" {
					s.end = a.Value
				}
			}
			if v, ok := s.attrs["font-size"]; ok {
				s.size = v
			}
			sizes = append(sizes, s.size)
			open = append(open, -1)
			if s.name != "g" && s.name != "path" && s.name != "title" {
				all = append(all, s)
				open[len(open)-1] = len(all) - 1
			}
		case xml.CharData:
			for i := len(open) - 1; i >= 0; i-- {
				if open[i] >= 0 {
					all[open[i]].text += string(e)
					break
				}
			}
		case xml.EndElement:
			sizes, open = sizes[:len(sizes)-1], open[:len(open)-1]
		}
	}
}

// narrow is what a text takes in a usual font: an estimate of its own, apart from the program's.
func narrow(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		if unicode.Is(unicode.Han, r) || r >= 0x3000 {
			sum += 1
		} else {
			sum += 0.56
		}
	}
	return sum * size
}

// inside checks that every text stands on the sheet and that no two of a line run into each other.
func inside(t *testing.T, svg string) {
	t.Helper()
	shapes := shapesOf(t, svg)
	wide, high := shapes[0].attrs["width"], shapes[0].attrs["height"]
	type stretch struct {
		y, from, to float64
		text        string
	}
	var texts []stretch
	for _, s := range shapes {
		if s.name != "text" {
			continue
		}
		w := narrow(s.text, s.size)
		from := s.attrs["x"]
		switch s.end {
		case "middle":
			from -= w / 2
		case "end":
			from -= w
		}
		if from < -1 || from+w > wide+1 || s.attrs["y"] < s.size*0.7 || s.attrs["y"] > high {
			t.Errorf("%q stands from %.0f to %.0f at %.0f, on a sheet of %.0f by %.0f", s.text, from, from+w, s.attrs["y"], wide, high)
		}
		for _, other := range texts {
			if math.Abs(other.y-s.attrs["y"]) < 8 && from < other.to-1 && other.from < from+w-1 {
				t.Errorf("%q runs into %q", s.text, other.text)
			}
		}
		texts = append(texts, stretch{s.attrs["y"], from, from + w, s.text})
	}
}

func TestTextStaysOnTheSheet(t *testing.T) {
	for name, g := range gallery() {
		t.Run(name, func(t *testing.T) { inside(t, Make(g.table, g.options).SVG) })
	}
}

// bars returns the marks of a picture by what they tell.
func bars(t *testing.T, svg string) map[string]shape {
	t.Helper()
	found := map[string]shape{}
	for _, s := range shapesOf(t, svg) {
		if s.name == "rect" && strings.Contains(s.text, ": ") {
			found[s.text] = s
		}
	}
	return found
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.5 {
		t.Errorf("%s is %.2f, want %.2f", what, got, want)
	}
}

func TestBarsAreAsLongAsTheirNumbers(t *testing.T) {
	columns := bars(t, Make(tableOf([]Column{category, orders}, "a|10", "b|25", "c|-5"), Options{}).SVG)
	a, b, c := columns["a: 10"], columns["b: 25"], columns["c: -5"]
	near(t, "b beside a", b.attrs["height"], 2.5*a.attrs["height"])
	near(t, "c beside a", c.attrs["height"], a.attrs["height"]/2)
	near(t, "the foot of a", a.attrs["y"]+a.attrs["height"], b.attrs["y"]+b.attrs["height"])
	near(t, "the head of c", c.attrs["y"], a.attrs["y"]+a.attrs["height"])

	long := strings.Repeat("a long name ", 3)
	rows := bars(t, Make(tableOf([]Column{category, orders}, long+"1|10", long+"2|40", long+"3|-20"), Options{}).SVG)
	one, two, three := rows[long+"1: 10"], rows[long+"2: 40"], rows[long+"3: -20"]
	near(t, "the second beside the first", two.attrs["width"], 4*one.attrs["width"])
	near(t, "the third beside the first", three.attrs["width"], 2*one.attrs["width"])
	near(t, "the end of the third", three.attrs["x"]+three.attrs["width"], one.attrs["x"])
}

func TestStacksStandOnOneAnother(t *testing.T) {
	customer := Column{Key: "type", Name: "type"}
	c := Make(tableOf([]Column{category, customer, orders}, "a|x|30", "a|y|10", "a|z|20", "b|x|5"), Options{})
	if c.Type != Stacked || c.X != "category" && c.X != "type" {
		t.Fatalf("got %+v", c)
	}
	// The key of three members runs along the axis; a and b are stacked.
	found := bars(t, c.SVG)
	x, y := found["x, a: 30"], found["x, b: 5"]
	near(t, "b beside a", x.attrs["height"], 6*y.attrs["height"])
	near(t, "the foot of b", y.attrs["y"]+y.attrs["height"], x.attrs["y"])
}

func TestPointsStandWhereTheirNumbersAre(t *testing.T) {
	c := Make(tableOf([]Column{month, orders}, "2024-01|100", "2024-02|300", "2024-04|200"), Options{})
	var dots []shape
	for _, s := range shapesOf(t, c.SVG) {
		if s.name == "circle" {
			dots = append(dots, s)
		}
	}
	if len(dots) != 3 {
		t.Fatalf("%d points", len(dots))
	}
	near(t, "the third point's height", dots[0].attrs["cy"]-dots[2].attrs["cy"], (dots[0].attrs["cy"]-dots[1].attrs["cy"])/2)
	near(t, "two months", dots[2].attrs["cx"]-dots[1].attrs["cx"], 2*(dots[1].attrs["cx"]-dots[0].attrs["cx"]))
	if n := strings.Count(c.SVG, "M"+num(dots[2].attrs["cx"])+" "); n == 0 {
		t.Error("the line runs over the month that is missing")
	}
}

func TestWhatIsChosen(t *testing.T) {
	customer := Column{Key: "type", Name: "type"}
	for _, c := range []struct {
		name  string
		table Table
		want  string // type x y series note
	}{
		{"time", tableOf([]Column{month, sales}, "2024-01|1", "2024-02|2", "2024-03|3"), "line month sales  "},
		{"time backwards", tableOf([]Column{month, sales}, "2024-03|1", "2024-02|2", "2024-01|3"), "line month sales  "},
		{"two periods are compared", tableOf([]Column{month, sales}, "2023|1", "2024|2"), "bar month sales  "},
		{"a ranking of months", tableOf([]Column{month, sales}, "2024-02|9", "2024-11|8", "2024-03|7"), "bar month sales  "},
		{"names of months", tableOf([]Column{month, sales}, "January|9", "February|8", "March|7"), "bar month sales  "},
		{"a category that looks like years", tableOf([]Column{category, sales}, "2021|9", "2022|8", "2023|7"), "bar category sales  "},
		{"two numbers of a kind", tableOf([]Column{category, sales, profit}, "a|9|1", "b|8|1"), "grouped category sales,profit  "},
		{"two numbers of two kinds", tableOf([]Column{category, sales, rate}, "a|9|1", "b|8|1"), "bar category sales  not drawn: profit rate"},
		{"shares of two keys", tableOf([]Column{category, customer, rate}, "a|x|9", "b|x|8", "b|y|8"), "grouped category rate type "},
		{"parts that add up", tableOf([]Column{category, customer, sales}, "a|x|9", "b|x|8", "b|y|8"), "stacked category sales type "},
		{"parts below zero", tableOf([]Column{category, customer, sales}, "a|x|9", "b|x|-8", "b|y|8"), "grouped category sales type "},
		{"time and a category", tableOf([]Column{category, month, sales}, "a|2024-01|9", "a|2024-02|8", "b|2024-03|8"), "line month sales category "},
		{"a number", tableOf([]Column{sales}, "5"), "value  sales  "},
		{"no number at all", tableOf([]Column{sales}, ""), "value  sales  "},
		{"more rows than are here", Table{Columns: []Column{category, orders}, Rows: tableOf(nil, "a|1", "b|2").Rows, Total: 900}, "bar category orders  2 of 900 are drawn"},
	} {
		got := Make(c.table, Options{})
		if got == nil {
			t.Errorf("%s: no chart", c.name)
			continue
		}
		if diff := cmp.Diff(c.want, fmt.Sprintf("%s %s %s %s %s", got.Type, got.X, strings.Join(got.Y, ","), got.Series, got.Note)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	for name, table := range map[string]Table{
		"no rows":       tableOf([]Column{category, sales}),
		"no number":     tableOf([]Column{category}, "a"),
		"three keys":    tableOf([]Column{category, customer, month, sales}, "a|b|c|1"),
		"only nulls":    tableOf([]Column{category, sales}, "a|", "b|"),
		"not a number":  tableOf([]Column{category, sales}, "a|abc", "b|NaN"),
		"beyond floats": tableOf([]Column{category, sales}, "a|1e999", "b|1e308", "c|-1e308"),
	} {
		if c := Make(table, Options{}); c != nil {
			t.Errorf("%s: a chart %+v", name, c)
		}
	}
}

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct {
		v      float64
		style  value.Style
		en, zh string
	}{
		{0, value.Plain, "0", "0"}, {7, value.Plain, "7", "7"}, {1234.5, value.Plain, "1,234", "1,234"}, {12_345, value.Plain, "12.3K", "1.23万"},
		{999_999, value.Plain, "1M", "100万"}, {1_234_567, value.Money, "1.23M", "123万"}, {34_000, value.Plain, "34K", "3.4万"},
		{123_456_789, value.Plain, "123M", "1.23亿"}, {99_999_999, value.Plain, "100M", "1亿"}, {-2_500_000, value.Plain, "-2.5M", "-250万"},
		{0.1234, value.Plain, "0.12", "0.12"}, {0.00123, value.Plain, "0.00123", "0.00123"}, {35.94837, value.Percent, "35.9%", "35.9%"},
		{math.NaN(), value.Plain, "–", "–"}, {5e15, value.Plain, "5,000T", "5,000万亿"}, {9999.9, value.Plain, "10K", "1万"},
	} {
		if got := compact(c.v, c.style, false); got != c.en {
			t.Errorf("%v is %q, want %q", c.v, got, c.en)
		}
		if got := compact(c.v, c.style, true); got != c.zh {
			t.Errorf("%v is %q in Chinese, want %q", c.v, got, c.zh)
		}
	}
	for _, c := range []struct {
		text  string
		style value.Style
		unit  string
		want  string
	}{
		{"59260304.99", value.Money, "CNY", "59,260,304.99 CNY"}, {"20000", value.Plain, "", "20,000"}, {"35.948370", value.Percent, "", "35.95%"},
		{"3031.907322", value.Money, "", "3,031.91"}, {"-0.001234", value.Plain, "", "-0.00123"}, {"123456789012345678901234567890", value.Plain, "", "123,456,789,012,345,678,901,234,567,890"},
		{"abc", value.Plain, "", "abc"}, {"0.5", value.Plain, "kg", "0.5 kg"},
	} {
		if got := Exact(c.text, c.style, c.unit); got != c.want {
			t.Errorf("%s is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAPictureThatIsTooLarge(t *testing.T) {
	g := gallery()["line-days"]
	whole := Make(g.table, Options{})
	small := Make(g.table, Options{MaxBytes: 3000})
	if len(small.SVG) > 3000 || small.SVG == "" || !strings.Contains(small.Note, "drawn with 60 of 1096 points") {
		t.Errorf("%d bytes, %q", len(small.SVG), small.Note)
	}
	none := Make(g.table, Options{MaxBytes: 300})
	if none.SVG != "" || !strings.Contains(none.Note, "too large") || none.Type != whole.Type {
		t.Errorf("got %+v", none)
	}
}

// FuzzPicture holds that whatever stands in a table, the picture is XML of the few elements that it may have, under its
// size, and the same each time.
func FuzzPicture(f *testing.F) {
	f.Add("a|b", "x\x00<script>alert(1)</script>", "\"'&]]>", "1e300", "-5", uint8(2))
	f.Add("2024-01", "2024-02", "2024-03", "1", "", uint8(1))
	f.Add("\u202eevil", "\ufffe\xff", strings.Repeat("长", 300), "NaN", "0.0000001", uint8(3))
	f.Fuzz(func(t *testing.T, a, b, c, n, m string, form uint8) {
		columns := [][]Column{{sales, rate}, {month, sales}, {category, sales}, {month, category, sales}, {category, {Key: b, Name: c}, rate}}[form%5]
		table := Table{Columns: columns}
		for _, texts := range [][]string{{a, n}, {b, m}, {c, "7"}, {a, m}} {
			row := make([]Cell, len(columns))
			for i := range row {
				row[i] = Cell{Text: texts[0]}
				if columns[i].Number {
					row[i] = Cell{Text: texts[1], Null: texts[1] == ""}
				} else if i == 1 {
					row[i].Text = b
				}
			}
			table.Rows = append(table.Rows, row)
		}
		chart := Make(table, Options{Chinese: form%2 == 0})
		_ = Text(table, Options{}, 80)
		if chart == nil {
			return
		}
		if len(chart.SVG) > defaultBytes || chart.SVG != Make(table, Options{Chinese: form%2 == 0}).SVG {
			t.Fatal("too large, or another picture")
		}
		for _, s := range shapesOf(t, chart.SVG) {
			for name, v := range s.attrs {
				if math.IsNaN(v) || math.IsInf(v, 0) || (name == "width" || name == "height") && v < 0 {
					t.Fatalf("%s of a %s is %v", name, s.name, v)
				}
			}
		}
	})
}
