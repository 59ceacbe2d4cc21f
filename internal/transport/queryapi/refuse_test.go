package queryapi

import (
	"errors"
	"strings"
	"testing"

	"parlance/internal/fault"
)

func TestFaults(t *testing.T) {
	cause := errors.New("pq: password authentication failed")
	for _, c := range []struct {
		err            error
		status, mirror int
		want           string
	}{
		{&fault.Error{Kind: fault.Invalid, Message: "m"}, 200, 400, `{"code":400,"data":null,"msg":"m"}`},
		{
			&fault.Error{Kind: fault.Invalid, Path: "slice[0].field", Message: `Unknown field "x"`, Closest: []string{"y"}}, 200, 400,
			`{"code":400,"data":null,"msg":"param.slice[0].field: Unknown field \"x\"; did you mean \"y\"?"}`,
		},
		{&fault.Error{Kind: fault.Forbidden, Path: "columns[1]", Message: "No"}, 200, 403, `{"code":403,"data":null,"msg":"param.columns[1]: No"}`},
		{&fault.Error{Kind: fault.NotFound, Message: `Model "M" does not exist`}, 200, 404, `{"code":404,"data":null,"msg":"Model \"M\" does not exist"}`},
		{&fault.Error{Kind: fault.Unauthorized, Message: "Who?"}, 401, 401, `{"code":403,"data":null,"msg":"Who?"}`},
		{&fault.Error{Kind: fault.Unavailable, Message: "Busy", Cause: cause}, 503, 503, `{"code":500,"data":null,"msg":"Busy"}`},
		{fault.Internalf(cause, "reading the page"), 200, 500, `{"code":500,"data":null,"msg":"Internal error (trace t-1)"}`},
		{cause, 200, 500, `{"code":500,"data":null,"msg":"Internal error (trace t-1)"}`},
	} {
		f := newFake()
		f.err = c.err
		plain := handlerOver(f)
		mirrored := handlerOver(f)
		mirrored.mirror = true
		w, m := post(plain, pagePath+"M", ""), post(mirrored, pagePath+"M", "")
		if w.Code != c.status || m.Code != c.mirror || w.Body.String() != c.want || m.Body.String() != c.want {
			t.Errorf("%v = %d and %d %s", c.err, w.Code, m.Code, w.Body)
		}
		if got := w.Header().Get("Retry-After"); (got != "") != (c.status == 503) {
			t.Errorf("%v: Retry-After %q", c.err, got)
		}
	}
}

func TestSummaryFaultsKeepTheirPath(t *testing.T) {
	f := newFake()
	f.err = fault.Invalidf("not_a_measure", "columns[0]", "orderId is no measure")
	w := post(handlerOver(f), summaryPath, `{"queryModel":"M","columns":["orderId"]}`)
	if got := w.Body.String(); got != `{"code":400,"data":null,"msg":"columns[0]: orderId is no measure"}` {
		t.Error(got)
	}
}

func TestPagingFaultsStandWhereTheKeyStood(t *testing.T) {
	for body, want := range map[string]string{
		`{"limit":-1}`:                                `"msg":"limit: `,
		`{"param":{"limit":-1}}`:                      `"msg":"param.limit: `,
		`{"page":1,"param":{"limit":-1}}`:             `"msg":"param.limit: `,
		`{"limit":-1,"param":{"limit":5,"start":1}}`:  `"msg":"limit: `,
		`{"param":{"limit":5}, "page":null}`:          `"msg":"param.limit: `,
		`{"extData":{"limit":1},"param":{"limit":2}}`: `"msg":"param.limit: `,
	} {
		f := newFake()
		f.err = fault.Invalidf("out_of_range", "limit", "m")
		if got := post(handlerOver(f), pagePath+"M", body).Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", body, got)
		}
	}
}
