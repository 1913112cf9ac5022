package server

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// requestIDHeader carries the id of a request, which its log line has.
const requestIDHeader = "X-Request-Id"

// traceParent is the form of the header traceparent of W3C's Trace Context. Later versions may add to it.
var traceParent = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)

// tracedBy returns the trace that a header traceparent names, or "" if it is not valid.
func tracedBy(header string) string {
	m := traceParent.FindStringSubmatch(header)
	if m == nil || m[1] == "ff" || m[1] == "00" && m[4] != "" || strings.Trim(m[2], "0") == "" ||
		strings.Trim(m[3], "0") == "" {
		return ""
	}
	return m[2]
}

// trace collects the log line of a request.
type trace struct {
	id         string
	client     string // its address, without the port
	reason     error  // why it failed
	route      route
	body       []byte // as it was received and unpacked
	understood func() // gives back the permit at the gate
	account    *account
}

// traceOf returns the trace of a request, which observe has made.
func traceOf(ctx context.Context) *trace { return ctx.Value(traceKey{}).(*trace) }

type traceKey struct{}

// note records the reason of a failure for the log.
func (s *Server) note(r *http.Request, err error) {
	traceOf(r.Context()).reason = err
}

// reject answers with a problem, and records the reason.
func (s *Server) reject(w http.ResponseWriter, r *http.Request, err error) {
	s.note(r, err)
	writeProblem(w, err)
}

// observe gives each request an id, counts it, and logs route, status and times, never
// the request. It answers if a handler panics.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		defer s.flights.begin()()
		t := &trace{id: rand.Text(), client: r.RemoteAddr, understood: func() {}}
		if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
			t.client = host
		}
		r = r.WithContext(context.WithValue(r.Context(), traceKey{}, t))
		w.Header().Set(requestIDHeader, t.id)
		rec := &recorder{ResponseWriter: w, trace: t}
		defer func() {
			p := recover()
			defer func() {
				s.finish(r, rec, t, time.Since(begin))
				if p == http.ErrAbortHandler {
					panic(p)
				}
			}()
			if p != nil && p != http.ErrAbortHandler {
				s.opt.Log.Error("panic", "request", t.id, "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					writeProblem(rec, problem(http.StatusInternalServerError,
						"the service failed; its log has the reason under the request's id"))
				} else {
					p = http.ErrAbortHandler // part of a response must not look like all of it
				}
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

func (s *Server) finish(r *http.Request, rec *recorder, t *trace, took time.Duration) {
	route := t.route.pattern
	if route == "" {
		route = "none" // else anyone could make as many routes as they like
	}
	status := rec.status
	if status == 0 {
		status = http.StatusOK
	}
	s.metrics.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	s.metrics.latency.WithLabelValues(route).Observe(took.Seconds())
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelWarn
	}
	if !s.opt.Log.Enabled(r.Context(), level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request", t.id), slog.String("method", r.Method), slog.String("route", route),
		slog.Int("status", status), slog.Duration("took", took), slog.Int64("bytes", rec.bytes),
	}
	if trace := tracedBy(r.Header.Get("Traceparent")); trace != "" {
		attributes = append(attributes, slog.String("trace", trace))
	}
	if f, ok := errors.AsType[*fault](t.reason); ok {
		attributes = append(attributes, slog.Any("error", f.reason))
	}
	s.opt.Log.LogAttrs(r.Context(), level, "request", attributes...)
}

// recorder records the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	trace  *trace
	status int
	bytes  int64
}

// begin is called when the answer begins. The request gives back its permit, and from
// now on the client must take the answer in time. Until then the solver may have needed
// any time.
func (r *recorder) begin(status int) {
	if r.status == 0 {
		r.status = status
		r.trace.understood()
		_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now().Add(writeTime))
	}
}

func (r *recorder) WriteHeader(status int) {
	r.begin(status)
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.begin(http.StatusOK)
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// Flush sends what was written, for writers that pack.
func (r *recorder) Flush() { _ = r.FlushError() }

// FlushError sends what was written.
func (r *recorder) FlushError() error {
	r.begin(http.StatusOK)
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// Unwrap gives http.ResponseController what it needs.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
