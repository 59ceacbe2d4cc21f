package queryapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	"parlance/internal/query"
	"parlance/internal/service"
)

var _ Service = (*service.Service)(nil)

// fakeService remembers what was asked and answers what it is told.
type fakeService struct {
	model   string
	query   *query.Query
	options service.QueryOptions
	summary service.Summary
	caller  service.Caller

	answer *service.Answer
	data   string
	err    error
}

func (f *fakeService) Query(_ context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error) {
	f.caller, f.model, f.query, f.options = c, model, q, o
	return f.answer, f.err
}

func (f *fakeService) Summarize(_ context.Context, c service.Caller, s service.Summary) ([]byte, error) {
	f.caller, f.summary = c, s
	return []byte(f.data), f.err
}

const (
	pagePath    = "/jdbc-model/query-model/v2/"
	summaryPath = "/jdbc-model/query-model/queryKpi"
)

var noRows = &service.Answer{Items: []byte("[]")}

func newFake() *fakeService { return &fakeService{answer: noRows, data: "{}"} }

func handlerOver(f *fakeService) *Handler {
	return New(Options{Service: f, Log: slog.New(slog.DiscardHandler)})
}

// post sends a body and returns the answer.
func post(h http.Handler, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r = r.WithContext(service.WithCaller(r.Context(), service.Caller{Namespace: "shop", TraceID: "t-1"}))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
