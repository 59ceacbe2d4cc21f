// Package queryapi is the HTTP query interface of contract 4.4: a page of rows, and a summary of measures.
// It decodes bodies and words the {code, data, msg} envelope; what a query means is the service's.
package queryapi

import (
	"context"
	"log/slog"
	"net/http"

	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/stage"
)

// DefaultRows is the length of a page when the request names none (contract 8).
const DefaultRows = 10

// Service runs what a request asks for.
type Service interface {
	Query(ctx context.Context, c service.Caller, model string, q *query.Query, o service.QueryOptions) (*service.Answer, error)
	// Summarize returns a JSON object with one key a column.
	Summarize(ctx context.Context, c service.Caller, s service.Summary) ([]byte, error)
}

// Options are the settings of a Handler. Only Service is required.
type Options struct {
	Service Service
	// Limits bound what a payload may hold. Zero: query.DefaultLimits.
	Limits query.Limits
	// MirrorStatus makes the HTTP status follow the envelope's code. False: 200 whatever the code (decision 30).
	MirrorStatus bool
	// Log takes errors that are ours to mend. Nil: slog.Default().
	Log *slog.Logger
}

// Handler serves the query interface. The length of bodies is bounded by the server in front of it.
type Handler struct {
	service Service
	limits  query.Limits
	mirror  bool
	log     *slog.Logger

	pages     *decoded[*pageRequest]
	summaries *decoded[service.Summary]
}

// New makes a handler.
func New(o Options) *Handler {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Handler{
		service: o.Service, limits: o.Limits, mirror: o.MirrorStatus, log: o.Log,
		pages: newDecoded[*pageRequest](), summaries: newDecoded[service.Summary](),
	}
}

// ServeHTTP answers every path below /jdbc-model/, wrong ones included, with the envelope.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	serve, model, ok := find(r.URL.EscapedPath())
	if !ok {
		h.Refuse(w, http.StatusNotFound, "No such path: "+clip(r.URL.Path))
		return
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.Refuse(w, http.StatusMethodNotAllowed, "Method "+clip(r.Method)+" is not allowed here; use POST")
		return
	}
	if given := r.Header.Get("Content-Type"); !isJSON(given) {
		h.Refuse(w, http.StatusUnsupportedMediaType, "Content type "+clip(given)+" is not supported; use application/json")
		return
	}
	body, err := readBody(r)
	if err != nil {
		h.fault(w, r, err)
		return
	}
	serve(h, w, r, model, body)
}

// page answers …/v2/{model}.
func (h *Handler) page(w http.ResponseWriter, r *http.Request, model string, body []byte) {
	record := service.RecordOf(r.Context())
	record.Begin("query").Model = model
	record.Model = model
	decoding := stage.Start(r.Context(), stage.Decode)
	rq, err := h.pages.of(body, func() (*pageRequest, error) { return decodePage(body, h.limits) })
	decoding.End()
	if err != nil {
		h.fault(w, r, err)
		return
	}
	a, err := h.service.Query(r.Context(), service.CallerOf(r.Context()), model, rq.query, service.QueryOptions{DefaultRows: DefaultRows})
	if err != nil {
		h.fault(w, r, rq.place(err))
		return
	}
	defer a.Release()
	record.Succeed(a.Returned)
	tellCache(w.Header(), record)
	h.answer(w, a)
}

// summary answers …/queryKpi; the model stands in the body.
func (h *Handler) summary(w http.ResponseWriter, r *http.Request, _ string, body []byte) {
	s, err := h.summaries.of(body, func() (service.Summary, error) { return decodeSummary(body, h.limits) })
	record := service.RecordOf(r.Context())
	record.Begin("queryKpi").Model = s.Model
	record.Model = s.Model
	if err != nil {
		h.fault(w, r, err)
		return
	}
	data, err := h.service.Summarize(r.Context(), service.CallerOf(r.Context()), s)
	if err != nil {
		h.fault(w, r, err)
		return
	}
	record.Succeed(1)
	tellCache(w.Header(), record)
	h.success(w, func(b []byte) []byte { return append(b, data...) })
}
