package telemetry

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"parlance/internal/stage"
)

var (
	requestBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	stageBuckets   = []float64{.00001, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
)

// counts are the series of requests.
type counts struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	refusals *prometheus.CounterVec
	rows     *prometheus.CounterVec
	bytes    *prometheus.CounterVec
	running  prometheus.Gauge
	reloads  *prometheus.CounterVec
	stages   [stage.Count]prometheus.Observer

	namespaces     []string
	ownNamespace   string // of requests that name none
	tools, reasons *known

	mu    sync.RWMutex
	found map[labels]*series
}

func newCounts(r *prometheus.Registry, namespaces []string, ownNamespace string) *counts {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	histogram := func(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
		r.MustRegister(h)
		return h
	}
	c := &counts{
		requests:   counter("parlance_requests_total", "Requests answered, by way in, tool, namespace and outcome.", "interface", "tool", "namespace", "outcome"),
		seconds:    histogram("parlance_request_seconds", "From the request's first byte to the answer's last.", requestBuckets, "interface"),
		refusals:   counter("parlance_refusals_total", "Requests that were not answered, by reason.", "reason"),
		rows:       counter("parlance_rows_total", "Rows sent.", "interface"),
		bytes:      counter("parlance_response_bytes_total", "Bytes of answers.", "interface"),
		reloads:    counter("parlance_reloads_total", "Times that the files of a namespace were read.", "namespace", "outcome"),
		running:    prometheus.NewGauge(prometheus.GaugeOpts{Name: "parlance_requests_running", Help: "Requests that are being answered."}),
		namespaces: namespaces, ownNamespace: ownNamespace, tools: newKnown(32), reasons: newKnown(256), found: map[labels]*series{},
	}
	r.MustRegister(c.running)
	for _, name := range namespaces { // a series that begins with its first event has no increase to be alarmed by
		c.reloads.WithLabelValues(name, reloadOK)
		c.reloads.WithLabelValues(name, reloadRefused)
	}
	stages := histogram("parlance_stage_seconds", "Time spent by stage; statements of one request run side by side.", stageBuckets, "stage")
	for i := range c.stages {
		c.stages[i] = stages.WithLabelValues(stage.Stage(i).String())
	}
	return c
}

// labels tell the requests apart that are counted together. Each has few values.
type labels struct{ way, tool, namespace, class string }

// series are what a request is counted in.
type series struct {
	requests, rows, bytes prometheus.Counter
	seconds               prometheus.Observer
}

func (c *counts) of(l labels) *series {
	c.mu.RLock()
	s := c.found[l]
	c.mu.RUnlock()
	if s != nil {
		return s
	}
	s = &series{
		requests: c.requests.WithLabelValues(l.way, l.tool, l.namespace, l.class),
		rows:     c.rows.WithLabelValues(l.way),
		bytes:    c.bytes.WithLabelValues(l.way),
		seconds:  c.seconds.WithLabelValues(l.way),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[l] = s
	return s
}

// add counts a request that was answered.
func (c *counts) add(s Served, seconds float64) {
	word := classOf(s)
	in := c.of(labels{s.Interface, c.tools.label(s.Tool), c.namespace(s), word})
	in.requests.Inc()
	in.seconds.Observe(seconds)
	in.rows.Add(float64(s.Rows))
	in.bytes.Add(float64(s.Bytes))
	if word != s.Outcome {
		c.refusals.WithLabelValues(c.reasons.label(s.Outcome)).Inc()
	}
}

// namespace is that of a request, as far as there is one of that name.
func (c *counts) namespace(s Served) string {
	name := cmp.Or(s.Namespace, c.ownNamespace)
	if !slices.Contains(c.namespaces, name) {
		return other
	}
	return name
}

// How reading the files of a namespace ends.
const (
	reloadOK      = "ok"
	reloadRefused = "refused"
)

// Reloaded counts that the files of a namespace were read; with mistakes in them nothing changes.
func (t *Telemetry) Reloaded(namespace string, ok bool) {
	outcome := reloadOK
	if !ok {
		outcome = reloadRefused
	}
	t.counts.reloads.WithLabelValues(namespace, outcome).Inc()
}

// classOf sorts outcomes: ok, clarify, cancelled, refused (the caller's to mend) or failed (ours).
func classOf(s Served) string {
	switch {
	case s.Outcome == "ok", s.Outcome == "clarify", s.Outcome == "cancelled":
		return s.Outcome
	case s.Code == 0, s.Code < http.StatusInternalServerError:
		return "refused"
	}
	return "failed"
}

// other stands for every value of a label beyond those that are told apart.
const other = "other"

// known bounds the values of a label.
type known struct {
	mu   sync.RWMutex
	most int
	seen map[string]bool
}

func newKnown(most int) *known { return &known{most: most, seen: map[string]bool{}} }

func (k *known) label(value string) string {
	k.mu.RLock()
	ok := k.seen[value]
	k.mu.RUnlock()
	if ok {
		return value
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.seen[value] && len(k.seen) >= k.most {
		return other
	}
	k.seen[value] = true
	return value
}
