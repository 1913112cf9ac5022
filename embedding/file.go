package embedding

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/norm"
)

// The file of a set, numbers being little-endian:
//
//	offset  size
//	0       8      "greedvec"
//	8       4      version
//	12      4      length h of the header
//	16      h      header: JSON object with count, norm and model
//	16+h           for each id its length (uvarint) and its bytes
//	               zeros up to a multiple of 64
//	               vectors: float32 [count, dim], row-major
//	end−4   4      CRC-32C of all before

// Version is the version of the format written. History: 1, the first.
const Version = 1

const (
	magic     = "greedvec"
	alignment = 64
	// maxHeader and maxID bound what a damaged length can make a reader
	// allocate.
	maxHeader = 1 << 20
	maxID     = 1 << 20
)

// Errors that callers branch on.
var (
	// ErrFormat is wrapped where a file is not a whole set.
	ErrFormat = errors.New("not a greed embedding file")
	// ErrVersion is wrapped where a file is of a later version.
	ErrVersion = errors.New("embedding file of a newer version")
)

type header struct {
	Count int       `json:"count"`
	Norm  norm.Norm `json:"norm"`
	Model string    `json:"model,omitempty"`
}

// Save writes the set to a file, which is replaced whole or not at all.
func (s *Set) Save(path string) error { return atomicfile.Write(path, s.Write) }

// Write writes the set after checking it.
func (s *Set) Write(w io.Writer) error {
	if err := s.Check(); err != nil {
		return err
	}
	text, err := json.Marshal(header{len(s.IDs), s.Norm, s.Model})
	if err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	out := &summed{w: w, sum: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
	head := binary.LittleEndian.AppendUint32([]byte(magic), Version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	out.write(append(head, text...))
	for _, id := range s.IDs {
		if len(id) > maxID {
			return fmt.Errorf("embedding: id of %d bytes, want at most %d", len(id), maxID)
		}
		out.write(append(binary.AppendUvarint(nil, uint64(len(id))), id...))
	}
	out.write(make([]byte, padding(out.n)))
	buffer := make([]byte, 0, 1<<16)
	for i, x := range s.Vectors {
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(x))
		if len(buffer) == cap(buffer) || i == len(s.Vectors)-1 {
			out.write(buffer)
			buffer = buffer[:0]
		}
	}
	out.write(binary.LittleEndian.AppendUint32(nil, out.sum.Sum32()))
	return out.err
}

func padding(n int64) int64 { return -n & (alignment - 1) }

// summed writes, counts and hashes, up to the first error.
type summed struct {
	w   io.Writer
	sum hash.Hash32
	n   int64
	err error
}

func (s *summed) write(p []byte) {
	if s.err == nil {
		_, s.err = s.w.Write(p)
		s.sum.Write(p)
		s.n += int64(len(p))
	}
}

// Load reads a file written by [Set.Save]. Errors wrap [ErrFormat] or
// [ErrVersion].
func Load(path string) (*Set, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// Parse reads a set from the content of a file, which it copies.
func Parse(data []byte) (*Set, error) {
	const start = len(magic) + 8
	if len(data) < start+4 || string(data[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v > Version {
		return nil, fmt.Errorf("%w: %d, this program knows %d", ErrVersion, v, Version)
	} else if v < 1 {
		return nil, fmt.Errorf("%w: version %d", ErrFormat, v)
	}
	body := data[:len(data)-4]
	sum := crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli))
	if want := binary.LittleEndian.Uint32(data[len(body):]); sum != want {
		return nil, fmt.Errorf("%w: checksum %08x, want %08x: damaged or cut short", ErrFormat, sum, want)
	}
	length := binary.LittleEndian.Uint32(data[start-4:])
	if length > maxHeader || int(length) > len(body)-start {
		return nil, fmt.Errorf("%w: header of %d bytes", ErrFormat, length)
	}
	var h header
	if err := json.Unmarshal(body[start:start+int(length)], &h); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrFormat, err)
	}
	if err := h.Norm.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	s := &Set{Model: h.Model, Norm: h.Norm}
	if err := s.parseBody(h.Count, body, start+int(length)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return s, s.Check()
}

// parseBody reads ids and vectors from body, where the ids start at at.
func (s *Set) parseBody(count int, body []byte, at int) error {
	if count < 0 || count > len(body)-at { // an id takes a byte at least
		return fmt.Errorf("%d vectors in %d bytes", count, len(body)-at)
	}
	s.IDs = make([]string, count)
	for i := range s.IDs {
		n, size := binary.Uvarint(body[at:])
		if size <= 0 || n > maxID || int(n) > len(body)-at-size {
			return fmt.Errorf("id %d runs over the end", i)
		}
		at += size
		s.IDs[i] = string(body[at : at+int(n)])
		at += int(n)
	}
	at += int(padding(int64(at)))
	values := count * s.Norm.Dim()
	if len(body)-at != 4*values {
		return fmt.Errorf("%d bytes for %d vectors of %d", len(body)-at, count, s.Norm.Dim())
	}
	s.Vectors = make([]float32, values)
	for i := range s.Vectors {
		s.Vectors[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[at+4*i:]))
	}
	return nil
}
