package page

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until what has the focus is called so.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	for range 120 {
		b.types(kb.Tab)
		if value[bool](b, `((e) => (e.ariaLabel ?? e.innerText ?? "").trim() === `+quoted(name)+`)(document.activeElement)`) {
			return
		}
	}
	b.t.Fatalf("Tab does not lead to %q", name)
}

// TestKeyboardOnly clicks nothing: a query with a filter, its chart read by arrows, and what is to be taken away.
func TestKeyboardOnly(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactOrderQueryModel")
	b.sees("What would you like to see?")
	b.press("/")
	b.until(`document.activeElement.type === "search"`)
	b.types("order count" + kb.Enter)
	b.settled()
	b.fill(".rail input[type=search]", "channel type")
	b.types(kb.ArrowDown)
	b.until(`document.activeElement.matches(".field-list summary, .pick")`)
	for range 10 {
		if value[bool](b, `document.activeElement.dataset.field === "channel$channelType"`) {
			break
		}
		b.types(kb.ArrowDown)
	}
	b.types(kb.Enter)
	b.until(`document.querySelector('[data-chart="bar"]')`)
	b.tabTo("Add a filter")
	b.types(kb.Enter)
	b.until(`document.activeElement.role === "combobox"`)
	b.types("order status" + kb.Enter)
	b.until(`document.querySelector(".popover form") && document.activeElement.role === "combobox"`)
	b.types("paid")
	b.until(`document.querySelector(".popover [data-active=true]")?.innerText.startsWith("Paid")`)
	b.press("Enter")
	b.until(`document.querySelector(".popover [aria-selected=true]")`)
	b.tabTo("Apply")
	b.types(kb.Enter)
	b.sees("Order status is Paid")
	b.settled()
	b.expectPayload(`{"columns":["channel$channelType","orderCount"],"groupBy":["channel$channelType"],"orderBy":["-orderCount"],"slice":[{"field":"orderStatus","op":"in","value":["PAID"]}]}`)
	b.until(`document.activeElement.innerText === "Add a filter"`)
	b.tabTo(value[string](b, `document.querySelector(".chart").ariaLabel`))
	b.types(kb.ArrowRight)
	b.until(`document.querySelector(".readout strong")?.innerText === "Online"`)
	b.tabTo("Take away")
	b.types(kb.Enter)
	b.until(`document.querySelector(".popover")?.contains(document.activeElement)`)
	b.types(kb.Escape)
	b.until(`!document.querySelector(".popover") && document.activeElement.innerText === "Take away"`)
}

// TestChineseIsWhole: no word of the page is left in English; the models' own words are theirs.
func TestChineseIsWhole(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(sources, "src", "words.ts"))
	if err != nil {
		t.Fatal(err)
	}
	english := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^  "[^"]+": \["([^"]+)", "([^"]+)"\],$`).FindAllStringSubmatch(string(source), -1) {
		if match[1] != match[2] && !strings.Contains(match[1], "{") {
			english[match[1]] = true
		}
	}
	if len(english) < 200 {
		t.Fatalf("only %d words were found", len(english))
	}
	delete(english, "English") // the button that leads there
	for name, v := range views {
		b := openAs(t, demo, v.path, look{width: 1280, height: 900, language: "zh-CN"})
		b.until(v.whole)
		shown := value[[]string](b, `(() => {
			const all = new Set()
			for (const walk = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT); walk.nextNode(); ) all.add(walk.currentNode.data.trim())
			for (const e of document.querySelectorAll("[aria-label], [placeholder], [title]")) for (const name of ["aria-label", "placeholder", "title"]) all.add((e.getAttribute(name) ?? "").trim())
			return [...all]
		})()`)
		for _, text := range shown {
			if english[text] {
				t.Errorf("%s: %q is in English", name, text)
			}
		}
	}
}
