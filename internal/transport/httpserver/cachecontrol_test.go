package httpserver

import (
	"net/http"
	"testing"
	"time"

	"parlance/internal/service"
)

func TestCacheControl(t *testing.T) {
	for line, want := range map[string]service.CacheControl{
		"":                                {},
		"no-cache":                        {NoCache: true},
		"No-Store":                        {NoCache: true, NoStore: true},
		"max-age=30":                      {MaxAge: 30 * time.Second},
		`max-age="30" , no-transform`:     {MaxAge: 30 * time.Second},
		"max-age=0":                       {NoCache: true},
		"max-age=-1":                      {},
		"max-age=99999999999999999999999": {},
		"max-age":                         {},
		"nonsense; no-cache":              {},
		"max-age=5,no-cache":              {NoCache: true, MaxAge: 5 * time.Second},
	} {
		h := http.Header{}
		h.Add("Cache-Control", line)
		if got := cacheControl(h); got != want {
			t.Errorf("%q: %+v", line, got)
		}
	}
	two := http.Header{"Cache-Control": {"max-age=9", "no-store"}}
	if got, want := cacheControl(two), (service.CacheControl{NoCache: true, NoStore: true, MaxAge: 9 * time.Second}); got != want {
		t.Errorf("two lines: %+v", got)
	}
}
