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
	use    *service.CacheUse
	rollup *service.RollupUse
}

func (r *reused) Query(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error) {
	service.RecordOf(ctx).Cache, service.RecordOf(ctx).Rollup = r.use, r.rollup
	return r.fakeService.Query(ctx, c, model, q, o)
}

func (r *reused) Summarize(ctx context.Context, c service.Caller, s service.Summary) ([]byte, error) {
	service.RecordOf(ctx).Cache, service.RecordOf(ctx).Rollup = r.use, r.rollup
	return r.fakeService.Summarize(ctx, c, s)
}

func TestTheAgeIsTold(t *testing.T) {
	for _, c := range []struct {
		use         *service.CacheUse
		rollup      *service.RollupUse
		age, status string
	}{
		{nil, nil, "", ""},
		{&service.CacheUse{Source: "cache", Age: 12, TTL: 60}, nil, "12", "parlance; hit; ttl=48"},
		{&service.CacheUse{Source: "database", TTL: 60}, nil, "0", "parlance; fwd=miss"},
		{&service.CacheUse{Source: "shared", TTL: 60}, nil, "0", "parlance; fwd=miss; collapsed"},
		{nil, &service.RollupUse{Name: "monthly", Age: 3600}, "3600", `parlance; hit; detail="rollup monthly"`},
		{&service.CacheUse{Source: "cache", Age: 12, TTL: 60}, &service.RollupUse{Name: "monthly", Age: 3600}, "3600", `parlance; hit; ttl=48; detail="rollup monthly"`},
		{&service.CacheUse{Source: "database", TTL: 60}, &service.RollupUse{Name: "monthly", Age: 3600}, "3600", `parlance; fwd=miss; detail="rollup monthly"`},
	} {
		for path, body := range map[string]string{pagePath + "M": `{}`, summaryPath: `{"queryModel":"M","columns":["a"]}`} {
			h := New(Options{Service: &reused{fakeService{answer: noRows, data: `{"a":1}`}, c.use, c.rollup}})
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			ctx, _ := service.WithRecord(r.Context())
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r.WithContext(ctx))
			if w.Header().Get("Age") != c.age || w.Header().Get("Cache-Status") != c.status {
				t.Errorf("%s %+v %+v: %v", path, c.use, c.rollup, w.Header())
			}
		}
	}
}
