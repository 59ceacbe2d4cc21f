package chart

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/value"
)

var update = flag.Bool("update", false, "rewrite the pictures; look at them afterwards")

var (
	category = Column{Key: "category", Name: "category"}
	month    = Column{Key: "month", Name: "month", Time: true}
	sales    = Column{Key: "sales", Name: "sales amount", Number: true, Additive: true, Style: value.Money, Unit: "CNY"}
	profit   = Column{Key: "profit", Name: "profit", Number: true, Additive: true, Style: value.Money, Unit: "CNY"}
	rate     = Column{Key: "rate", Name: "profit rate", Number: true, Style: value.Percent}
	orders   = Column{Key: "orders", Name: "order count", Number: true, Additive: true}
)

// tableOf makes a table of rows whose cells are separated by |; an empty cell is null.
func tableOf(columns []Column, rows ...string) Table {
	t := Table{Columns: columns}
	for _, row := range rows {
		var cells []Cell
		for _, text := range strings.Split(row, "|") {
			cells = append(cells, Cell{Text: text, Null: text == ""})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// months makes a row for each month of some years, with a number of a season in it.
func months(years ...int) []string {
	var rows []string
	for _, year := range years {
		for m := 1; m <= 12; m++ {
			rows = append(rows, fmt.Sprintf("%d-%02d|%.2f", year, m, 1_500_000+400_000*math.Sin(float64(m)/2)+float64(year-2022)*250_000))
		}
	}
	return rows
}

// crossed makes a row for each pair of members.
func crossed(a, b []string, number func(i, j int) float64) []string {
	var rows []string
	for i, x := range a {
		for j, y := range b {
			rows = append(rows, fmt.Sprintf("%s|%s|%.2f", x, y, number(i, j)))
		}
	}
	return rows
}

var categories = []string{"Electronics", "Clothing", "Home", "Food", "Beauty"}

// gallery is one table for each thing that a chart must show well.
func gallery() map[string]struct {
	table   Table
	options Options
} {
	type shown = struct {
		table   Table
		options Options
	}
	types := []string{"VIP", "NORMAL", "NEW"}
	long := []string{
		"International Headquarters Flagship Store, Shanghai Pudong New Area", "Guangzhou Tianhe", "Shenzhen Bay Super Headquarters Base Experience Centre",
		"Hangzhou West Lake Silver Mall", "Beijing Wangfujing", "Chengdu Taikoo Li Sunken Plaza and Rooftop Terrace",
	}
	var longRows, manyRows, dayRows []string
	for i, name := range long {
		longRows = append(longRows, fmt.Sprintf("%s|%d", name, 98_000-i*13_500))
	}
	for i := range 57 {
		manyRows = append(manyRows, fmt.Sprintf("Product %02d|%.2f", i+1, 1_000_000/float64(i+1)))
	}
	for i := range 1096 {
		dayRows = append(dayRows, fmt.Sprintf("%s|%d", dayAfter("2022-01-01", i), 400+i/4+(i*7919)%173))
	}
	stores := Column{Key: "store", Name: "store"}
	customer := Column{Key: "type", Name: "customer type"}
	return map[string]shown{
		"line":         {table: tableOf([]Column{month, sales}, months(2022, 2023, 2024)...)},
		"line-series":  {table: tableOf([]Column{month, category, sales}, crossed([]string{"2024-01", "2024-02", "2024-03", "2024-04", "2024-05", "2024-06"}, categories, func(i, j int) float64 { return 4e5 + float64((i*31+j*17)%23)*2e4 - float64(j)*5e4 })...)},
		"line-gaps":    {table: tableOf([]Column{month, orders}, "2024-01|120", "2024-02|140", "2024-03|", "2024-04|90", "2024-05|110", "2024-09|130", "2024-11|95", "2024-12|160")},
		"line-days":    {table: tableOf([]Column{{Key: "day", Name: "date", Time: true}, orders}, dayRows...)},
		"bar":          {table: tableOf([]Column{category, sales}, "Electronics|19168085.72", "Clothing|11773867.77", "Home|10270623.05", "Food|9682386.79", "Beauty|6098401.58", "|2266940.08")},
		"bar-long":     {table: tableOf([]Column{stores, orders}, longRows...)},
		"bar-many":     {table: tableOf([]Column{{Key: "product", Name: "product"}, sales}, manyRows...)},
		"bar-negative": {table: tableOf([]Column{category, profit}, "Electronics|125000.5", "Clothing|43000", "Home|-18250.25", "Food|", "Beauty|-61000")},
		"rows-negative": {table: tableOf([]Column{stores, profit}, "Guangzhou Tianhe Road|125000.5", "Hangzhou West Lake|43000", "Beijing Wangfujing Street|-18250.25",
			"Chengdu Taikoo Li|", "Shenzhen Coastal City Mall|-61000", "Wuhan Optics Valley Square|9000", "Xi'an Bell Tower|700")},
		"stacked":   {table: tableOf([]Column{category, customer, sales}, crossed(categories, types, func(i, j int) float64 { return float64((5-i)*(3-j)) * 1.3e6 })...)},
		"grouped":   {table: tableOf([]Column{category, customer, rate}, crossed(categories, types, func(i, j int) float64 { return 20 + float64((i*13+j*29)%31) })...)},
		"measures":  {table: tableOf([]Column{category, sales, profit, rate}, "Online store|9168085.72|2100000|22.9", "Offline|6773867.77|1900000|28", "Partner|1270623.05|-40000|-3.1")},
		"value":     {table: tableOf([]Column{sales}, "59260304.99")},
		"values":    {table: tableOf([]Column{sales, orders, rate}, "59260304.99|20000|35.948370")},
		"one-point": {table: tableOf([]Column{month, sales}, "2024-12|1750000.10")},
		"chinese": {options: Options{Chinese: true}, table: tableOf([]Column{{Key: "p", Name: "省份"}, {Key: "s", Name: "销售额", Number: true, Additive: true, Style: value.Money, Unit: "元"}},
			"广东|9649966.10", "浙江|9127734.36", "江苏|8011200", "内蒙古自治区|320000.5", "新疆维吾尔自治区|98000", "黑龙江|45000", "四川|7100000", "上海|6900000", "北京|6500000", "湖北|3100000")},
		"chinese-line": {options: Options{Chinese: true}, table: tableOf([]Column{{Key: "m", Name: "月份", Time: true}, {Key: "t", Name: "客户类型"}, {Key: "s", Name: "订单数", Number: true, Additive: true}},
			crossed([]string{"2024-01", "2024-02", "2024-03", "2024-04"}, []string{"贵宾客户", "普通客户", "新客户"}, func(i, j int) float64 { return float64(80_000 + i*9_000 - j*21_000) })...)},
		"series-many": {table: tableOf([]Column{{Key: "quarter", Name: "quarter", Time: true}, {Key: "brand", Name: "brand"}, sales},
			crossed([]string{"2024-Q1", "2024-Q2"}, strings.Split("Aurora Borealis Lux Norda Vento Keli Mono Sato Pico", " "), func(i, j int) float64 { return 9e5 - float64(j)*7e4 + float64(i)*3e4 })...)},
	}
}

func TestPictures(t *testing.T) {
	for name, g := range gallery() {
		t.Run(name, func(t *testing.T) {
			c := Make(g.table, g.options)
			if c == nil {
				t.Fatal("no chart")
			}
			got := fmt.Sprintf("<!-- %s x=%s y=%s series=%s note=%q -->\n%s\n", c.Type, c.X, strings.Join(c.Y, ","), c.Series, c.Note, c.SVG)
			file := filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := Make(g.table, g.options); again.SVG != c.SVG {
				t.Error("the same table gives another picture")
			}
		})
	}
}
