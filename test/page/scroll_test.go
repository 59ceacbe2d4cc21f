package page

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func itoa(n int) string { return strconv.Itoa(n) }

// scrolling moves through the whole table, a bit every frame, and returns how long each frame took.
const scrolling = `(async () => {
  const box = document.querySelector(".grid-box")
  const frames = []
  let before = await new Promise(requestAnimationFrame)
  for (let i = 0; i < 120; i++) {
    box.scrollTop += 10000 * 32 / 120
    const now = await new Promise(requestAnimationFrame)
    frames.push(now - before)
    before = now
  }
  return frames
})()`

// TestScroll moves through ten thousand rows of a hundred thousand; the frame times are reported. The rows that are
// seen in the end are those that the interface has there.
func TestScroll(t *testing.T) {
	b := open(t, demo, "/#/explore/FactSalesQueryModel?columns=orderId,orderLineNo,product$caption,salesAmount&orderBy=orderId,orderLineNo")
	b.settled()
	frames := value[[]float64](b, scrolling)
	slices.Sort(frames)
	t.Logf("frames while scrolling through 10,000 rows: median %.1f ms, 95th percentile %.1f ms, longest %.1f ms", frames[len(frames)/2], frames[len(frames)*95/100], frames[len(frames)-1])
	b.until(`![...document.querySelectorAll(".grid tbody td")].some((c) => c.innerText === "…")`)
	first := value[int](b, `Number(document.querySelector(".grid tbody tr:not(.gap)").ariaRowIndex ?? document.querySelector(".grid tbody tr:not(.gap)").getAttribute("aria-rowindex"))`) - 2
	if first < 9000 {
		t.Fatalf("the first drawn row is %d", first)
	}
	rows := b.cells()
	if len(rows) > 60 {
		t.Errorf("%d rows are in the document", len(rows))
	}
	want := query(t, "FactSalesQueryModel", `{"start":`+itoa(first)+`,"limit":`+itoa(len(rows))+`,"param":{"columns":["orderId","orderLineNo","product$caption","salesAmount"],"orderBy":["orderId","orderLineNo"]}}`)
	for i, item := range want.Data.Items {
		if id, _ := item["orderId"].(string); !strings.HasPrefix(rows[i], id+" | ") {
			t.Errorf("row %d is %q, want order %s", first+i, rows[i], id)
		}
	}
}

// TestFirstPaint reports how soon something is seen.
func TestFirstPaint(t *testing.T) {
	b := open(t, demo, "/")
	b.sees("Inventory")
	b.do(chromedp.Reload()) // the browser's own start is not the page's
	b.sees("Inventory")
	b.until(`performance.getEntriesByName("first-contentful-paint").length`)
	paint := value[float64](b, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
	moved := value[float64](b, `new Promise((done) => { let sum = 0; new PerformanceObserver((l) => { for (const e of l.getEntries()) sum += e.value }).observe({type: "layout-shift", buffered: true}); setTimeout(() => done(sum), 100) })`)
	t.Logf("first contentful paint after %.0f ms; layout shift %.3f", paint, moved)
	if moved > 0.1 {
		t.Errorf("the page moves by %.3f while it loads", moved)
	}
}
