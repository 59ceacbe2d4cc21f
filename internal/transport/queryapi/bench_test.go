package queryapi

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/service"
)

// sink is a ResponseWriter that keeps nothing.
type sink struct {
	header        http.Header
	bytes, writes int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(int)             {}
func (s *sink) Write(b []byte) (int, error) { s.bytes += len(b); s.writes++; return len(b), nil }

func BenchmarkPage(b *testing.B) {
	const body = `{"page":2,"pageSize":100,"param":{"columns":["orderId","customer$caption","salesAmount"],` +
		`"slice":[{"field":"orderStatus","op":"=","value":"COMPLETED"}],"orderBy":[{"field":"salesAmount","order":"desc"}]}}`
	row := `{"orderId":"SO20240117000012","customer$caption":"Wang Fang","salesAmount":8421.60}`
	answer := &service.Answer{Items: []byte("[" + strings.Repeat(row+",", 99) + row + "]"), Total: 1874, Returned: 100}
	h := handlerOver(&fakeService{answer: answer})
	r := httptest.NewRequest(http.MethodPost, pagePath+"FactSalesQueryModel", nil)
	r.ContentLength = int64(len(body))
	reader := bytes.NewReader(nil)
	r.Body = io.NopCloser(reader)
	w := &sink{header: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset([]byte(body))
		h.ServeHTTP(w, r)
	}
	b.SetBytes(int64(w.bytes / b.N))
}

// TestTheEnvelopeIsWrittenOnce holds the write path: one write of a small answer, a large one sent from where it is, and no
// allocation that grows with either.
func TestTheEnvelopeIsWrittenOnce(t *testing.T) {
	for size, writes := range map[int]int{10: 1, 50_000: 1, 500_000: 3} {
		answer := &service.Answer{Items: []byte(`["` + strings.Repeat("x", size) + `"]`), Total: 7, TotalData: []byte(`{"total":7}`)}
		h := handlerOver(&fakeService{answer: answer})
		w := &sink{header: http.Header{}}
		h.answer(w, answer) // the pool has a buffer from here on
		got := testing.AllocsPerRun(50, func() {
			w.bytes, w.writes = 0, 0
			h.answer(w, answer)
		})
		if want := len(`{"code":0,"data":{"items":,"total":7,"totalData":{"total":7}},"msg":"success"}`) + len(answer.Items); w.writes != writes || got > 12 || w.bytes != want {
			t.Errorf("%d bytes: %d writes of %d bytes, %v allocations", size, w.writes, w.bytes, got)
		}
		if got := post(h, pagePath+"M", "{}").Body.Len(); got != w.bytes {
			t.Errorf("%d bytes: the body has %d, want %d", size, got, w.bytes)
		}
	}
}
