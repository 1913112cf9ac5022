package otlp

import (
	"math"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// The numbers of fields are those of opentelemetry/proto/trace/v1/trace.proto and the
// files that it imports. Fields of the value 0 are left out, as protobuf does.

// encode returns an ExportTraceServiceRequest.
func encode(spans []sdktrace.ReadOnlySpan) []byte {
	type origin struct {
		resource attribute.Distinct
		name     string
		version  string
	}
	var order []origin
	from := make(map[origin][]sdktrace.ReadOnlySpan)
	for _, s := range spans {
		o := origin{s.Resource().Equivalent(), s.InstrumentationScope().Name, s.InstrumentationScope().Version}
		if from[o] == nil {
			order = append(order, o)
		}
		from[o] = append(from[o], s)
	}
	var request message
	for _, o := range order {
		var resource, scope, scoped, all message
		for _, a := range from[o][0].Resource().Attributes() {
			resource.attribute(1, a)
		}
		scope.text(1, o.name)
		scope.text(2, o.version)
		scoped.bytes(1, scope)
		for _, s := range from[o] {
			scoped.bytes(2, span(s))
		}
		all.bytes(1, resource)
		all.bytes(2, scoped)
		request.bytes(1, all)
	}
	return request
}

func span(s sdktrace.ReadOnlySpan) (m message) {
	context := s.SpanContext()
	id, self := context.TraceID(), context.SpanID()
	m.bytes(1, id[:])
	m.bytes(2, self[:])
	m.text(3, context.TraceState().String())
	if parent := s.Parent().SpanID(); parent.IsValid() {
		m.bytes(4, parent[:])
	}
	m.text(5, s.Name())
	m.number(6, uint64(s.SpanKind()))
	m.fixed64(7, uint64(s.StartTime().UnixNano()))
	m.fixed64(8, uint64(s.EndTime().UnixNano()))
	for _, a := range s.Attributes() {
		m.attribute(9, a)
	}
	m.number(10, uint64(s.DroppedAttributes()))
	for _, e := range s.Events() {
		var event message
		event.fixed64(1, uint64(e.Time.UnixNano()))
		event.text(2, e.Name)
		for _, a := range e.Attributes {
			event.attribute(3, a)
		}
		event.number(4, uint64(e.DroppedAttributeCount))
		m.bytes(11, event)
	}
	m.number(12, uint64(s.DroppedEvents()))
	for _, l := range s.Links() {
		var link message
		id, other := l.SpanContext.TraceID(), l.SpanContext.SpanID()
		link.bytes(1, id[:])
		link.bytes(2, other[:])
		link.text(3, l.SpanContext.TraceState().String())
		for _, a := range l.Attributes {
			link.attribute(4, a)
		}
		link.number(5, uint64(l.DroppedAttributeCount))
		link.fixed32(6, flags(l.SpanContext))
		m.bytes(13, link)
	}
	m.number(14, uint64(s.DroppedLinks()))
	var status message
	status.text(2, s.Status().Description)
	switch s.Status().Code { // the SDK numbers them in another order
	case codes.Ok:
		status.number(3, 1)
	case codes.Error:
		status.number(3, 2)
	}
	m.bytes(15, status)
	m.fixed32(16, uint32(context.TraceFlags())|remote(s.Parent()))
	return m
}

// flags are those of a context and of where it comes from.
func flags(c oteltrace.SpanContext) uint32 { return uint32(c.TraceFlags()) | remote(c) }

// remote says that it is known whether a context is of another process, and whether.
func remote(c oteltrace.SpanContext) uint32 {
	const known, is = 1 << 8, 1 << 9
	if c.IsRemote() {
		return known | is
	}
	return known
}

// message is an encoded message of protobuf.
type message []byte

func (m *message) bytes(field protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
}

func (m *message) text(field protowire.Number, s string) {
	if s != "" {
		m.bytes(field, []byte(s))
	}
}

func (m *message) number(field protowire.Number, x uint64) {
	if x != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), x)
	}
}

func (m *message) fixed64(field protowire.Number, x uint64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), x)
}

func (m *message) fixed32(field protowire.Number, x uint32) {
	*m = protowire.AppendFixed32(protowire.AppendTag(*m, field, protowire.Fixed32Type), x)
}

func (m *message) attribute(field protowire.Number, a attribute.KeyValue) {
	var pair message
	pair.text(1, string(a.Key))
	pair.bytes(2, value(a.Value))
	m.bytes(field, pair)
}

// value is an AnyValue. Its fields are of a oneof, so that 0 is written, too.
func value(v attribute.Value) (m message) {
	varint := func(field protowire.Number, x uint64) {
		m = protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), x)
	}
	switch v.Type() {
	case attribute.BOOL:
		varint(2, protowire.EncodeBool(v.AsBool()))
	case attribute.INT64:
		varint(3, uint64(v.AsInt64()))
	case attribute.FLOAT64:
		m.fixed64(4, math.Float64bits(v.AsFloat64()))
	case attribute.STRING:
		m.bytes(1, []byte(v.AsString()))
	case attribute.STRINGSLICE:
		var list message
		for _, s := range v.AsStringSlice() {
			list.bytes(1, value(attribute.StringValue(s)))
		}
		m.bytes(5, list)
	default: // the service has no others; the SDK and the environment neither
		m.bytes(1, []byte(v.String()))
	}
	return m
}
