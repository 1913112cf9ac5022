// Package safetensors reads and writes the safetensors format: eight bytes of
// header length (little endian), a JSON header with the shape, type and offsets
// of every tensor and free-text metadata, then the raw values.
//
// Only float32 tensors are supported.
package safetensors

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Tensor is a dense float32 array, row-major.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// File is the content of one file.
type File struct {
	Tensors  []Tensor
	Metadata map[string]string
}

// ErrFormat is wrapped by every error about content that is not a whole, valid
// file.
var ErrFormat = errors.New("not a valid safetensors file")

// ErrForeign is wrapped, with [ErrFormat], if the data do not begin as such files do.
var ErrForeign = errors.New("it does not begin with the length of a header, so it is a file of another kind")

const (
	metadataKey = "__metadata__"
	maxHeader   = 100 << 20 // what the reference implementation accepts
	alignment   = 8
)

type entry struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// Write writes f, tensors in the order given.
func Write(w io.Writer, f File) error {
	header := make(map[string]any, len(f.Tensors)+1)
	if len(f.Metadata) > 0 {
		header[metadataKey] = f.Metadata
	}
	at := 0
	for _, t := range f.Tensors {
		if size(t.Shape) != len(t.Data) {
			panic(fmt.Sprintf("safetensors: tensor %s of shape %v with %d values", t.Name, t.Shape, len(t.Data)))
		}
		end := at + 4*len(t.Data)
		header[t.Name] = entry{"F32", t.Shape, [2]int{at, end}}
		at = end
	}
	text, err := json.Marshal(header)
	if err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	for len(text)%alignment != 0 {
		text = append(text, ' ')
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(text)))); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	buf := make([]byte, 0, 64<<10)
	for _, t := range f.Tensors {
		for _, x := range t.Data {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(x))
			if len(buf) == cap(buf) {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
	}
	_, err = w.Write(buf)
	return err
}

// Parse reads a whole file. The tensors come in the order of their place in
// the file and own their data.
func Parse(data []byte) (File, error) {
	bad := func(format string, args ...any) (File, error) {
		return File{}, fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
	}
	if len(data) < 8 {
		return bad("%d bytes, the header's length alone takes 8", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	if n > maxHeader {
		return File{}, fmt.Errorf("%w: %w", ErrFormat, ErrForeign)
	}
	if n > uint64(len(data)-8) {
		return bad("the header should have %d bytes, the file has %d in all (cut short?)", n, len(data))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+n], &raw); err != nil {
		return bad("header: %v", err)
	}
	body := data[8+n:]
	var f File
	places := make(map[string]int)
	for name, text := range raw {
		if name == metadataKey {
			if err := json.Unmarshal(text, &f.Metadata); err != nil {
				return bad("metadata: %v", err)
			}
			continue
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			return bad("tensor %s: %v", name, err)
		}
		if e.Type != "F32" {
			return bad("tensor %s is of type %s, only F32 is supported", name, e.Type)
		}
		begin, end := e.Offsets[0], e.Offsets[1]
		if begin < 0 || end < begin || end > len(body) {
			return bad("tensor %s lies at bytes %d to %d, the file has %d (cut short?)", name, begin, end, len(body))
		}
		if want := size(e.Shape); want < 0 || want != (end-begin)/4 || (end-begin)%4 != 0 {
			return bad("tensor %s of shape %v takes %d bytes", name, e.Shape, end-begin)
		}
		values := make([]float32, (end-begin)/4)
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[begin+4*i:]))
		}
		places[name] = begin
		f.Tensors = append(f.Tensors, Tensor{name, e.Shape, values})
	}
	slices.SortFunc(f.Tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(places[a.Name], places[b.Name]), cmp.Compare(a.Name, b.Name))
	})
	return f, nil
}

// size returns the number of values of a shape, or -1 if it is not a shape.
func size(shape []int) int {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > math.MaxInt32/d {
			return -1
		}
		n *= d
	}
	return n
}
