package page

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// bandsShop writes a folder of one table: amounts by a number and by a month, with nothing between some of them.
func bandsShop(t *testing.T) string {
	t.Helper()
	folder, write := newFolder(t)
	write("data/sold.csv", "id,band,sold_on,amount\na,0,2024-01-05,4\nb,10,2024-02-07,6\nc,50,2024-03-09,5\nd,100,2024-06-11,7\ne,,2024-07-13,9\n")
	write("models/sold.yaml", `
model: Sold
source: {table: sold, key: [id]}
attributes:
  - {name: id, column: id, type: string}
  - {name: band, column: band, type: integer, caption: Price band}
  - {name: soldOn, column: sold_on, type: date, caption: Sold on}
measures: [{name: amount, column: amount, type: integer, agg: sum, caption: Amount}]
`)
	write("parlance.yaml", "namespaces:\n  sold: {models: ./models, datasource: files}\ndatasources:\n  files: {type: duckdb, folder: ./data}\n")
	return filepath.Join(folder, "parlance.yaml")
}

// strokes are the points from left to right of each unbroken part of the only line of a chart.
const strokes = `document.querySelector(".chart svg path").getAttribute("d").split("M").filter(Boolean).map((part) => part.replace("Z", "").split("L").map((point) => Number(point.split(",")[0])))`

// steps are the distances between points, in the unit of the first one.
func steps(points []float64) []float64 {
	all := make([]float64, 0, len(points))
	for i := 1; i < len(points); i++ {
		all = append(all, math.Round((points[i]-points[i-1])/(points[1]-points[0])*100)/100)
	}
	return all
}

// TestLinesHaveDistances: numbers stand at their distances, and no line leads over months without rows, or to what has no
// value.
func TestLinesHaveDistances(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	s := serve(t, "--config", bandsShop(t))
	for _, c := range []struct {
		path, axis string
		steps      [][]float64
	}{
		{"columns=band,amount&groupBy=band&orderBy=-amount&chart=line", "0 10 50 100 (empty)", [][]float64{{1, 4, 5}, {}}},
		{"columns=soldOn$month,amount&groupBy=soldOn$month", "2024-01 2024-02 2024-03 2024-06 2024-07", [][]float64{{1, 1}, {1}}},
	} {
		b := open(t, s, "/#/explore/Sold?"+c.path)
		b.until(`document.querySelector(".chart-body[aria-busy=false] svg path")`)
		if got := value[string](b, axis); got != c.axis {
			t.Errorf("%s: the axis shows %q, want %q", c.path, got, c.axis)
		}
		parts := value[[][]float64](b, strokes)
		if len(parts) != len(c.steps) {
			t.Fatalf("%s: the line has %d parts, want %d", c.path, len(parts), len(c.steps))
		}
		for i, want := range c.steps {
			got := steps(parts[i])
			if len(got) != len(want) {
				t.Fatalf("%s: part %d is %v, want steps of %v", c.path, i, parts[i], want)
			}
			for n := range want {
				if math.Abs(got[n]-want[n]) > 0.05 {
					t.Errorf("%s: the steps of part %d are %v, want %v", c.path, i, got, want)
				}
			}
		}
		if strings.Contains(c.path, "month") {
			first, second := parts[0], parts[1]
			if gap := (second[0] - first[2]) / (first[1] - first[0]); math.Abs(gap-3) > 0.05 {
				t.Errorf("from March to June it is %.2f months", gap)
			}
		}
	}
}
