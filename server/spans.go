package server

import (
	"context"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"

	greed "github.com/greedgraph/greed"
)

// tracing makes spans of requests and of what they wait for. Without a provider it
// does nothing.
type tracing struct{ tracer oteltrace.Tracer }

func newTracing(from oteltrace.TracerProvider) tracing {
	if from == nil {
		return tracing{}
	}
	return tracing{from.Tracer("github.com/greedgraph/greed/server")}
}

// request begins the span of a request, in the trace that its client names by the
// header traceparent.
func (t tracing) request(r *http.Request) *http.Request {
	if t.tracer == nil {
		return r
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, _ = t.tracer.Start(ctx, r.Method, oteltrace.WithSpanKind(oteltrace.SpanKindServer))
	return r.WithContext(ctx)
}

// answered ends the span of a request. It has the route, and nothing of the request.
func (t tracing) answered(r *http.Request, id, route string, status int, reason error) {
	if t.tracer == nil {
		return
	}
	span := oteltrace.SpanFromContext(r.Context())
	span.SetName(route)
	if _, path, ok := strings.Cut(route, " "); ok {
		span.SetAttributes(attribute.String("http.route", path))
	}
	span.SetAttributes(
		attribute.String("http.request.method", r.Method),
		attribute.Int("http.response.status_code", status), attribute.String("greed.request", id),
	)
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
		if reason != nil {
			span.RecordError(reason)
		}
	}
	span.End()
}

// part begins the span of a part of a request.
func (t tracing) part(ctx context.Context, name string) (context.Context, func()) {
	if t.tracer == nil {
		return ctx, func() {}
	}
	ctx, span := t.tracer.Start(ctx, name)
	return ctx, func() { span.End() }
}

// found records the result of a search in the current span.
func (t tracing) found(ctx context.Context, f *greed.Found, answers int) {
	if t.tracer == nil {
		return
	}
	oteltrace.SpanFromContext(ctx).SetAttributes(
		attribute.String("greed.mode", f.Mode.String()), attribute.String("greed.status", string(f.Status)),
		attribute.Int("greed.answers", answers), attribute.Int("greed.solved", f.Stats.Solved),
		attribute.Float64("greed.embed.seconds", f.Seconds.Embed), attribute.Float64("greed.scan.seconds", f.Seconds.Scan), attribute.Float64("greed.check.seconds", f.Seconds.Check),
	)
}

// traceID returns the id of the trace that a request belongs to, "" if there is none.
func traceID(ctx context.Context) string {
	if in := oteltrace.SpanContextFromContext(ctx); in.HasTraceID() {
		return in.TraceID().String()
	}
	return ""
}
