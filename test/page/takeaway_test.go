package page

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// intoFolder has the tab's downloads land in a folder.
func (b *tab) intoFolder(folder string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.CallBrowser(ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
			Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
		})
		return err
	}))
}

// saved waits for a file to be complete.
func saved(t *testing.T, path string) []byte {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		partial, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.crdownload"))
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 && len(partial) == 0 {
			return data
		}
	}
	t.Fatalf("%s was not saved", path)
	return nil
}

// TestTakeAway takes a result away in every form, and runs the curl call that the page offers.
func TestTakeAway(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=orderId,orderDate$caption,totalAmount&slice="+`[{"field":"orderDate$year","op":"=","value":2024}]`)
	b.settled()
	b.intoFolder(folder)
	want := query(t, "FactOrderQueryModel", `{"limit":1,"param":{"slice":[{"field":"orderDate$year","op":"=","value":2024}]}}`).Data.Total
	b.click("Take away")
	b.click("CSV, all rows")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(saved(t, filepath.Join(folder, "FactOrderQueryModel.csv"))), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != want+1 || strings.Join(rows[0], ",") != "orderId,orderDate$caption,totalAmount" {
		t.Errorf("the CSV has %d rows, want %d and a head; %v", len(rows), want, err)
	}
	b.sees("7,723 rows saved")
	b.click("JSON, all rows")
	var items []map[string]any
	if err := json.Unmarshal(saved(t, filepath.Join(folder, "FactOrderQueryModel.json")), &items); err != nil || len(items) != want {
		t.Errorf("the JSON has %d rows, want %d; %v", len(items), want, err)
	}

	b.click("curl")
	command := value[string](b, `document.querySelector(".take-text pre").innerText`)
	out, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
	if err != nil || !strings.HasPrefix(string(out), `{"code":0,`) {
		t.Errorf("%s\nanswers %s %v", command, out, err)
	}
	b.click("Tool call")
	if call := value[string](b, `document.querySelector(".take-text pre").innerText`); !strings.Contains(call, `"dataset.query_model"`) || !json.Valid([]byte(call)) {
		t.Errorf("the tool call is %s", call)
	}
}

// TestTakeChart saves a chart as SVG and PNG.
func TestTakeChart(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, demo, "/#/explore/FactOrderQueryModel?columns=orderDate$yearMonth,orderCount&groupBy=orderDate$yearMonth")
	b.settled()
	b.intoFolder(folder)
	b.click("Take away")
	b.click("Chart as SVG")
	if svg := string(saved(t, filepath.Join(folder, "FactOrderQueryModel.svg"))); !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, "2024-") || strings.Contains(svg, "var(--") {
		t.Errorf("the SVG is %.200s", svg)
	}
	b.click("Chart as PNG")
	if png := saved(t, filepath.Join(folder, "FactOrderQueryModel.png")); len(png) < 5000 || string(png[1:4]) != "PNG" {
		t.Errorf("the PNG has %d bytes", len(png))
	}
}

// TestCancelDownload stops a long download: nothing is saved.
func TestCancelDownload(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=orderId,product$caption,customer$caption,salesAmount")
	b.settled()
	b.intoFolder(folder)
	b.click("Take away")
	b.click("CSV, all rows")
	b.until(`document.querySelector("progress")?.value > 0`)
	b.click("Cancel")
	b.sees("Stopped; nothing was saved.")
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%v was saved; %v", left, err)
	}
}

// TestSubtotalsOfManyGroups: where there are too many groups to put subtotals among them, the page says so and offers the
// file, which has one for each customer that has groups, and the total.
func TestSubtotalsOfManyGroups(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=customer$caption,product$brand,salesAmount&groupBy=customer$caption,product$brand&withSubtotals=1&chart=none")
	b.sees("Subtotals are left out here: there are more than 20,000 groups. A file has them all.")
	b.intoFolder(folder)
	b.clickOn(".table-note .button")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(saved(t, filepath.Join(folder, "FactSalesQueryModel.csv"))), "\ufeff"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]int{}
	for _, row := range rows[1:] {
		types[row[len(row)-1]]++
	}
	groups := query(t, "FactSalesQueryModel", `{"limit":1,"param":{"columns":["customer$caption","product$brand","salesAmount"],"groupBy":["customer$caption","product$brand"]}}`).Data.Total
	customers := query(t, "FactSalesQueryModel", `{"limit":1,"param":{"columns":["customer$caption","salesAmount"],"groupBy":["customer$caption"]}}`).Data.Total
	if types["data"] != groups || types["subtotal"] != customers || types["total"] != 1 {
		t.Errorf("the file has %v rows, want %d groups, %d subtotals and the total", types, groups, customers)
	}
}
