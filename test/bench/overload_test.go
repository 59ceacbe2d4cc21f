package bench

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/datasource"
	"parlance/internal/service"
	"parlance/internal/transport/queryapi"
	"parlance/test/shop"
)

const (
	overloadPath = "/jdbc-model/query-model/v2/FactReturnQueryModel"
	overloadBody = `{"param":{"columns":["returnReason","store$province","returnAmount"],"groupBy":["returnReason","store$province"],"orderBy":["-returnAmount"],"returnTotal":true}}`
)

// named is a handler whose callers are who they say.
func named(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := service.Caller{Identity: access.Identity{User: r.Header.Get("X-User")}}
		h.ServeHTTP(w, r.WithContext(service.WithCaller(r.Context(), who)))
	})
}

// asker posts one question again and again.
type asker struct {
	client *http.Client
	url    string
	want   string // the answer when nothing else runs
}

// ask returns whether the answer came or was refused as it should be; anything else is an error of the test.
func (a *asker) ask(t *testing.T, user string) (answered bool) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.url+overloadPath, strings.NewReader(overloadBody))
	if err != nil {
		t.Error(err)
		return false
	}
	r.Header.Set("X-User", user)
	answer, err := a.client.Do(r)
	if err != nil {
		t.Error(err)
		return false
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		t.Error(err)
	case answer.StatusCode == http.StatusOK && (a.want == "" || string(body) == a.want):
		a.want = string(body)
		return true
	case answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "" && strings.HasPrefix(string(body), `{"code":500,"data":null,`):
	default:
		t.Errorf("%d %v %.200s", answer.StatusCode, answer.Header, body)
	}
	return false
}

// TestOverload: ten times as many callers as there are places and room to wait. Those who are taken in get the right
// answer, the others a refusal that says when to come again; who asks little is never refused for who asks much; memory
// stays where it was, and all places are free at once when it is over.
func TestOverload(t *testing.T) {
	const places, queue = 2, 4
	const callers = 10 * (places + queue)
	s := shop.New(t, datasource.Config{Type: "duckdb", MaxConns: places, Queue: queue})
	server := httptest.NewServer(named(queryapi.New(queryapi.Options{Service: s.Service})))
	t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}
	a := &asker{client: client, url: server.URL}
	if !a.ask(t, "") {
		t.Fatal("no answer without load")
	}
	idle := heap()

	var taken, refused, patient atomic.Int64
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range callers {
		own := *a
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if own.ask(t, "many") {
					taken.Add(1)
				} else {
					refused.Add(1)
				}
			}
		})
	}
	for patient.Load() < 20 || taken.Load() < 100 || refused.Load() < 100 {
		if !a.ask(t, "few") {
			t.Fatal("who asks one thing after the other was refused")
		}
		patient.Add(1)
	}
	loaded := heap()
	close(stop)
	wg.Wait()
	for s.Source.Stats() != (datasource.Stats{}) { // what was refused may still be on its way out
		runtime.Gosched()
	}
	for range places + queue {
		wg.Go(func() {
			own := *a
			if !own.ask(t, "many") {
				t.Error("refused though nobody else asks")
			}
		})
	}
	wg.Wait()
	if loaded > idle+64<<20 {
		t.Errorf("%d bytes of heap under load, %d before", loaded, idle)
	}
	t.Logf("%d answered, %d refused, beside them %d of another; %d MB of heap", taken.Load(), refused.Load(), patient.Load(), loaded>>20)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestASlowReaderHoldsNoPlace: an answer waits in memory for its reader, and the database serves others.
func TestASlowReaderHoldsNoPlace(t *testing.T) {
	s := shop.New(t, datasource.Config{Type: "duckdb", MaxConns: 1, Queue: -1})
	server := httptest.NewServer(named(queryapi.New(queryapi.Options{Service: s.Service})))
	t.Cleanup(server.Close)
	slow, err := http.Post(server.URL+"/jdbc-model/query-model/v2/FactSalesQueryModel", "application/json", strings.NewReader(`{"limit":10000}`))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Body.Close()
	if slow.ContentLength < 4<<20 {
		t.Fatalf("%d bytes fit on their way", slow.ContentLength)
	}
	a := &asker{client: server.Client(), url: server.URL}
	deadline := time.After(time.Minute)
	for range 10 {
		for !a.ask(t, "") {
			select {
			case <-deadline:
				t.Fatal("the only place is never free")
			default:
			}
		}
	}
	if n, err := io.Copy(io.Discard, slow.Body); err != nil || n != slow.ContentLength {
		t.Errorf("%d of %d bytes: %v", n, slow.ContentLength, err)
	}
}
