package pipe

import (
	"context"
	"encoding/json"
	"log/slog"
)

// newLog returns a logger whose records go to the other side as frames.
func newLog(out *frameWriter) *slog.Logger { return slog.New(logHandler{out: out}) }

// logHandler sends records of level info and above to the other side.
type logHandler struct {
	out   *frameWriter
	attrs []slog.Attr
}

func (h logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelInfo }

func (h logHandler) Handle(_ context.Context, r slog.Record) error {
	fields := make(map[string]string)
	for _, a := range h.attrs {
		fields[a.Key] = a.Value.String()
	}
	r.Attrs(func(a slog.Attr) bool { fields[a.Key] = a.Value.String(); return true })
	text, err := json.Marshal(struct {
		Level   string            `json:"level"`
		Message string            `json:"message"`
		Fields  map[string]string `json:"fields,omitempty"`
	}{r.Level.String(), r.Message, fields})
	if err != nil {
		return err
	}
	return h.out.write(frame{kind: kindLog, text: text})
}

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.out, append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)}
}

func (h logHandler) WithGroup(string) slog.Handler { return h }
