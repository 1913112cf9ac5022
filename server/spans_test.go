package server_test

import (
	"fmt"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/greedgraph/greed/server"
)

// TestSpans: a request has a span in its client's trace, and the work on it one in
// that; the log names the trace, and nothing names what was asked.
func TestSpans(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
	s := start(t, func(o *server.Options) { o.Traces = provider })
	const id = "0af7651916cd43dd8448eb211c80319c"
	r := s.whole(t, "GET", "/v1/collections/mols/search?smiles=NCCCCS&k=1", "", "traceparent", "00-"+id+"-b7ad6b7169203331-01").want(t, 200)
	got := spans.GetSpans()
	names := make(map[string]tracetest.SpanStub)
	for _, span := range got {
		names[span.Name] = span
		if span.SpanContext.TraceID().String() != id {
			t.Errorf("%s is of trace %s", span.Name, span.SpanContext.TraceID())
		}
	}
	request, solve := names["GET /v1/collections/{name}/search"], names["solve"]
	if len(names) != 3 || request.Parent.SpanID().String() != "b7ad6b7169203331" || solve.Parent.SpanID() != request.SpanContext.SpanID() {
		t.Errorf("spans %v", got)
	}
	told := fmt.Sprint(got)
	for _, want := range []string{r.header.Get("X-Request-Id"), "greed.status", "proven", "http.route"} {
		if !strings.Contains(told, want) {
			t.Errorf("the spans do not tell %s: %s", want, told)
		}
	}
	if strings.Contains(told, "NCCCCS") || strings.Contains(told, "mols") {
		t.Errorf("the spans tell what was asked: %s", told)
	}
	if !strings.Contains(s.log.String(), `"trace":"`+id) {
		t.Errorf("the log does not name the trace: %s", s.log)
	}
	// What is refused has a span too, and paths that there are not share one name.
	spans.Reset()
	s.whole(t, "GET", "/v1/hidden", "").want(t, 404)
	if got := spans.GetSpans(); len(got) != 1 || got[0].Name != "none" || strings.Contains(fmt.Sprint(got), "hidden") {
		t.Errorf("spans %v", got)
	}
}

// TestNoSpans: without a provider, a client's trace is nothing to the service.
func TestNoSpans(t *testing.T) {
	s := start(t, nil)
	s.ask(t, "GET", "/v1/collections/mols/search?smiles=CCO&k=1", "", "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01").want(t, 200)
	if strings.Contains(s.log.String(), "trace") {
		t.Errorf("log %s", s.log)
	}
}
