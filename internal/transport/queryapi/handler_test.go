package queryapi

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/service"
)

func TestAnswers(t *testing.T) {
	page := &service.Answer{Items: []byte(`[{"a":1.10,"b":"x"},{"a":null,"b":"é"}]`), Total: 42, Returned: 2}
	totals := &service.Answer{Items: []byte(`[]`), Total: 7, TotalData: []byte(`{"total":7,"a":99999999999999999999.01}`)}
	for _, c := range []struct {
		path string
		fake *fakeService
		body string
		want string
	}{
		{pagePath + "M", &fakeService{answer: page}, `{}`, `{"code":0,"data":{"items":[{"a":1.10,"b":"x"},{"a":null,"b":"é"}],"total":42},"msg":"success"}`},
		{pagePath + "M", &fakeService{answer: totals}, ``, `{"code":0,"data":{"items":[],"total":7,"totalData":{"total":7,"a":99999999999999999999.01}},"msg":"success"}`},
		{summaryPath, &fakeService{data: `{"a":12.50}`}, `{"queryModel":"M","columns":["a"]}`, `{"code":0,"data":{"a":12.50},"msg":"success"}`},
	} {
		w := post(handlerOver(c.fake), c.path, c.body)
		if w.Code != 200 || w.Body.String() != c.want {
			t.Errorf("%s %s = %d %s", c.path, c.body, w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("Content-Length") != strconv.Itoa(len(c.want)) {
			t.Errorf("%s: header %v", c.path, w.Header())
		}
		if want := (service.Caller{Namespace: "shop", TraceID: "t-1"}); cmp.Diff(want, c.fake.caller) != "" {
			t.Errorf("%s: caller %+v", c.path, c.fake.caller)
		}
	}
}

func TestAnswersDoNotShareBuffers(t *testing.T) {
	h := handlerOver(&fakeService{answer: &service.Answer{Items: []byte(`["` + strings.Repeat("x", 100) + `"]`)}})
	first := post(h, pagePath+"M", "").Body.String()
	second := post(handlerOver(&fakeService{answer: noRows}), pagePath+"M", "").Body.String()
	if second != `{"code":0,"data":{"items":[],"total":0},"msg":"success"}` || !strings.Contains(first, "xxx") {
		t.Errorf("%s\n%s", first, second)
	}
}

func TestModelInThePath(t *testing.T) {
	for path, want := range map[string]string{
		"FactSalesQueryModel": "FactSalesQueryModel",
		"%E9%94%80%E5%94%AE":  "销售",
		"a%2Fb%20c%25":        "a/b c%",
		"queryKpi":            "queryKpi",
		"a.b;c":               "a.b;c",
		"%7Bmodel%7D":         "{model}",
	} {
		f := newFake()
		if w := post(handlerOver(f), pagePath+path, ""); w.Code != 200 || f.model != want {
			t.Errorf("%s: %d, model %q, want %q", path, w.Code, f.model, want)
		}
	}
}

func TestRefusedBeforeReading(t *testing.T) {
	for _, c := range []struct {
		method, path, contentType string
		status                    int
		want                      string
	}{
		{"POST", pagePath + "M", "application/json; charset=utf-8", 200, `{"code":0,`},
		{"POST", pagePath + "M", "application/vnd.shop+json", 200, `{"code":0,`},
		{"POST", pagePath + "M", "Application/JSON", 200, `{"code":0,`},
		{"GET", pagePath + "M", "", 405, `{"code":400,"data":null,"msg":"Method GET is not allowed here; use POST"}`},
		{"OPTIONS", summaryPath, "", 405, `{"code":400,`},
		{"POST", pagePath + "M", "text/plain", 415, `{"code":400,"data":null,"msg":"Content type text/plain is not supported; use application/json"}`},
		{"POST", pagePath + "M", "json", 415, `{"code":400,`},
		{"POST", pagePath + "M", "text/json+json", 415, `{"code":400,`},
		{"POST", pagePath + "M", "application/json; q=\"", 415, `{"code":400,`},
		{"POST", pagePath, "", 404, `{"code":404,"data":null,"msg":"No such path: /jdbc-model/query-model/v2/"}`},
		{"POST", pagePath + "a/b", "", 404, `{"code":404,`},
		{"POST", summaryPath + "/", "", 404, `{"code":404,`},
		{"GET", "/jdbc-model/query-model/v3/M", "", 404, `{"code":404,`},
		{"POST", "/jdbc-model%2Fquery-model/queryKpi", "", 404, `{"code":404,`},
		{"POST", "/jdbc-model/" + strings.Repeat("x", 5000), "", 404, `{"code":404,`},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		if c.contentType != "" {
			r.Header.Set("Content-Type", c.contentType)
		}
		w := httptest.NewRecorder()
		handlerOver(newFake()).ServeHTTP(w, r)
		if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.want) || w.Body.Len() > 300 {
			t.Errorf("%s %s (%s) = %d %s", c.method, c.path, c.contentType, w.Code, w.Body)
		}
		if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "POST" {
			t.Errorf("%s %s: Allow %q", c.method, c.path, w.Header().Get("Allow"))
		}
	}
}
