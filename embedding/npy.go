package embedding

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	npyMagic = "\x93NUMPY"
	npyAlign = 64
	// maxHeader bounds what a damaged length can make a reader allocate.
	maxHeader = 1 << 20
)

// WriteNPY writes vectors, [n, dim], as a NumPy array of float32 (format 1.0).
// It panics if dim does not divide their number.
func WriteNPY(w io.Writer, vectors []float32, dim int) error {
	if dim < 1 || len(vectors)%dim != 0 {
		panic(fmt.Sprintf("embedding: %d values cannot be divided into vectors of %d", len(vectors), dim))
	}
	text := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", len(vectors)/dim, dim)
	start := len(npyMagic) + 4
	text += strings.Repeat(" ", -(start+len(text)+1)&(npyAlign-1)) + "\n"
	b := bufio.NewWriter(w)
	b.WriteString(npyMagic + "\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(text))))
	b.WriteString(text)
	for _, x := range vectors {
		b.Write(binary.LittleEndian.AppendUint32(b.AvailableBuffer(), math.Float32bits(x)))
	}
	return b.Flush()
}

// ReadNPY reads a two-dimensional NumPy array of float32 or float64, in C or
// Fortran order, and returns it as [n, dim], row-major. Values of float64 are
// rounded; those that are beyond float32 become infinite, which indexes refuse.
// All other arrays are errors.
func ReadNPY(r io.Reader) (vectors []float32, dim int, err error) {
	b := bufio.NewReader(r)
	text, err := npyHeader(b)
	if err != nil {
		return nil, 0, fmt.Errorf("embedding: npy: %w", err)
	}
	h, err := parseNPYHeader(text)
	if err != nil {
		return nil, 0, fmt.Errorf("embedding: npy: header %q: %w", text, err)
	}
	total := h.rows * h.cols
	// The array grows as it is read: the header may claim anything.
	flat := make([]float32, 0, min(total, 1<<16))
	value := make([]byte, h.size)
	for range total {
		if _, err := io.ReadFull(b, value); err != nil {
			return nil, 0, fmt.Errorf("embedding: npy: %d of %d values: %w", len(flat), total, err)
		}
		x := float64(0)
		if h.size == 4 {
			x = float64(math.Float32frombits(binary.LittleEndian.Uint32(value)))
		} else {
			x = math.Float64frombits(binary.LittleEndian.Uint64(value))
		}
		flat = append(flat, float32(x))
	}
	if !h.fortran {
		return flat, h.cols, nil
	}
	vectors = make([]float32, total)
	for i, x := range flat {
		vectors[i%h.rows*h.cols+i/h.rows] = x
	}
	return vectors, h.cols, nil
}

// npyHeader returns the text that describes the array.
func npyHeader(r io.Reader) (string, error) {
	var start [len(npyMagic) + 2]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(npyMagic)]) != npyMagic {
		return "", fmt.Errorf("not a NumPy array file")
	}
	length := make([]byte, 4)
	switch version := start[len(npyMagic)]; version {
	case 1:
		length = length[:2]
	case 2, 3:
	default:
		return "", fmt.Errorf("format version %d, want 1 to 3", version)
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return "", err
	}
	n := uint32(binary.LittleEndian.Uint16(length))
	if len(length) == 4 {
		n = binary.LittleEndian.Uint32(length)
	}
	if n > maxHeader {
		return "", fmt.Errorf("header of %d bytes", n)
	}
	text := make([]byte, n)
	_, err := io.ReadFull(r, text)
	return string(text), err
}

type npyArray struct {
	size       int // of a value, in bytes
	fortran    bool
	rows, cols int
}

func parseNPYHeader(text string) (npyArray, error) {
	field := func(name, value string) string {
		m := regexp.MustCompile(`'` + name + `'\s*:\s*` + value).FindStringSubmatch(text)
		if m == nil {
			return ""
		}
		return m[1]
	}
	var h npyArray
	switch descr := field("descr", `'([^']*)'`); descr {
	case "<f4":
		h.size = 4
	case "<f8":
		h.size = 8
	default:
		return h, fmt.Errorf("values of type %q, want <f4 or <f8", descr)
	}
	switch order := field("fortran_order", `(True|False)`); order {
	case "True":
		h.fortran = true
	case "False":
	default:
		return h, fmt.Errorf("no fortran_order")
	}
	shape := regexp.MustCompile(`^(\d+)\s*,\s*(\d+)\s*,?\s*$`).FindStringSubmatch(field("shape", `\(([^)]*)\)`))
	if shape == nil {
		return h, fmt.Errorf("shape is not that of vectors, (n, dim)")
	}
	var err error
	if h.rows, err = strconv.Atoi(shape[1]); err != nil {
		return h, err
	}
	if h.cols, err = strconv.Atoi(shape[2]); err != nil {
		return h, err
	}
	if h.cols < 1 || h.rows > math.MaxInt/h.cols/8 {
		return h, fmt.Errorf("shape is not that of vectors, (n, dim)")
	}
	return h, nil
}
