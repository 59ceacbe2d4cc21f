package page

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// turnedShop writes a folder whose values and captions are read from right to left, or turn what follows them.
func turnedShop(t *testing.T) string {
	t.Helper()
	folder, write := newFolder(t)
	write("data/things.csv", "id,name,kind,amount\na,\u202egnirts,\u05e9\u05dc\u05d5\u05dd,12\nb,plain,k,34\nc,\u2069\u202edne,k,56\n")
	write("models/things.yaml", `
model: Things
caption: Things
source: {table: things, key: [id]}
attributes:
  - {name: id, column: id, type: string}
  - {name: name, column: name, type: string, caption: Name}
  - {name: kind, column: kind, type: string, caption: "\u05e1\u05d5\u05d2"}
measures: [{name: amount, column: amount, type: integer, agg: sum, caption: "\u202etnuomA", unit: kg}]
`)
	write("parlance.yaml", "namespaces:\n  things: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n")
	return filepath.Join(folder, "parlance.yaml")
}

// places finds where two parts of a text begin on the screen, from the left; they stand in one element.
const places = `((css, one, other) => {
	const element = [...document.querySelectorAll(css)].find((e) => e.textContent.includes(one) && e.textContent.includes(other))
	if (!element) return []
	const at = (part) => {
		const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
		while (walk.nextNode()) {
			const from = walk.currentNode.data.indexOf(part)
			if (from < 0) continue
			const range = document.createRange()
			range.setStart(walk.currentNode, from)
			range.setEnd(walk.currentNode, from + part.length)
			return range.getBoundingClientRect().left
		}
	}
	return [at(one), at(other)]
})`

// TestTurnedText: what stands behind a value stays behind it, whatever the value does to the direction of text.
func TestTurnedText(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", turnedShop(t))
	b := open(t, s, slicePath("Things", "kind,name,amount", `
		groupBy=kind,name
		chart=stacked
		slice=[{"field":"name","op":"in","value":["\u202egnirts","\u2069\u202edne","plain"]},{"field":"amount","op":"[]","value":[1,99]}]`))
	b.settled()
	b.until(`document.querySelector(".chart svg rect")`)
	b.clickOn(".chart")
	b.types(kb.ArrowLeft)
	b.until(`document.querySelector(".readout strong")`)
	for _, c := range []struct{ where, css, first, second string }{
		{"a condition", ".chip-text", "gnirts", "plain"},
		{"a condition with an end of an isolation", ".chip-text", "dne", "plain"},
		{"a range", ".chip-text", "tnuomA", "99"},
		{"a column's head", ".grid thead th", "tnuomA", "kg"},
		{"a chart's head", ".chart-card h2", "tnuomA", "kg"},
		{"what is pointed at", ".readout > span", "gnirts", "12"},
	} {
		at := value[[]float64](b, places+"("+quoted(c.css)+", "+quoted(c.first)+", "+quoted(c.second)+")")
		if len(at) != 2 {
			t.Errorf("%s: %q and %q are not there", c.where, c.first, c.second)
		} else if at[0] >= at[1] {
			t.Errorf("%s: %q stands at %.0f, behind %q at %.0f", c.where, c.first, at[0], c.second, at[1])
		}
	}
	if wrong := value[[]string](b, `[...document.querySelectorAll(".grid tbody td")].filter((e) => e.className !== "number" && getComputedStyle(e).textAlign !== "left").map((e) => e.textContent)`); len(wrong) > 0 {
		t.Errorf("cells stand to the right: %q", wrong)
	}
}
