package page

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// looks are the ways in which every view must be fit to be seen.
var looks = map[string]look{
	"light":  {width: 1280, height: 860},
	"dark":   {width: 1280, height: 860, dark: true},
	"narrow": {width: 360, height: 780},
}

// views are a place in every view, and what is there when it is whole.
var views = map[string]struct{ path, whole string }{
	"models":  {"/#/models/FactSalesQueryModel", `document.querySelector(".graph") && document.querySelector(".field-line")`},
	"explore": {`/#/explore/FactSalesQueryModel?columns=salesDate$yearMonth,customer$customerType,salesAmount&groupBy=salesDate$yearMonth,customer$customerType&slice=[{"field":"salesDate$caption","op":"=","value":"this+year"},{"field":"customer$customerType","op":"is+not+null"}]&returnTotal=1`, `document.querySelector(".chart-body[aria-busy=false] svg path") && document.querySelector(".grid tfoot")`},
	"ask":     {"/#/ask?q=sales+and+profit+by+category+last+year", `document.querySelector(".understood") && document.querySelector(".chart svg")`},
	"inspect": {"/#/inspect/FactSalesQueryModel?columns=product$brand,salesAmount&groupBy=product$brand&returnTotal=1", `document.querySelector(".sql")`},
}

type violation struct {
	ID, Impact, Help string
	Nodes            []struct{ HTML, FailureSummary string }
}

// TestLooks holds every view, in light, dark and narrow, to the rules of accessibility that axe-core checks, WCAG AA
// contrast among them, and to the width of the screen. With PARLANCE_SCREENSHOTS=DIR it leaves pictures there.
func TestLooks(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	absent := packages()
	axe, err := os.ReadFile(filepath.Join(sources, "node_modules", "axe-core", "axe.min.js"))
	if absent == nil && err != nil {
		t.Fatal(err)
	}
	pictures := os.Getenv("PARLANCE_SCREENSHOTS")
	for view, v := range views {
		for name, l := range looks {
			t.Run(view+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := openAs(t, demo, v.path, l)
				b.until(v.whole)
				b.until(`document.fonts.status === "loaded"`)
				if wide := value[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
					t.Errorf("the view is %d pixels wider than the screen", wide)
				}
				if pictures != "" {
					b.picture(filepath.Join(pictures, view+"-"+name+".png"))
				}
				if name == "narrow" && view != "explore" {
					return // what else there is differs in its width only
				}
				if absent != nil {
					t.Skipf("SKIPPED: accessibility is not checked: %v", absent)
				}
				b.checkAccess(string(axe), name == "dark")
			})
		}
	}
}

func (b *tab) picture(path string) {
	b.t.Helper()
	image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(path, image, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// checkAccess runs axe-core over the page; where only the colours are others, only their contrast is asked for.
func (b *tab) checkAccess(axe string, colours bool) {
	b.t.Helper()
	only := ""
	if colours {
		only = `, runOnly: ["color-contrast"]`
	}
	b.do(chromedp.Evaluate[chromedp.Void](axe + "; void 0"))
	found := value[json.RawMessage](b, `axe.run(document, {resultTypes: ["violations"]`+only+`}).then((r) => r.violations.map((v) => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.map((n) => ({html: n.html, failureSummary: n.failureSummary}))})))`)
	var violations []violation
	if err := json.Unmarshal(found, &violations); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range violations {
		b.t.Errorf("%s (%s): %s\n%s", v.ID, v.Impact, v.Help, fmt.Sprint(v.Nodes[:min(3, len(v.Nodes))]))
	}
}
