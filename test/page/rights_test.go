package page

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func toJSON(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

// signIn gives the page a token of the guarded demo, as a person does.
func (b *tab) signIn(token string) {
	b.t.Helper()
	b.click("Enter a token")
	b.fill("dialog[open] input[name=token]", token)
	b.until(`document.querySelector("input[name=token]").value === ` + quoted(token))
	b.click("Use")
}

// TestFewerRights looks at the guarded shop as a viewer, who may see neither cost nor profit, in every view.
func TestFewerRights(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/models/FactSalesQueryModel?ns=demo-secure")
	b.sees("This namespace asks who you are")
	b.signIn("plc_demo-viewer")
	b.sees("Sales amount", "How it is joined")
	b.seesNot("Profit", "profitAmount", "profitRate", "Cost amount", "costAmount", "unitCost")

	b.click("Explore Sales")
	b.sees("What would you like to see?")
	b.seesNot("Profit", "Cost amount")
	b.click("Add a filter")
	b.until(`document.activeElement.role === "combobox"`)
	b.types("profit")
	b.sees("No field matches")
	b.types(kb.Escape)

	b.click("Ask")
	b.sees("Ask in your own words")
	b.press("/")
	b.types("profit by category" + kb.Enter)
	b.until(`document.querySelector("[data-reply]")`)
	if rows := b.cells(); len(rows) != 0 {
		t.Errorf("profit is shown: %q", rows)
	}

	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#/explore/FactSalesQueryModel?ns=demo-secure&columns=product$brand,profitRate&groupBy=product$brand"`))
	b.sees("You may not see this", `no permission for field "profitRate"`)
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#/explore/FactSalesQueryModel?ns=demo-secure&columns=product$brand,salesAmount&groupBy=product$brand"`))
	b.settled()
	b.click("Inspect")
	b.sees("Statements and plans are for admins.", "one row for each Brand")
	b.seesNot("SELECT")
}

// TestRowsAndMasks looks as a manager of two provinces, who sees no whole phone number.
func TestRowsAndMasks(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?ns=demo-secure&columns=store$province,salesAmount&groupBy=store$province")
	b.sees("This namespace asks who you are")
	b.signIn("plc_demo-manager")
	b.settled()
	b.sees("Only rows that you may see")
	if got := strings.Join(sorted(b.cells()), "; "); got != "Guangdong | 9,649,966.10; Zhejiang | 9,127,734.36" {
		t.Errorf("the manager sees %s", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`location.hash = "#/explore/DimCustomerQueryModel?ns=demo-secure&columns=customerName,phone"`))
	b.sees("Masked: phone")
	for _, row := range b.cells() {
		if !strings.Contains(row, " | ***") {
			t.Fatalf("a phone number is whole: %s", row)
		}
	}
}

// TestTheTokenIsKeptNowhere: not in storage, not in the address, not in what is taken away; a reload forgets it.
func TestTheTokenIsKeptNowhere(t *testing.T) {
	t.Parallel()
	const token = "plc_demo-viewer"
	b := open(t, demo, "/#/explore/FactSalesQueryModel?ns=demo-secure&columns=product$brand,salesAmount&groupBy=product$brand")
	b.signIn(token)
	b.settled()
	b.click("Take away")
	b.click("curl")
	b.sees("$PARLANCE_TOKEN", "X-NS: demo-secure")
	kept := value[string](b, `JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, history.state, document.body.innerText])`)
	if strings.Contains(kept, token) {
		t.Errorf("the token is kept: %s", kept)
	}
	b.mu.Lock()
	for _, r := range b.requests {
		if strings.Contains(r.url+r.body, token) {
			t.Errorf("the token is in %s %s", r.url, r.body)
		}
	}
	b.mu.Unlock()
	b.do(chromedp.Reload())
	b.sees("This namespace asks who you are")
}
