package embedding

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/norm"
)

func example(n int) *Set {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	s := &Set{Model: "0123abcd", Norm: norm.Norm{Widths: []int{2, 3}, Kind: norm.L1, Combine: norm.Max, Hinge: true}}
	for i := range n {
		v := make([]float32, 5)
		for j := range v {
			v[j] = float32(rng.NormFloat64())
		}
		s.Append(string(rune('a'+i))+"-µ\n", v)
	}
	return s
}

// TestParquet: what was written is there, with the model and the norm.
func TestParquet(t *testing.T) {
	for _, n := range []int{0, 1, 20} {
		s := example(n)
		var b bytes.Buffer
		if err := s.WriteParquet(&b); err != nil {
			t.Fatal(err)
		}
		type row struct {
			ID     string    `parquet:"id"`
			Vector []float32 `parquet:"vector,list"`
		}
		rows, err := parquet.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		got := &Set{Norm: s.Norm}
		for _, r := range rows {
			got.Append(r.ID, r.Vector)
		}
		if !slices.Equal(got.IDs, s.IDs) || !slices.Equal(got.Vectors, s.Vectors) {
			t.Errorf("got %+v, want %+v", got, s)
		}
		file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var n norm.Norm
		if text, _ := file.Lookup("greed.norm"); json.Unmarshal([]byte(text), &n) != nil || !n.Equal(s.Norm) {
			t.Errorf("norm %s", text)
		}
		if model, _ := file.Lookup("greed.model"); model != s.Model {
			t.Errorf("model %s", model)
		}
	}
}

func TestNPY(t *testing.T) {
	vectors := []float32{1, -2, 3.5, 4, 5, 6}
	var b bytes.Buffer
	if err := WriteNPY(&b, vectors, 3); err != nil {
		t.Fatal(err)
	}
	if b.Len()%npyAlign != 24 { // 6 values after a header that is a multiple of 64
		t.Errorf("header of %d bytes", b.Len()-24)
	}
	got, dim, err := ReadNPY(&b)
	if err != nil || dim != 3 || !slices.Equal(got, vectors) {
		t.Errorf("got %v, %d, %v", got, dim, err)
	}
}

func TestNPYForms(t *testing.T) {
	file := func(version byte, header string, values ...float64) []byte {
		b := append([]byte(npyMagic), version, 0)
		if version == 1 {
			b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
		}
		b = append(b, header...)
		for _, x := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	got, dim, err := ReadNPY(bytes.NewReader(file(2, "{'shape': (2,2),'fortran_order':True, 'descr': '<f8'}\n", 1, 2, 3, 4)))
	if want := []float32{1, 3, 2, 4}; err != nil || dim != 2 || !slices.Equal(got, want) {
		t.Errorf("got %v, %d, %v, want %v", got, dim, err, want)
	}
	for name, bad := range map[string][]byte{
		"empty":     nil,
		"text":      []byte("1 2 3 4 5 6 7 8 9"),
		"version":   file(9, "{}"),
		"integers":  file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }", 1),
		"vector":    file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 1),
		"no width":  file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 0), }"),
		"too short": file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", 1),
		"too large": file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", 1),
		"order":     file(1, "{'descr': '<f8', 'shape': (1, 1), }", 1),
	} {
		if _, _, err := ReadNPY(bytes.NewReader(bad)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	var b bytes.Buffer
	if err := WriteNPY(&b, []float32{1, 2, 3, 4}, 2); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(npyMagic + "\x02\x00\x40\x00\x00\x00{'descr': '<f8', 'fortran_order': True, 'shape': (1, 1), }      12345678"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, dim, err := ReadNPY(bytes.NewReader(data))
		if err == nil && (dim < 1 || len(v)%dim != 0 || len(v) > len(data)) {
			t.Errorf("%d values of dimension %d from %d bytes", len(v), dim, len(data))
		}
	})
}
