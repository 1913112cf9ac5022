package main

import (
	"log/slog"
	"strings"
	"testing"
)

func TestTracesWanted(t *testing.T) {
	for _, name := range []string{"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		t.Setenv(name, "")
	}
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318"
	for _, c := range []struct {
		set     []string
		wanted  bool
		refused bool
	}{
		{},
		{set: []string{endpoint}, wanted: true},
		{set: []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://localhost:4318/v1/traces"}, wanted: true},
		{set: []string{"OTEL_TRACES_EXPORTER=otlp"}, wanted: true},
		{set: []string{endpoint, "OTEL_SDK_DISABLED=TRUE"}},
		{set: []string{endpoint, "OTEL_TRACES_EXPORTER=none"}},
		{set: []string{endpoint, "OTEL_TRACES_EXPORTER=zipkin"}, refused: true},
		{set: []string{endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, refused: true},
		{set: []string{endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf"}, wanted: true},
		{set: []string{"OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}},
	} {
		t.Run("", func(t *testing.T) {
			for _, pair := range c.set {
				name, value, _ := strings.Cut(pair, "=")
				t.Setenv(name, value)
			}
			wanted, err := tracesWanted()
			if wanted != c.wanted || (err != nil) != c.refused {
				t.Errorf("%q: %v, %v", c.set, wanted, err)
			}
			if !c.wanted && !c.refused {
				if to, flush, err := traces(t.Context(), slog.New(slog.DiscardHandler)); to != nil || flush == nil || err != nil {
					t.Errorf("%q: %v, %v", c.set, to, err)
				}
			}
		})
	}
}
