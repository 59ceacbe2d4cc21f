package execute

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"parlance/internal/fault"
)

// folding is the type of a text column in which a database takes texts for equal that are not, and what must be made
// before it.
var folding = map[string][2]string{
	"duckdb":     {"VARCHAR COLLATE NOCASE", ""},
	"sqlite":     {"TEXT COLLATE NOCASE", ""},
	"postgres":   {"text COLLATE loose", "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"},
	"mysql":      {"VARCHAR(20)", ""}, // of the database's collation, which ignores case, accents and blanks at the end
	"clickhouse": {"Nullable(String)", ""},
	"cluster":    {"Nullable(String)", ""},
}

// foldedTables has keys that differ only in what such columns ignore.
func foldedTables(e *engine) []string {
	typ, first := folding[e.name][0], folding[e.name][1]
	var list []string
	if first != "" {
		list = append(list, first)
	}
	list = append(list, e.create("sale", fmt.Sprintf("id INTEGER, unit %s, word %s, part %s, qty INTEGER", typ, typ, typ),
		"1, 'a', 'x', 'p', 1", "2, 'A', 'X', 'p', 2", "3, 'á', 'x', 'P', 4", "4, 'b', 'y', 'p', 8", "5, 'B', 'y', 'Q', 16")...)
	list = append(list, e.create("unit", fmt.Sprintf("code %s, part %s, name %s, above %s", typ, typ, typ, typ),
		"'a', 'p', 'Small', NULL", "'b', 'p', 'small', 'a'")...)
	return append(list, e.create("above", fmt.Sprintf("up %s, down %s, steps INTEGER", typ, typ), "'a', 'a', 0", "'b', 'b', 0", "'a', 'b', 1")...)
}

const foldedModels = `model: Sale
source: {table: sale, key: [id]}
dimensions:
  - {name: unit, table: unit, join: {unit: code}, id: code, label: name, hierarchy: {closure: above, ancestor: up, descendant: down, distance: steps}}
  - {name: pair, table: unit, join: {unit: code, part: part}, key: [code, part], id: code, label: name}
  - {name: built, table: unit, join: {unit: code}, id: code, label: name, hierarchy: {parent: above}}
attributes: [{name: word, column: word}, {name: unitCode, column: unit}]
measures: [{name: qty, column: qty, agg: sum}]
`

// foldedCases are answered by code point, whatever the columns compare by.
var foldedCases = []struct{ name, payload, want string }{
	{"a join", `{"columns":["unitCode","unit$caption","qty"]}`,
		`[{"unitCode":"a","unit$caption":"Small","qty":1},{"unitCode":"A","unit$caption":null,"qty":2},{"unitCode":"á","unit$caption":null,"qty":4},{"unitCode":"b","unit$caption":"small","qty":8},{"unitCode":"B","unit$caption":null,"qty":16}] 5 `},
	{"a join of two columns", `{"columns":["pair$caption","qty"],"groupBy":["pair$caption"]}`,
		`[{"pair$caption":"Small","qty":1},{"pair$caption":"small","qty":8},{"pair$caption":null,"qty":22}] 3 `},
	{"groups", `{"columns":["word","qty"],"groupBy":["word"]}`, `[{"word":"X","qty":2},{"word":"x","qty":5},{"word":"y","qty":24}] 3 `},
	{"a filter", `{"columns":["qty"],"slice":[{"field":"word","op":"=","value":"x"}]}`, `[{"qty":1},{"qty":4}] 2 `},
	{"a list", `{"columns":["qty"],"slice":[{"field":"unit$id","op":"in","value":["A","b"]}]}`, `[{"qty":2},{"qty":8}] 2 `},
	{"descendants", `{"columns":["qty"],"slice":[{"field":"unit$id","op":"selfAndDescendantsOf","value":"a"}]}`, `[{"qty":1},{"qty":8}] 2 `},
	{"descendants of no node", `{"columns":["qty"],"slice":[{"field":"unit$id","op":"descendantsOf","value":"A"}]}`, `[] 0 `},
	{"ancestors", `{"columns":["unit$hierarchy$caption","qty"],"groupBy":["unit$hierarchy$caption"]}`,
		`[{"unit$hierarchy$caption":"Small","qty":9},{"unit$hierarchy$caption":"small","qty":8},{"unit$hierarchy$caption":null,"qty":22}] 3 `},
	{"a tree of parents", `{"columns":["qty"],"slice":[{"field":"built$id","op":"descendantsOf","value":"a"}]}`, `[{"qty":8}] 1 `},
	{"ancestors in a tree of parents", `{"columns":["built$hierarchy$id","qty"],"groupBy":["built$hierarchy$id"]}`,
		`[{"built$hierarchy$id":"a","qty":9},{"built$hierarchy$id":"b","qty":8},{"built$hierarchy$id":null,"qty":22}] 3 `},
	{"distinct texts", `{"columns":["count_distinct(word) as n","max(unitCode) as m"]}`, `[{"n":3,"m":"á"}] 1 `},
}

// foldedText is decision 56 on columns that the database itself compares by less than their code points.
func foldedText(t *testing.T, e *engine) {
	t.Helper()
	files := fstest.MapFS{"sale.yaml": {Data: []byte(foldedModels)}}
	p, err := e.made(t.Context(), foldedTables(e), nil, files, "2024-03-31")
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	for _, c := range foldedCases {
		q, err := decode(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.run(t.Context(), "Sale", q); err != nil && e.lack(fault.As(err).Message) != "" {
			continue
		}
		if got, texts := p.told(t.Context(), "Sale", c.payload); got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s\n%s", c.name, c.payload, got, c.want, strings.Join(texts, "\n"))
		}
	}
}
