package queryapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/query"
	"parlance/internal/service"
)

// reused is a service whose answers have a history.
type reused struct {
	fakeService
	use *service.CacheUse
}

func (r *reused) Query(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error) {
	service.RecordOf(ctx).Cache = r.use
	return r.fakeService.Query(ctx, c, model, q, o)
}

func (r *reused) Summarize(ctx context.Context, c service.Caller, s service.Summary) ([]byte, error) {
	service.RecordOf(ctx).Cache = r.use
	return r.fakeService.Summarize(ctx, c, s)
}

func TestTheAgeIsTold(t *testing.T) {
	for _, c := range []struct {
		use         *service.CacheUse
		age, status string
	}{
		{nil, "", ""},
		{&service.CacheUse{Source: "cache", Age: 12, TTL: 60}, "12", "parlance; hit; ttl=48"},
		{&service.CacheUse{Source: "database", TTL: 60}, "0", "parlance; fwd=miss"},
		{&service.CacheUse{Source: "shared", TTL: 60}, "0", "parlance; fwd=miss; collapsed"},
	} {
		for path, body := range map[string]string{pagePath + "M": `{}`, summaryPath: `{"queryModel":"M","columns":["a"]}`} {
			h := New(Options{Service: &reused{fakeService{answer: noRows, data: `{"a":1}`}, c.use}})
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			ctx, _ := service.WithRecord(r.Context())
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r.WithContext(ctx))
			if w.Header().Get("Age") != c.age || w.Header().Get("Cache-Status") != c.status {
				t.Errorf("%s %+v: %v", path, c.use, w.Header())
			}
		}
	}
}
