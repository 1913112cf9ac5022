// Package otlp sends spans of OpenTelemetry to a collector by OTLP, as protobuf over HTTP.
// OpenTelemetry's own client links gRPC, 3 MB of program.
package otlp

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// retryFor is how long spans are sent again that the collector does not take for now.
const retryFor = time.Minute

// client sends spans.
type client struct {
	url     string
	header  http.Header
	zipped  bool
	timeout time.Duration
	http    *http.Client
}

// New returns an exporter that is set by the standard variables OTEL_EXPORTER_OTLP_… and
// OTEL_EXPORTER_OTLP_TRACES_…, of which the second count more: ENDPOINT, HEADERS, TIMEOUT,
// COMPRESSION, CERTIFICATE, CLIENT_CERTIFICATE and CLIENT_KEY. An error names the variable.
func New() (*otlptrace.Exporter, error) {
	e := &client{header: http.Header{"Content-Type": {"application/x-protobuf"}}, timeout: 10 * time.Second}
	e.url = os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if e.url == "" {
		e.url = strings.TrimSuffix(cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "http://localhost:4318"), "/") + "/v1/traces"
	}
	if u, err := url.Parse(e.url); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_ENDPOINT: %q is not a web address", e.url)
	}
	for pair := range strings.SplitSeq(variable("HEADERS"), ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, text, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(text))
		if !ok || err != nil {
			return nil, errors.New("otlp: OTEL_EXPORTER_OTLP_HEADERS: want name=value,name=value") // values are secrets
		}
		e.header.Set(strings.TrimSpace(name), value)
	}
	if text := variable("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms <= 0 {
			return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_TIMEOUT: %q is not a number of milliseconds", text)
		}
		e.timeout = time.Duration(ms) * time.Millisecond
	}
	switch c := variable("COMPRESSION"); c {
	case "gzip":
		e.zipped = true
		e.header.Set("Content-Encoding", "gzip")
	case "", "none":
	default:
		return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_COMPRESSION: %q is neither gzip nor none", c)
	}
	trust, err := trusted()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	e.http = &http.Client{Transport: transport}
	return otlptrace.NewUnstarted(e), nil
}

// variable returns the value of a variable for traces, or else for all signals.
func variable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// trusted returns the certificates of the collector and of this client, nil for those of
// the system.
func trusted() (*tls.Config, error) {
	var c tls.Config
	if file := variable("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_CERTIFICATE: %s has no certificate", file)
		}
	}
	cert, key := variable("CLIENT_CERTIFICATE"), variable("CLIENT_KEY")
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("otlp: OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and _KEY: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return &c, nil
}

// UploadTraces implements [otlptrace.Client]. It sends again what the collector does not take
// for now, for a minute or until the context ends.
func (e *client) UploadTraces(ctx context.Context, spans []*trace.ResourceSpans) error {
	// On the wire it is an ExportTraceServiceRequest, whose package needs gRPC.
	body, err := proto.Marshal(&trace.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if e.zipped {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body) // to memory
		_ = z.Close()
		body = b.Bytes()
	}
	ctx, cancel := context.WithTimeout(ctx, retryFor)
	defer cancel()
	for wait := time.Second; ; wait *= 2 {
		after, err := e.send(ctx, body)
		if after < 0 || err == nil {
			return err
		}
		select {
		case <-time.After(max(wait, after)):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	}
}

// send sends once. If it makes sense to send again, it returns after how long at least,
// else a negative time.
func (e *client) send(ctx context.Context, body []byte) (after time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return -1, err
	}
	r.Header = e.header.Clone()
	answer, err := e.http.Do(r)
	if err != nil {
		return -1, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
	if err != nil {
		return -1, err
	}
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return -1, rejected(text)
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 where it is a date or missing
		return time.Duration(max(0, seconds)) * time.Second, fmt.Errorf("%s: %s", e.url, answer.Status)
	}
	return -1, fmt.Errorf("%s: %s", e.url, answer.Status)
}

// rejected returns an error if an ExportTraceServiceResponse says that the collector has
// taken only some of the spans: its field 1 then has how many, and 2 why.
func rejected(response []byte) error {
	success, _ := protowire.ConsumeBytes(field(response, 1))
	spans, _ := protowire.ConsumeVarint(field(success, 1))
	if success == nil || spans == 0 {
		return nil
	}
	why, _ := protowire.ConsumeBytes(field(success, 2))
	return fmt.Errorf("the collector has rejected %d spans: %s", spans, why)
}

// field returns a field of a message as it is written, nil if it has none up to where it is
// not well formed.
func field(m []byte, wanted protowire.Number) []byte {
	for len(m) > 0 {
		number, kind, n := protowire.ConsumeTag(m)
		if n < 0 {
			return nil
		}
		length := protowire.ConsumeFieldValue(number, kind, m[n:])
		if length < 0 || number == wanted {
			return m[n : n+max(0, length)]
		}
		m = m[n+length:]
	}
	return nil
}

// Start implements [otlptrace.Client]. Connections are opened when there are spans.
func (e *client) Start(context.Context) error { return nil }

// Stop implements [otlptrace.Client].
func (e *client) Stop(context.Context) error {
	e.http.CloseIdleConnections()
	return nil
}
