package execute

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parlance/internal/value"
	"parlance/test/evaluate"
)

// shopTables are random rows for the tables that a schema file of the compile ring lists, the same in every run. The
// calendar and the trees are such, and what points to a table points mostly to rows that it has.
func shopTables(t *testing.T, file string) []table {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := shop{dice: newDice(7, 1), ids: map[string][]evaluate.Value{}}
	var tables []table
	for line := range strings.Lines(string(text)) {
		tables = append(tables, shopTable(t, strings.Fields(line)))
	}
	for _, dimensions := range []bool{true, false} { // first what others point to
		for i := range tables {
			if _, isFact := shopRows[tables[i].name]; isFact != dimensions {
				s.fill(&tables[i])
			}
		}
	}
	return tables
}

// shopRows is how many rows the tables have that others do not point to.
var shopRows = map[string]int{"sales": 120, "stock": 60, "payments": 40, "host_log": 20, "raw_log": 60, "team_sales": 50}

// shopPointers is which table's ids a column holds.
var shopPointers = map[string]string{
	"customer_key": "customers", "payer_key": "customers", "product_key": "products", "category_key": "categories", "group_key": "groups",
	"date_key": "dates", "ship_date_key": "dates", "paid_key": "dates", "day_key": "dates", "item_key": "items", "host": "hosts",
	"team_id": "team", "area_id": "area", "unit_id": "unit",
}

var shopWords = []string{"PAID", "OPEN", "paid", "WEB", "shop", "A", "M", "a", "x", "y", "z", "50%_.*", "It's", "Straße", "名", "G", "S", ""}

func shopTable(t *testing.T, words []string) table {
	t.Helper()
	types := map[string]string{"decimal2": "money", "zoned": "timestamptz"}
	one := table{name: words[0]}
	switch words[0] {
	case "sql":
		one.name = "raw_log"
	case "ledger.payments":
		one.name = "payments"
	}
	for _, w := range words[1:] {
		name, word, _ := strings.Cut(w, ":")
		if other, ok := types[word]; ok {
			word = other
		}
		typ, ok := typeWords[word]
		if !ok {
			t.Fatalf("no type %s", w)
		}
		one.columns = append(one.columns, column{name, typ})
	}
	return one
}

type shop struct {
	dice
	ids map[string][]evaluate.Value
}

func (s *shop) fill(t *table) {
	switch t.name {
	case "dates":
		s.calendar(t)
	case "team_closure", "area_closure":
		s.closure(t)
		return
	default:
		rows, isFact := shopRows[t.name]
		if !isFact {
			rows = 8
		}
		seen := map[string]bool{}
		for i := range rows {
			row := make([]evaluate.Value, len(t.columns))
			for j, c := range t.columns {
				row[j] = s.cell(t, c, i, j)
			}
			if key := cellText(row[0]) + "|" + cellText(row[1]); t.name != "stock" || !seen[key] && !row[0].IsNull() && !row[1].IsNull() {
				seen[key] = true
				t.rows = append(t.rows, row)
			}
		}
	}
	for _, r := range t.rows {
		s.ids[t.name] = append(s.ids[t.name], r[0])
	}
}

// cell is a value of a column: its row's number, a pointer, or anything.
func (s *shop) cell(t *table, c column, row, at int) evaluate.Value {
	to, points := shopPointers[c.name]
	switch {
	case c.name == "parent_unit":
		if row == 0 {
			return evaluate.Value{}
		}
		return evaluate.Str(unitName(s.IntN(row)))
	case points && (at > 0 || shopRows[t.name] > 0 && t.name != "raw_log"):
		return s.pointer(to, c.typ)
	case at == 0 && t.name == "unit":
		return evaluate.Str(unitName(row))
	case at == 0 && c.typ.Kind == value.Integer:
		return evaluate.Int(int64(row + 1))
	case at == 0 && t.name == "hosts":
		return evaluate.Str(string(rune('a' + row)))
	case s.chance(12):
		return evaluate.Value{}
	}
	return s.some(c)
}

func unitName(i int) string { return []string{"n", "N", "w", "W", "sub", "Sub", "x", "y"}[i] }

func (s *shop) pointer(to string, t value.Type) evaluate.Value {
	orphan := evaluate.Int(999)
	if t.Kind == value.String {
		orphan = evaluate.Str("gone")
	}
	return pointer(s.dice, s.ids[to], orphan)
}

func (s *shop) some(c column) evaluate.Value {
	moment := time.Date(2024, 1, 1+s.IntN(240), s.IntN(24), s.IntN(60), s.IntN(60), 0, time.UTC)
	switch c.typ.Kind {
	case value.Integer:
		return evaluate.Int(int64(s.between(0, 12)))
	case value.Decimal:
		return evaluate.Dec(int64(s.between(-500, 9999)), c.typ.Scale)
	case value.Float:
		return evaluate.Value{Kind: value.Float, F: float64(s.between(-20, 80)) / 4}
	case value.Boolean:
		return evaluate.Flag(s.chance(50))
	case value.Date:
		return evaluate.Day(moment)
	case value.Timestamp:
		if c.typ.Zoned {
			return evaluate.Instant(moment)
		}
		return evaluate.Wall(moment)
	case value.Null, value.String:
	}
	return evaluate.Str(pick(s.dice, shopWords))
}

// calendar is days from the end of 2022 on, up to and past the tests' today.
func (s *shop) calendar(t *table) {
	for day := time.Date(2022, 12, 28, 0, 0, 0, 0, time.UTC); day.Year() < 2025; day = day.AddDate(0, 0, s.between(1, 12)) {
		key := int64(day.Year()*10000 + int(day.Month())*100 + day.Day())
		t.rows = append(t.rows, []evaluate.Value{
			evaluate.Int(key), evaluate.Day(day), evaluate.Int(int64(day.Year())), evaluate.Int(int64(day.Month())), evaluate.Str(day.Format("2006-01")),
		})
	}
}

// closure is of a tree in which each node is below one that came before it.
func (s *shop) closure(t *table) {
	above := map[int64]int64{}
	for node := int64(1); node <= 8; node++ {
		if node > 1 {
			above[node] = 1 + s.Int64N(node-1)
		}
		for at, steps := node, int64(0); at > 0; at, steps = above[at], steps+1 {
			row := []evaluate.Value{evaluate.Int(at), evaluate.Int(node), evaluate.Int(steps)}
			t.rows = append(t.rows, slices.Clone(row[:len(t.columns)]))
		}
	}
}
