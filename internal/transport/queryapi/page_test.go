package queryapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/query"
	"parlance/internal/service"
)

func number(n int64) *int64 { return &n }

func TestPaging(t *testing.T) {
	for body, want := range map[string]query.Paging{
		``:           {},
		" \n":        {},
		`{}`:         {},
		`{"page":3}`: {Page: number(3)},
		`{"page":2,"pageSize":20,"start":5,"limit":6}`: {Page: number(2), PageSize: number(20), Start: number(5), Limit: number(6)},
		`{"limit":0}`: {Limit: number(0)},
		`{"page":null,"limit":null,"param":null}`:               {},
		`{"param":{"start":1,"limit":2}}`:                       {Start: number(1), Limit: number(2)},
		`{"limit":9,"param":{"start":1,"limit":2}}`:             {Start: number(1), Limit: number(9)},
		`{"pageSize":9,"param":{"start":1,"limit":2}}`:          {Start: number(1), PageSize: number(9)},
		`{"page":2,"param":{"start":1,"limit":2}}`:              {Page: number(2), Limit: number(2)},
		`{"limit":9007199254740993}`:                            {Limit: number(9007199254740993)},
		`{"start":-1}`:                                          {Start: number(-1)}, // bounds are the service's
		`{"queryId":"q","extData":{"a":[1]},"limit":4}`:         {Limit: number(4)},
		`{"param":{"queryModel":"X","strictColumns":true}}`:     {},
		`{"autoGroupBy":true,"param":{"optimizeAggSql":false}}`: {},
	} {
		f := newFake()
		w := post(handlerOver(f), pagePath+"M", body)
		if w.Code != 200 || f.query == nil {
			t.Errorf("%s: %s", body, w.Body)
			continue
		}
		if diff := cmp.Diff(want, f.query.Paging); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
		if diff := cmp.Diff(service.QueryOptions{DefaultRows: 10}, f.options); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

func TestParamReachesTheService(t *testing.T) {
	f := newFake()
	post(handlerOver(f), pagePath+"M", `{"param":{"columns":["a","sum(b) as c"],"returnTotal":true,"distinct":true}}`)
	if f.query == nil || len(f.query.Columns) != 2 || f.query.Columns[1].Alias != "c" || !f.query.ReturnTotal || !f.query.Distinct {
		t.Errorf("query = %+v", f.query)
	}
}

func TestPageBodiesThatAreRefused(t *testing.T) {
	for body, want := range map[string]string{
		`{`:                              "The body is not JSON",
		`{} x`:                           "The body is not JSON",
		"\xff":                           "The body is not JSON",
		`[]`:                             "The body must be an object, not []",
		`null`:                           "The body must be an object, not null",
		`"{}"`:                           "The body must be an object",
		`{"page":1,"page":2}`:            `Key \"page\" stands twice`,
		`{"param":{"a":{"b":1,"b":2}}}`:  `param.a: Key \"b\" stands twice`,
		`{"page":"2"}`:                   "page: ",
		`{"page":1.5}`:                   "page: ",
		`{"pageSize":1e2}`:               "pageSize: ",
		`{"limit":true}`:                 "limit: ",
		`{"limit":99999999999999999999}`: "limit: ",
		`{"start":[]}`:                   "start: ",
		`{"param":[]}`:                   "param: ",
		`{"param":"{}"}`:                 "param: ",
		`{"pagesize":1}`:                 `pagesize: Unknown key \"pagesize\"; did you mean \"pageSize\"`,
		`{"offset":1}`:                   `offset: Unknown key \"offset\"; allowed: page, pageSize, start, limit, param`,
		`{"slice":[]}`:                   `slice: Unknown key \"slice\"; allowed: page, pageSize, start, limit, param; \"slice\" belongs inside \"param\"`,
		`{"queryModel":"X"}`:             "queryModel: Unknown key",
		`{"format":"rows"}`:              "format: Unknown key",
		`{"param":{"format":"rows"}}`:    "param.format: Unknown key",
		`{"param":{"slices":[]}}`:        `param.slices: Unknown key \"slices\"; did you mean \"slice\"?`,
		`{"param":{"param":{}}}`:         "param.param: Unknown key",
		`{"param":{"limit":"5"}}`:        "param.limit: ",
		`{"param":{"columns":[1]}}`:      "param.columns[0]: ",
		`{"param":{"slice":[{"field":"a","op":"~","value":1}]}}`: "param.slice[0].op: ",
		`{"` + strings.Repeat("k", 9000) + `":1}`:                "Unknown key",
	} {
		f := newFake()
		w := post(handlerOver(f), pagePath+"M", body)
		got := w.Body.String()
		if w.Code != 200 || !strings.HasPrefix(got, `{"code":400,"data":null,"msg":"`) || !strings.Contains(got, want) || len(got) > 1000 {
			t.Errorf("%.80s = %d %s", body, w.Code, got)
		}
		if f.query != nil {
			t.Errorf("%.80s reached the service", body)
		}
	}
}

func TestLimitsOfThePayload(t *testing.T) {
	h := New(Options{Service: newFake(), Limits: query.Limits{Columns: 2, Conditions: 1, Depth: 2, ListValues: 2}})
	for body, want := range map[string]string{
		`{"param":{"columns":["a","b"]}}`:                               `{"code":0,`,
		`{"param":{"columns":["a","b","c"]}}`:                           `{"code":400,"data":null,"msg":"param.columns: `,
		`{"param":{"slice":[{"a":1},{"b":2}]}}`:                         `{"code":400,"data":null,"msg":"param.slice`,
		`{"param":{"slice":[{"field":"a","op":"in","value":[1,2,3]}]}}`: `{"code":400,"data":null,"msg":"param.slice[0].value: `,
	} {
		if got := post(h, pagePath+"M", body).Body.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", body, got)
		}
	}
}
