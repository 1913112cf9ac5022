package otlp

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// unset clears the variables that the exporter reads.
func unset(t *testing.T) {
	for _, name := range []string{"ENDPOINT", "HEADERS", "TIMEOUT", "COMPRESSION", "CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"} {
		t.Setenv("OTEL_EXPORTER_OTLP_"+name, "")
		t.Setenv("OTEL_EXPORTER_OTLP_TRACES_"+name, "")
	}
}

// TestSpansArrive: what the published description of the format reads of a request is what
// the spans say.
func TestSpansArrive(t *testing.T) {
	unset(t)
	var got collector.ExportTraceServiceRequest
	var asked *http.Request
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, _ := io.ReadAll(z)
		if err := proto.Unmarshal(body, &got); err != nil {
			t.Error(err)
		}
	}))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", s.URL+"/")
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-one=1, x-two=a%20b")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "gzip")
	t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", file)
	e, err := New()
	if err != nil {
		t.Fatal(err)
	}
	about := resource.NewSchemaless(attribute.String("service.name", "greed"))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(e), sdktrace.WithResource(about))
	tracer := provider.Tracer("tests")
	remote := oteltrace.NewSpanContext(oteltrace.SpanContextConfig{TraceID: oteltrace.TraceID{1}, SpanID: oteltrace.SpanID{2}, TraceFlags: oteltrace.FlagsSampled, Remote: true})
	ctx, first := tracer.Start(oteltrace.ContextWithRemoteSpanContext(t.Context(), remote), "first",
		oteltrace.WithSpanKind(oteltrace.SpanKindServer), oteltrace.WithLinks(oteltrace.Link{SpanContext: remote, Attributes: []attribute.KeyValue{attribute.Bool("no", false)}}))
	first.SetAttributes(attribute.Int("zero", 0), attribute.Int("minus", -7), attribute.Float64("half", 0.5), attribute.Bool("yes", true), attribute.String("empty", ""), attribute.StringSlice("list", []string{"a", ""}))
	first.RecordError(errors.New("broken"))
	first.SetStatus(codes.Error, "bad")
	_, second := tracer.Start(ctx, "second")
	second.SetStatus(codes.Ok, "")
	second.End()
	first.End()
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}

	if asked.URL.Path != "/v1/traces" || asked.Header.Get("X-One") != "1" || asked.Header.Get("X-Two") != "a b" || asked.Header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("asked %s with %v", asked.URL, asked.Header)
	}
	if len(got.ResourceSpans) != 1 || len(got.ResourceSpans[0].ScopeSpans) != 1 || len(got.ResourceSpans[0].ScopeSpans[0].Spans) != 2 {
		t.Fatalf("%v", &got)
	}
	if len(got.ProtoReflect().GetUnknown()) > 0 {
		t.Error("fields that there are not")
	}
	if a := got.ResourceSpans[0].Resource.Attributes; len(a) != 1 || a[0].Key != "service.name" || a[0].Value.GetStringValue() != "greed" {
		t.Errorf("resource %v", a)
	}
	scoped := got.ResourceSpans[0].ScopeSpans[0]
	if scoped.Scope.Name != "tests" {
		t.Errorf("scope %v", scoped.Scope)
	}
	inner, outer := scoped.Spans[0], scoped.Spans[1]
	id := remote.TraceID()
	if string(outer.TraceId) != string(id[:]) || string(outer.ParentSpanId) != "\x02\x00\x00\x00\x00\x00\x00\x00" || string(inner.ParentSpanId) != string(outer.SpanId) {
		t.Errorf("ids of %v and %v", outer, inner)
	}
	if outer.Name != "first" || outer.Kind != trace.Span_SPAN_KIND_SERVER || inner.Kind != trace.Span_SPAN_KIND_INTERNAL ||
		outer.Flags != 0x301 || inner.Flags != 0x101 || outer.StartTimeUnixNano == 0 || outer.EndTimeUnixNano < outer.StartTimeUnixNano {
		t.Errorf("%v\n%v", outer, inner)
	}
	if outer.Status.Code != trace.Status_STATUS_CODE_ERROR || outer.Status.Message != "bad" || inner.Status.Code != trace.Status_STATUS_CODE_OK {
		t.Errorf("status %v, %v", outer.Status, inner.Status)
	}
	values := make(map[string]*common.AnyValue)
	for _, a := range outer.Attributes {
		values[a.Key] = a.Value
	}
	if v, ok := values["zero"].GetValue().(*common.AnyValue_IntValue); !ok || v.IntValue != 0 || values["minus"].GetIntValue() != -7 || values["half"].GetDoubleValue() != 0.5 || !values["yes"].GetBoolValue() {
		t.Errorf("attributes %v", values)
	}
	if v, ok := values["empty"].GetValue().(*common.AnyValue_StringValue); !ok || v.StringValue != "" || len(values["list"].GetArrayValue().GetValues()) != 2 {
		t.Errorf("attributes %v", values)
	}
	if len(outer.Events) != 1 || outer.Events[0].Name != "exception" || len(outer.Events[0].Attributes) != 2 || outer.Events[0].TimeUnixNano == 0 {
		t.Errorf("events %v", outer.Events)
	}
	if len(outer.Links) != 1 || outer.Links[0].Flags != 0x301 || string(outer.Links[0].TraceId) != string(id[:]) || len(outer.Links[0].Attributes) != 1 {
		t.Errorf("links %v", outer.Links)
	}
}

// TestAnswers: what is refused for now is sent again; what is refused for good, and what is
// taken in part, is an error.
func TestAnswers(t *testing.T) {
	unset(t)
	part, err := proto.Marshal(&collector.ExportTraceServiceResponse{PartialSuccess: &collector.ExportTracePartialSuccess{RejectedSpans: 3, ErrorMessage: "too old"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		codes []int
		body  []byte
		want  string // of the error
	}{
		"taken":       {codes: []int{200}},
		"again":       {codes: []int{503, 200}},
		"refused":     {codes: []int{400}, want: "400 Bad Request"},
		"part":        {codes: []int{200}, body: part, want: "rejected 3 spans: too old"},
		"no protobuf": {codes: []int{200}, body: []byte("hello")},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(c.codes[min(asked, len(c.codes)-1)])
				_, _ = w.Write(c.body)
				asked++
			}))
			defer s.Close()
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", s.URL+"/here")
			e, err := New()
			if err != nil {
				t.Fatal(err)
			}
			spans := &kept{}
			provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))
			_, span := provider.Tracer("").Start(t.Context(), "x")
			span.End()
			err = errors.Join(e.Start(t.Context()), e.ExportSpans(t.Context(), spans.list))
			if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) || asked != len(c.codes) {
				t.Errorf("asked %d times: %v", asked, err)
			}
		})
	}
}

// TestRefusedVariables: a variable that makes no sense is named, and no secret told.
func TestRefusedVariables(t *testing.T) {
	for name, value := range map[string]string{
		"ENDPOINT": "ftp://x", "HEADERS": "secret", "TIMEOUT": "1s", "COMPRESSION": "zstd", "CERTIFICATE": "nowhere", "CLIENT_CERTIFICATE": "nowhere",
	} {
		unset(t)
		t.Setenv("OTEL_EXPORTER_OTLP_"+name, value)
		if _, err := New(); err == nil || !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_"+name) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s=%s: %v", name, value, err)
		}
	}
}

// kept keeps spans.
type kept struct{ list []sdktrace.ReadOnlySpan }

func (k *kept) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	k.list = append(k.list, spans...)
	return nil
}

func (k *kept) Shutdown(context.Context) error { return nil }
