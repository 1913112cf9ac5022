package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/greedgraph/greed/server/otlp"
)

// flushTime is how long the service waits at its end for the last spans to be sent.
const flushTime = 5 * time.Second

// tracesWanted reports whether the standard variables of OpenTelemetry ask for traces.
func tracesWanted() (bool, error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	endpoint := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	switch exporter := os.Getenv("OTEL_TRACES_EXPORTER"); {
	case exporter == "none", exporter == "" && endpoint == "":
		return false, nil
	case exporter != "" && exporter != "otlp":
		return false, usageError(fmt.Sprintf("OTEL_TRACES_EXPORTER=%s: want otlp, or none to send no traces", exporter))
	}
	if p := cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL")); p != "" && p != "http/protobuf" {
		return false, usageError(fmt.Sprintf("OTEL_EXPORTER_OTLP_PROTOCOL=%s: traces are sent by http/protobuf", p))
	}
	return true, nil
}

// traces returns what takes the spans of the service and sends them to where the
// standard variables of OpenTelemetry say, nil if they ask for none, and what sends
// the last of them.
func traces(ctx context.Context, log *slog.Logger) (to oteltrace.TracerProvider, flush func(), err error) {
	wanted, err := tracesWanted()
	if !wanted || err != nil {
		return nil, func() {}, err
	}
	exporter, err := otlp.New()
	if err != nil {
		return nil, nil, fmt.Errorf("traces: %w", err)
	}
	// What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say counts more.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "greed"), attribute.String("service.version", newVersion().Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are not sent", "error", err) }))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return provider, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("traces are not sent", "error", err)
		}
	}, nil
}
