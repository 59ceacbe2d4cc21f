package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// hostile are texts that are dangerous wherever they are taken for more than text.
var hostile = []string{
	`<img src=x onerror=alert(1)>`, `<script>document.title="owned"</script>`, `"><svg onload=alert(1)>`, `javascript:alert(1)`,
	`=HYPERLINK("http://evil.example/","x")`, `{{constructor.constructor('alert(1)')()}}`, "line\nbreak\ttab", `' OR 1=1 --`,
	"\u202egnirts desrever", strings.Repeat("long ", 400), "\U0001f4a9 \u0000"[:4], `</style><style>*{display:none}</style>`,
	"bell \x07 escape \x1b[31m", `]]></title><script>alert(1)</script>`,
}

// hostileShop writes a folder of one table full of such texts, with a model whose own words are no better.
func hostileShop(t *testing.T) string {
	t.Helper()
	folder, write := newFolder(t)
	var rows strings.Builder
	rows.WriteString("id,name,amount\n")
	for i, text := range hostile {
		rows.WriteString(string(rune('a'+i)) + `,"` + strings.ReplaceAll(text, `"`, `""`) + `",` + "12.5\n")
	}
	write("data/things.csv", rows.String())
	write("models/things.yaml", `
model: Things
caption: "<b onmouseover=alert(1)>Things</b>"
description: "<script>alert(2)</script> & such"
source: {table: things, key: [id]}
attributes:
  - {name: id, column: id, type: string, caption: "\"><i>Id"}
  - {name: name, column: name, type: string, caption: "<u>Name</u>", description: "<img src=x onerror=alert(3)>", synonyms: ["<s>label</s>"]}
measures:
  - {name: amount, column: amount, type: decimal, agg: sum, caption: "<em>Amount</em>", unit: "<sup>€</sup>"}
examples:
  - {question: "<h1>What</h1> is there?", payload: {columns: [name, amount], groupBy: [name]}}
`)
	write("parlance.yaml", "namespaces:\n  things: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n")
	return filepath.Join(folder, "parlance.yaml")
}

// checkSVG holds a saved chart to be whole XML of drawing elements that name nothing outside of it.
func checkSVG(t *testing.T, svg []byte) {
	t.Helper()
	drawing := []string{"svg", "g", "rect", "text", "title", "line", "path", "circle"}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(drawing, element.Name.Local) {
			t.Errorf("the SVG has an element %s", element.Name.Local)
		}
		for _, a := range element.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") {
				t.Errorf("%s has %s=%q", element.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

// TestHostileText: names and cells are text in every view, and nothing of theirs becomes an element or runs.
func TestHostileText(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", hostileShop(t))
	b := open(t, s, "/#/models/Things")
	b.sees("<b onmouseover=alert(1)>Things</b>", "<script>alert(2)</script> & such", "<u>Name</u>", "<img src=x onerror=alert(3)>", "<sup>€</sup>", "<h1>What</h1> is there?")
	b.click("<h1>What</h1> is there?")
	b.settled()
	b.until(`document.querySelectorAll(".grid tbody tr").length === ` + itoa(len(hostile)))
	shown := strings.Join(b.cells(), "\n")
	for _, text := range hostile[:6] {
		if !strings.Contains(shown, text) {
			t.Errorf("%q is not shown as it is:\n%s", text, shown)
		}
	}
	b.until(`document.querySelector(".chart svg text")`)
	value[bool](b, `(document.querySelector(".chart").focus(), true)`)
	b.types(kb.ArrowRight)
	b.until(`document.querySelector(".readout strong")`)
	folder := t.TempDir()
	b.intoFolder(folder)
	b.click("Take away")
	b.click("Chart as SVG")
	checkSVG(t, saved(t, filepath.Join(folder, "Things.svg")))
	b.click("Chart as PNG")
	if png := saved(t, filepath.Join(folder, "Things.png")); string(png[1:4]) != "PNG" {
		t.Errorf("the PNG begins with %q", png[:4])
	}
	b.click("Tool call")
	b.types(kb.Escape)
	b.filterOn("name")
	b.sees("<img src=x onerror=alert(1)>")
	found := value[int](b, `document.querySelectorAll("img, script:not([src]), iframe, object, embed, b, u, i:not([style]), h1 em, sup, [onerror], [onload], [onmouseover]").length`)
	if title := value[string](b, `document.title`); found != 0 || strings.Contains(title, "owned") {
		t.Errorf("%d elements were made of text; the title is %q", found, title)
	}
	if !strings.Contains(value[string](b, `getComputedStyle(document.body).display`), "block") {
		t.Error("a style of a cell holds")
	}
	inspect := open(t, s, "/#/inspect/Things?columns=name,amount&groupBy=name")
	inspect.sees("<u>Name</u>")
	ask := open(t, s, "/#/ask?q=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
	ask.sees("<img src=x onerror=alert(1)>")
	ask.until(`document.querySelector("[data-reply], [data-failure], .understood")`)
	if got := value[int](ask, `document.querySelectorAll("main img").length`); got != 0 {
		t.Error("a question became an image")
	}
}
