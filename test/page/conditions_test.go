package page

import (
	"net/url"
	"strings"
	"testing"
)

// slicePath is Explore with some conditions.
func slicePath(model, columns, clauses string) string {
	all := "/#/explore/" + model + "?columns=" + columns
	for _, line := range strings.Split(strings.TrimSpace(clauses), "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		all += "&" + name + "=" + url.QueryEscape(value)
	}
	return all
}

// chips are the texts of the conditions that the page shows, those of groups after a bar.
func (b *tab) chips() []string {
	b.t.Helper()
	return value[[]string](b, `[...document.querySelectorAll(".query-line")].filter((l) => ["Where", "Having"].includes(l.querySelector(".query-label").innerText)).flatMap((l) => [...l.querySelectorAll(".chip .chip-text")].map((c) => c.innerText))`)
}

// TestConditionsStayAsTheyAre opens the editor of every kind of condition and applies it untouched: the query is the
// same to the letter. What the editor cannot show can only be taken away.
func TestConditionsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	b := open(t, demo, slicePath("FactSalesQueryModel", "product$brand,salesAmount", `
		groupBy=product$brand
		slice=[{"field":"customer$customerType","op":"<>","value":"VIP"},{"field":"salesAmount","op":"[)","value":[0,5000]},{"field":"product$brand","op":"not starts_with","value":"Z"},{"field":"salesDate$caption","op":">=","value":"2022-06"},{"field":"salesDate$caption","op":"=","value":"2023"},{"field":"salesDate$caption","op":"lte","value":"2024-11-30"},{"field":"store$province","op":"NIN","value":["Hubei",null]},{"field":"salesAmount","op":">","value":{"$field":"costAmount"}},{"$or":[{"field":"product$categoryName","op":"eq","value":"Home"},{"field":"product$categoryName","op":"in","value":["Food","Beauty"]}]},{"$expr":"salesAmount > costAmount * 1.1"}]
		having=[{"field":"salesAmount","op":"gt","value":0}]`))
	b.settled()
	want := []string{
		"Customer type is not VIP", "Sales amount from 0.00 to before 5,000.00", "Brand does not start with Z", "Sales date is on or after 2022-06",
		"Sales date is on or before Nov 30, 2024", "Store province is none of Hubei, (empty)", "Sales amount is more than Cost amount",
		"Category is Home or Category is one of Food, Beauty", "salesAmount > costAmount * 1.1", "Sales amount is more than 0.00",
	}
	if got := b.chips(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("the page shows %q, want %q", got, want)
	}
	b.sees("2023") // the one range that the line of time shows
	link := b.address()
	for i, chip := range want {
		editable := i != 6 && i != 7 && i != 8
		if got := value[bool](b, `[...document.querySelectorAll("button.chip-text")].some((e) => e.innerText === `+quoted(chip)+`)`); got != editable {
			t.Errorf("%s: editable %v, want %v", chip, got, editable)
		}
		if !editable {
			continue
		}
		b.click("Edit " + chip)
		b.until(`document.querySelector(".popover form select")`)
		if wide := value[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
			t.Errorf("the editor of %q is %d pixels out of the window", chip, wide)
		}
		b.click("Apply")
		b.until(`!document.querySelector(".popover")`)
		if got := b.address(); got != link {
			t.Fatalf("applying %q untouched leads to %s, want %s", chip, got, link)
		}
	}
	b.click("Remove salesAmount > costAmount * 1.1")
	b.until(`document.querySelectorAll(".query-line .chip").length === ` + itoa(len(want)+2))
	b.settled()
	if got := b.chips(); len(got) != len(want)-1 {
		t.Errorf("one was taken away, and the page shows %q", got)
	}
}

// TestEditedConditions changes what conditions compare with: operators stay what they were, nought is a value, and
// numbers keep every digit.
func TestEditedConditions(t *testing.T) {
	t.Parallel()
	b := open(t, demo, slicePath("FactSalesQueryModel", "customer$customerType,salesAmount", `
		groupBy=customer$customerType
		slice=[{"field":"customer$customerType","op":"ne","value":"VIP"},{"field":"salesAmount","op":"between","value":[0,5000]},{"field":"salesDate$isWeekend","op":"is null"}]`))
	b.sees("No rows")
	b.click("Edit Sales amount 0.00 – 5,000.00")
	b.fill(".popover label:nth-of-type(2) input", "9007199254740993.25")
	b.click("Apply")
	b.sees("Sales amount 0.00 – 9,007,199,254,740,993.25")
	b.until(`document.querySelector(".outcome[aria-busy=false]")`)
	if last := b.lastBody("dataset.query_model"); !strings.Contains(last, `"op":"between","value":[0,9007199254740993.25]`) {
		t.Errorf("the page sent %s", last)
	}
	b.click("Edit Customer type is not VIP")
	b.fill(".popover input", "NEW")
	b.click("Apply")
	b.sees("Customer type is not New")
	b.click("Edit Weekend is empty")
	b.choose(".popover select", "=")
	b.click("Apply")
	b.sees("Weekend is yes")
	b.settled()
	if last := b.lastBody("dataset.query_model"); !strings.Contains(last, `{"field":"customer$customerType","op":"ne","value":"NEW"}`) || !strings.Contains(last, `{"field":"salesDate$isWeekend","op":"=","value":true}`) {
		t.Errorf("the page sent %s", last)
	}
	b.filterOn("sales amount")
	b.until(`document.querySelector(".popover form")`)
	b.click("Apply")
	b.sees("A value is missing.")
	b.fill(".popover input", "a few")
	b.click("Apply")
	b.sees("“a few” is not a number.")
	b.fill(".popover input", "0")
	b.click("Apply")
	b.sees("Having")
	b.settled()
	if last := b.lastBody("dataset.query_model"); !strings.Contains(last, `"having":[{"field":"salesAmount","op":">=","value":0}]`) {
		t.Errorf("the page sent %s", last)
	}
}

// TestNothingFound takes the conditions away one by one: none comes back, and those on groups are among them.
func TestNothingFound(t *testing.T) {
	t.Parallel()
	b := open(t, demo, slicePath("FactOrderQueryModel", "orderDate$year,orderCount", `
		groupBy=orderDate$year
		slice=[{"field":"orderStatus","op":"=","value":"PAID"},{"field":"orderDate$caption","op":"=","value":"2031"}]
		having=[{"field":"orderCount","op":">","value":1000000}]`))
	b.sees("No rows", "Without “Order status is Paid”", "Without “Order count is more than 1,000,000”")
	b.click("Without “Order date is in 2031”")
	b.until(`!document.body.innerText.includes("2031") && document.querySelector(".outcome[aria-busy=false]")`)
	b.click("Without “Order count is more than 1,000,000”")
	b.settled()
	b.expectPayload(`{"columns":["orderDate$year","orderCount"],"groupBy":["orderDate$year"],"slice":[{"field":"orderStatus","op":"=","value":"PAID"}]}`)
}

// TestShorthand edits conditions that a link writes in short: untouched they stay as they are, and changed they are
// written out.
func TestShorthand(t *testing.T) {
	t.Parallel()
	b := open(t, demo, slicePath("FactSalesQueryModel", "product$brand,salesAmount", `
		groupBy=product$brand
		slice=[{"product$categoryName":"Home"},{"customer$customerType":["VIP","NEW"]},{"promotion$promotionType":null}]`))
	b.settled()
	link := b.address()
	for _, chip := range []string{"Category is Home", "Customer type is one of VIP, New", "Promotion type is empty"} {
		b.click("Edit " + chip)
		b.click("Apply")
		b.until(`!document.querySelector(".popover")`)
		if got := b.address(); got != link {
			t.Fatalf("applying %q untouched leads to %s", chip, got)
		}
	}
	b.click("Edit Category is Home")
	b.until(`document.activeElement.matches(".popover input")`)
	b.fill(".popover input", "Food")
	b.click("Apply")
	b.sees("Category is Food")
	b.settled()
	b.expectPayload(`{"columns":["product$brand","salesAmount"],"groupBy":["product$brand"],"slice":[{"field":"product$categoryName","op":"=","value":"Food"},{"customer$customerType":["VIP","NEW"]},{"promotion$promotionType":null}]}`)
}

// TestSubtotalsOfOneKey: what a link asks for can be taken away, also where the page would not offer it.
func TestSubtotalsOfOneKey(t *testing.T) {
	t.Parallel()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=salesDate$year,salesAmount&groupBy=salesDate$year&withSubtotals=1")
	b.settled()
	b.click("Subtotals")
	b.until(`!location.href.includes("withSubtotals") && document.querySelector(".outcome[aria-busy=false]")`)
	b.seesNot("Subtotals")
	b.expectPayload(`{"columns":["salesDate$year","salesAmount"],"groupBy":["salesDate$year"]}`)
}
