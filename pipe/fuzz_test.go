package pipe

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
)

// FuzzRequest sends any request with any data: it is answered, and never by a
// panic.
func FuzzRequest(f *testing.F) {
	f.Add(`{"op":"hello"}`, []byte{})
	f.Add(`{"op":"distances","args":{"mode":"self","queries":{"smiles":["CCO","CCN"]},"map":true}}`, []byte{})
	f.Add(`{"op":"expand","args":{"graphs":{"nodes":["a"],"edges":["b"]}},"arrays":[{"name":"graphs.kinds","type":"u1","shape":[1]},
		{"name":"graphs.sizes","type":"i4","shape":[1,3]},{"name":"graphs.labels","type":"i4","shape":[2]},
		{"name":"graphs.ends","type":"i4","shape":[1,2]},{"name":"graphs.edges","type":"i4","shape":[1]}]}`,
		[]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+
			"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add(`{"op":"matched","args":{"nodes":[2,1],"all":true},"arrays":[{"name":"query.ends","type":"i4","shape":[1,2]},
		{"name":"target.ends","type":"i4","shape":[0,2]},{"name":"node.delete","type":"f8","shape":[2]}]}`, make([]byte, 24))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		if strings.Contains(text, `"read"`) || strings.Contains(text, "collection") || strings.Contains(text, "model") || len(text) > 2000 {
			t.Skip("files, and what takes long")
		}
		s := &server{opt: Options{Workers: 1}, out: &frameWriter{w: io.Discard}}
		s.handlers = s.operations()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a, err := s.handle(ctx, frame{text: []byte(text), data: data})
		if err != nil {
			if describe(err).Code == "internal" {
				t.Errorf("%s: %v", text, err)
			}
			return
		}
		if _, err := json.Marshal(a.result); err != nil {
			t.Errorf("%s: the answer: %v", text, err)
		}
		if _, err := cutArrays(a.list, a.data); err != nil {
			t.Errorf("%s: the answer: %v", text, err)
		}
	})
}
