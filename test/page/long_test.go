package page

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestLongWords: what readers write into filters, questions and links may be one word without end; it breaks, and the page
// stays as wide as its window.
func TestLongWords(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("endless", 40)
	for name, c := range map[string]struct{ path, seen string }{
		"filter":   {`/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&slice=[{"field":"customer$caption","op":"like","value":"` + word + `"}]`, "Nothing matches these filters."},
		"chart":    {`/#/explore/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&chart=` + word, "Sales amount"},
		"question": {`/#/ask?q=` + word, "I did not understand"},
		"view":     {`/#/` + word, word},
		"model":    {`/#/explore/` + word, word},
	} {
		t.Run(name, func(t *testing.T) {
			b := openAs(t, demo, c.path, look{width: 360, height: 740})
			b.sees(c.seen)
			if width := value[int](b, `document.documentElement.scrollWidth`); width > 360 {
				t.Errorf("the page is %d pixels wide, in a window of 360", width)
			}
		})
	}
}

// TestNarrowPanels: in a narrow window a panel keeps the same distance from both of its edges.
func TestNarrowPanels(t *testing.T) {
	t.Parallel()
	b := openAs(t, demo, "/#/explore/FactOrderQueryModel?columns=orderStatus,totalAmount&groupBy=orderStatus", look{width: 360, height: 740})
	b.settled()
	for _, button := range []string{"Add a filter", "Take away"} {
		b.click(button)
		b.until(`document.querySelector(".popover")`)
		if got := value[string](b, `((r) => r.left + " to " + r.right)(document.querySelector(".popover").getBoundingClientRect())`); got != "12 to 348" {
			t.Errorf("%s: the panel stands from %s", button, got)
		}
		b.types(kb.Escape)
		b.until(`!document.querySelector(".popover")`)
	}
}
