package page

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	days    = 67 // of three shops each: more groups than come with a first answer, and a last day of two
	groups  = days*3 - 1
	longID  = "9007199254740993"
	longSum = "1234567890123456789"
)

// wholeShop writes a folder with sales of so many days that no single page of the server holds them, and a table of
// numbers that a double would alter.
func wholeShop(t *testing.T, maxRows int) string {
	t.Helper()
	folder, write := newFolder(t)
	var sales strings.Builder
	sales.WriteString("id,day,shop,amount\n")
	for i := range groups {
		fmt.Fprintf(&sales, "%d,d%02d,%c,%d\n", i, i/3, 'a'+i%3, i+1)
	}
	write("data/sales.csv", sales.String())
	write("data/accounts.csv", "id,number,balance\n1,"+longID+","+longSum+"\n2,9007199254740992,1\n")
	write("models/sales.yaml", `
model: Sales
caption: Sales
source: {table: sales, key: [id]}
attributes:
  - {name: id, column: id, type: integer}
  - {name: day, column: day, type: string}
  - {name: shop, column: shop, type: string}
measures:
  - {name: amount, column: amount, type: integer, agg: sum}
`)
	write("models/accounts.yaml", `
model: Accounts
caption: Accounts
source: {table: accounts, key: [id]}
attributes:
  - {name: id, column: id, type: integer}
measures:
  - {name: number, column: number, type: integer, agg: sum}
  - {name: balance, column: balance, type: integer, agg: sum}
`)
	write("parlance.yaml", fmt.Sprintf("namespaces:\n  whole: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\nlimits: {max_rows: %d}\n", maxRows))
	return filepath.Join(folder, "parlance.yaml")
}

// sumOf is what the groups from one to before another add up to: their amounts are 1, 2, 3…
func sumOf(from, to int) int { return (from + 1 + to) * (to - from) / 2 }

// shownRows scrolls through the table and returns the texts of every row, in order.
func (b *tab) shownRows() []string {
	b.t.Helper()
	const scroll = `(async () => {
  const box = document.querySelector(".grid-box")
  const rows = new Map()
  const settle = async () => { for (let i = 0; i < 200; i++) { await new Promise(requestAnimationFrame); if (![...box.querySelectorAll("td")].some((c) => c.textContent === "…")) return } }
  for (let top = 0; ; top += 320) {
    box.scrollTop = top
    await settle()
    for (const r of box.querySelectorAll("tbody tr:not(.gap)")) rows.set(Number(r.getAttribute("aria-rowindex")), [...r.cells].map((c) => c.textContent).join(" | "))
    if (top >= box.scrollHeight) break
  }
  return [...rows].sort((a, b) => a[0] - b[0]).map(([, text]) => text)
})()`
	return value[[]string](b, scroll)
}

// TestEveryGroupIsShown scrolls through more groups with subtotals than a first answer has, on a server whose pages are
// shorter than the page would like: no group is missing, every day's sum stands behind its shops.
func TestEveryGroupIsShown(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", wholeShop(t, 90))
	var want, plain []string
	for i := range groups {
		plain = append(plain, fmt.Sprintf("d%02d | %c | %d", i/3, 'a'+i%3, i+1))
		want = append(want, plain[i])
		if i%3 == 2 || i == groups-1 {
			want = append(want, fmt.Sprintf("d%02d | Subtotal | %d", i/3, sumOf(i/3*3, i+1)))
		}
	}
	want = append(want, fmt.Sprintf("Total |  | %d", sumOf(0, groups)))
	b := open(t, s, "/#/explore/Sales?columns=day,shop,amount&groupBy=day,shop&withSubtotals=1")
	b.settled()
	b.sees("200 rows")
	if got := commaless(b.shownRows()); !slices.Equal(got, want) {
		t.Errorf("the table shows %d rows, want %d:\n%s", len(got), len(want), difference(got, want))
	}
	b.click("Subtotals")
	b.until(`!document.querySelector("tr.extra")`)
	b.settled()
	if got := commaless(b.shownRows()); !slices.Equal(got, plain) {
		t.Errorf("the table shows %d rows, want %d:\n%s", len(got), len(plain), difference(got, plain))
	}
	from := open(t, s, "/#/explore/Sales?columns=day,shop,amount&groupBy=day,shop&start=150&limit=45")
	from.settled()
	if got := from.shownRows(); !slices.Equal(got, plain[150:195]) {
		t.Errorf("from row 150 on, the table shows:\n%s", difference(got, plain[150:195]))
	}
}

func commaless(rows []string) []string {
	for i := range rows {
		rows[i] = strings.ReplaceAll(rows[i], ",", "")
	}
	return rows
}

// difference is the first place where two lists differ.
func difference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("row %d: %q, want %q", i, got[min(i, len(got)):min(i+3, len(got))], want[min(i, len(want)):min(i+3, len(want))])
		}
	}
	return ""
}

// TestWholeFiles downloads results with subtotals, with the rest as one row and from a start on; runs the curl call of a
// result that one page does not hold; and saves nothing when the rows do not stay.
func TestWholeFiles(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", wholeShop(t, 90))
	files := func(query string) [][]string {
		t.Helper()
		folder := t.TempDir()
		b := open(t, s, "/#/explore/Sales?columns=day,shop,amount&groupBy=day,shop"+query)
		b.settled()
		b.intoFolder(folder)
		b.click("Take away")
		b.click("CSV, all rows")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(saved(t, filepath.Join(folder, "Sales.csv"))), "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := files("&withSubtotals=1")
	if len(rows) != 1+groups+days+1 || strings.Join(rows[0], ",") != "day,shop,amount,_rowType" || strings.Join(rows[groups], ",") != "d66,b,200,data" ||
		strings.Join(rows[groups+1], ",") != "d00,,6,subtotal" || strings.Join(rows[groups+days], ",") != "d66,,399,subtotal" || strings.Join(rows[groups+days+1], ",") != ",,20100,total" {
		t.Errorf("the file with subtotals has %d lines; %v … %v", len(rows), rows[:2], rows[len(rows)-2:])
	}
	rows = files(`&topN={"by":"amount","n":120,"others":true}`)
	if len(rows) != 1+120+1 || strings.Join(rows[121], ",") != fmt.Sprintf(",,%d,others", sumOf(0, groups-120)) {
		t.Errorf("the file with the rest has %d lines, the last is %v", len(rows), rows[len(rows)-1])
	}
	rows = files("&start=150")
	if len(rows) != 1+50 || strings.Join(rows[1], ",") != "d50,a,151" {
		t.Errorf("the file from row 150 on has %d lines, the first is %v", len(rows), rows[1])
	}

	b := open(t, s, "/#/explore/Sales?columns=day,shop,amount&groupBy=day,shop&start=10")
	b.settled()
	b.click("Take away")
	b.click("curl")
	command := value[string](b, `document.querySelector(".take-text pre").textContent`)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
	var items []map[string]any
	for answers := json.NewDecoder(strings.NewReader(string(out))); answers.More(); {
		var e envelope
		if err := answers.Decode(&e); err != nil || e.Code != 0 {
			t.Fatalf("%s\nanswers %s %v", command, out, err)
		}
		items = append(items, e.Data.Items...)
	}
	if err != nil || len(items) != groups-10 || fmt.Sprint(items[0]) != "map[amount:11 day:d03 shop:b]" || fmt.Sprint(items[len(items)-1]["amount"]) != "200" {
		t.Errorf("%s\nanswers %d rows, want %d; %v", command, len(items), groups-10, err)
	}
}

// TestLongNumbers follows numbers that a double would alter through the table, a link, a filter and a file.
func TestLongNumbers(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", wholeShop(t, 10000))
	b := open(t, s, `/#/explore/Accounts?columns=id,number,balance&slice=[{"field":"number","op":"=","value":`+longID+`}]`)
	b.settled()
	if rows := b.cells(); len(rows) != 1 || rows[0] != "1 | 9,007,199,254,740,993 | 1,234,567,890,123,456,789" {
		t.Errorf("the table shows %q", rows)
	}
	b.click("Totals")
	b.until(`document.querySelector(".grid tfoot")`)
	if !strings.Contains(b.address(), `"value":`+longID) && !strings.Contains(b.address(), `%22value%22:`+longID) {
		t.Errorf("after a click the link is %s", b.address())
	}
	if last := b.lastBody("dataset.query_model"); !strings.Contains(last, `"value":`+longID) {
		t.Errorf("the page sent %s", last)
	}
	folder := t.TempDir()
	b.intoFolder(folder)
	b.click("Take away")
	if text := value[string](b, `document.querySelector(".take-text pre").textContent`); !strings.Contains(text, `"value": `+longID) {
		t.Errorf("the payload is %s", text)
	}
	b.click("JSON, all rows")
	if file := string(saved(t, filepath.Join(folder, "Accounts.json"))); !strings.Contains(file, `"number": `+longID+`, "balance": `+longSum+`}`) {
		t.Errorf("the file is %s", file)
	}
}

// TestLinks opens links with parts that nobody can read, or that only the server can judge: each is told, none breaks the page.
func TestLinks(t *testing.T) {
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=channel$channelType,orderCount&groupBy=channel$channelType&slice=[{&utm_source=mail")
	b.sees("These parts of the link cannot be read", "slice", "utm_source")
	b.settled()
	b.click("Totals")
	b.until(`document.querySelector(".grid tfoot")`)
	b.sees("utm_source")
	b.click("Take them out of the link")
	b.until(`!document.querySelector(".unread")`)
	if got := b.address(); strings.Contains(got, "utm") || !strings.Contains(got, "returnTotal=1") {
		t.Errorf("the link is %s", got)
	}
	for clause, says := range map[string]string{
		`slice=[null]`: "slice[0]", `groupBy=[null]`: "groupBy[0]", `calculatedFields=[null]`: "calculatedFields[0]", `topN={"by":5}`: "topN.by", `columns=[1]`: "columns[0]", `orderBy=[null]`: "orderBy[0]",
		`limit=-1`: "limit is -1", `limit=20000`: "limit is 20000", `colums=["a"]`: `"colums"`, `timeWindow={"field":5}`: "timeWindow.field", `slice=[{"field":"orderDate$caption","op":"[)","value":["2024-13-01","2024-14-45"]}]`: "2024-13-01",
	} {
		for _, view := range []string{"explore", "inspect"} {
			query := "columns=orderId&" + clause
			if strings.HasPrefix(clause, "columns=") {
				query = clause
			}
			value[bool](b, `(location.hash = `+quoted("#/"+view+"/FactOrderQueryModel?"+query)+`) !== ""`)
			b.until(`document.querySelector("[data-failure=mistake]")?.innerText.includes(` + quoted(says) + `)`)
		}
	}
	value[bool](b, `(location.hash = "#/explroe/FactOrderQueryModel?columns=orderId") !== ""`)
	b.sees("The link leads to “explroe”, which is not there.", "Orders")
	inspect := open(t, demo, "/#/inspect/FactOrderQueryModel?columns=orderId&slice=[{&page=2&pageSize=3")
	inspect.sees("These parts of the link cannot be read")
	if text := value[string](inspect, `document.querySelector("textarea").value`); normal(text) != normal(`{"columns":["orderId"],"page":2,"pageSize":3}`) {
		t.Errorf("the payload is %s", text)
	}
}

// TestRowsThatGo has rows go while a table is read and while a file is made: the page says so, leaves no row waiting, and
// saves no file that is short.
func TestRowsThatGo(t *testing.T) {
	front := between(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if !strings.HasPrefix(r.URL.Path, "/jdbc-model/") {
			return false
		}
		_, _ = io.WriteString(w, `{"code":0,"data":{"items":[{"orderId":"the only one"}],"total":100000},"msg":"success"}`)
		return true
	})
	folder := t.TempDir()
	b := open(t, front, "/#/explore/FactSalesQueryModel?columns=orderId,product$caption,salesAmount&chart=none")
	b.settled()
	b.intoFolder(folder)
	value[bool](b, `(document.querySelector(".grid-box").scrollTop = 32 * 20000) > 0`)
	b.sees("The data changed while these rows were read")
	b.until(`![...document.querySelectorAll(".grid tbody td")].some((c) => c.innerText === "…")`)
	b.click("Take away")
	b.click("CSV, all rows")
	b.sees("The data changed while it was read; nothing was saved.")
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%v was saved; %v", left, err)
	}
}
