package queryapi

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	f := newFake()
	body := `{"queryModel":"FactSales","columns":["a","avg(b) as c"],"slice":[{"field":"d","op":"=","value":1}],"extData":1}`
	if w := post(handlerOver(f), summaryPath, body); w.Code != 200 {
		t.Fatal(w.Body)
	}
	s := f.summary
	if s.Model != "FactSales" || len(s.Columns) != 2 || s.Columns[0].Key() != "a" || s.Columns[1].Key() != "c" ||
		len(s.Slice) != 1 || s.Slice[0].Where() != "slice[0]" {
		t.Errorf("summary = %+v", s)
	}
}

func TestSummaryBodiesThatAreRefused(t *testing.T) {
	for body, want := range map[string]string{
		``:                                                         "queryModel: Missing required parameter: queryModel",
		`{"columns":["a"]}`:                                        "Missing required parameter: queryModel",
		`{"queryModel":"","columns":["a"]}`:                        "Missing required parameter: queryModel",
		`{"queryModel":null,"columns":["a"]}`:                      "Missing required parameter: queryModel",
		`{"queryModel":7,"columns":["a"]}`:                         "queryModel must be a string, not 7",
		`{"queryModel":"M"}`:                                       "Missing required parameter: columns",
		`{"queryModel":"M","columns":[]}`:                          "Missing required parameter: columns",
		`{"queryModel":"M","columns":null}`:                        "Missing required parameter: columns",
		`{"queryModel":"M","columns":"a"}`:                         "columns: ",
		`{"queryModel":"M","columns":[""]}`:                        "columns[0]: ",
		`{"queryModel":"M","columns":["sum("]}`:                    "columns[0]: ",
		`{"queryModel":"M","columns":["a"],"slice":{}}`:            "slice: ",
		`{"queryModel":"M","columns":["a"],"slice":[1]}`:           "slice[0]: ",
		`{"queryModel":"M","columns":["a"],"limit":1}`:             `Unknown key \"limit\"`,
		`{"queryModel":"M","columns":["a"],"slices":[]}`:           `did you mean \"slice\"?`,
		`{"queryModel":"M","columns":["a"],"param":{"slice":[]}}`:  `Unknown key \"param\"`,
		`{"queryModel":"M","queryModel":"N","columns":["a"]}`:      `stands twice`,
		`{"querymodel":"M","columns":["a"]}`:                       `did you mean \"queryModel\"?`,
		`{"queryModel":"M","columns":["a"],"slice":[],"x":1} tail`: "The body is not JSON",
	} {
		f := newFake()
		got := post(handlerOver(f), summaryPath, body).Body.String()
		if !strings.HasPrefix(got, `{"code":400,"data":null,"msg":"`) || !strings.Contains(got, want) {
			t.Errorf("%s: %s", body, got)
		}
		if f.summary.Model != "" {
			t.Errorf("%s reached the service", body)
		}
	}
}
