package server

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	greed "github.com/greedgraph/greed"
)

// metrics are what Prometheus reads.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	stages   map[string]prometheus.Observer
	solved   prometheus.Counter
}

// stages of a search, in their order: reading the query, waiting for room,
// embedding, the vectors, the exact solver.
var stages = []string{"parse", "wait", "embed", "scan", "check"}

func newMetrics() *metrics {
	buckets := prometheus.ExponentialBuckets(25e-6, 2, 22) // to 52 s
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "greed_requests_total",
			Help: "Requests by route and status."}, []string{"route", "status"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "greed_request_seconds",
			Help: "Time of requests by route.", Buckets: buckets}, []string{"route"}),
		stages: make(map[string]prometheus.Observer),
		solved: prometheus.NewCounter(prometheus.CounterOpts{Name: "greed_solved_pairs_total",
			Help: "Pairs of graphs that the exact solver worked on."}),
	}
	byStage := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "greed_stage_seconds",
		Help: "Time of the stages of searches.", Buckets: buckets}, []string{"stage"})
	for _, name := range stages {
		m.stages[name] = byStage.WithLabelValues(name)
	}
	m.registry.MustRegister(m.requests, m.latency, byStage, m.solved, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// watch adds metrics that are read from the service when Prometheus scrapes.
func (m *metrics) watch(s *Server) {
	gates := map[string]*gate{"plain": s.plain, "changes": s.changes, "solver": s.solver}
	for name, sh := range s.catalog.Load().by {
		gates["write "+name] = sh.writers
	}
	for name, g := range gates {
		label := prometheus.Labels{"work": name}
		m.registry.MustRegister(
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "greed_waiting", Help: "Requests waiting for a permit.",
				ConstLabels: label}, func() float64 {
				_, waiting := g.crowd()
				return float64(waiting)
			}),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "greed_running", Help: "Requests in progress.",
				ConstLabels: label}, func() float64 {
				inside, _ := g.crowd()
				return float64(inside)
			}),
			prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "greed_refused_total",
				Help: "Requests refused because the service was busy.", ConstLabels: label},
				func() float64 { return float64(g.refused.Load()) }),
		)
	}
	m.registry.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "greed_body_bytes",
			Help: "Bytes of request bodies in memory."},
			func() float64 { return float64(s.intake.held.Load()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "greed_answer_bytes",
			Help: "Bytes of answers that clients are receiving."},
			func() float64 { return float64(s.responses.bytes()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "greed_stragglers",
			Help: "Work of the exact solver that continues after its client has left."},
			func() float64 { return float64(s.stragglers.Load()) }))
	byCollection := []string{"collection"}
	m.registry.MustRegister(collections{
		s,
		prometheus.NewDesc("greed_graphs", "Graphs of a collection.", byCollection, nil),
		prometheus.NewDesc("greed_unreadable", "1 if what another process has changed of a collection cannot be read.",
			byCollection, nil),
	})
}

// collections are the metrics of the collections.
type collections struct {
	s                  *Server
	graphs, unreadable *prometheus.Desc
}

// Describe implements [prometheus.Collector].
func (c collections) Describe(to chan<- *prometheus.Desc) {
	to <- c.graphs
	to <- c.unreadable
}

// Collect implements [prometheus.Collector].
func (c collections) Collect(to chan<- prometheus.Metric) {
	for name, sh := range c.s.catalog.Load().by {
		unreadable := 0.0
		if sh.unreadable.text() != "" {
			unreadable = 1
		}
		to <- prometheus.MustNewConstMetric(c.graphs, prometheus.GaugeValue, float64(sh.Collection.Len()), name)
		to <- prometheus.MustNewConstMetric(c.unreadable, prometheus.GaugeValue, unreadable, name)
	}
}

func (m *metrics) stage(name string, took time.Duration) { m.stages[name].Observe(took.Seconds()) }

// searched records the times of a search.
func (m *metrics) searched(f *greed.Found) {
	if f.Model {
		m.stages["embed"].Observe(f.Seconds.Embed)
	}
	m.stages["scan"].Observe(f.Seconds.Scan)
	if f.Stats.Solved > 0 {
		m.stages["check"].Observe(f.Seconds.Check)
		m.solved.Add(float64(f.Stats.Solved))
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func (s *Server) registerHealth(mux *http.ServeMux) {
	s.handle(mux, "GET /livez", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "alive\n")
	}))
	s.handle(mux, "GET /readyz", forProbes, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.Load() {
			http.Error(w, "shutting down", http.StatusServiceUnavailable)
			return
		}
		now, lost := s.catalog.Load(), s.opt.Unopened
		for _, sh := range now.by {
			if sh.unreadable.text() != "" {
				lost++
			}
		}
		if lost > 0 {
			http.Error(w, fmt.Sprintf("%d of %d collections cannot be read", lost, len(now.names)+s.opt.Unopened),
				http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ready\n")
	}))
}

// lastError is the text of the last error of something that is tried again and again.
type lastError struct{ last atomic.Value }

// set keeps an error, or that there was none, and reports whether it is another than before.
func (e *lastError) set(err error) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	before, _ := e.last.Swap(text).(string)
	return text != before
}

// text returns the text of the error, and "" if there was none.
func (e *lastError) text() string {
	text, _ := e.last.Load().(string)
	return text
}
