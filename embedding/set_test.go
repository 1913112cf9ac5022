package embedding

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 2, 20} {
		s := example(n)
		path := filepath.Join(t.TempDir(), "x.vec")
		if err := s.Save(path); err != nil {
			t.Fatal(err)
		}
		got, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Model != s.Model || !got.Norm.Equal(s.Norm) || !slices.Equal(got.IDs, s.IDs) || !slices.Equal(got.Vectors, s.Vectors) {
			t.Errorf("got %+v, want %+v", got, s)
		}
	}
}

// TestFirstVersion reads the file kept from the first version of the format.
func TestFirstVersion(t *testing.T) {
	got, err := Load(filepath.Join("testdata", "v1.vec"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(example(3), got); diff != "" {
		t.Error(diff)
	}
}

func TestDamage(t *testing.T) {
	var b bytes.Buffer
	if err := example(4).Write(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for n := range whole {
		if _, err := Parse(whole[:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("first %d bytes: error %v", n, err)
		}
		bad := slices.Clone(whole)
		bad[n] ^= 0x10
		if _, err := Parse(bad); !errors.Is(err, ErrFormat) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d changed: error %v", n, err)
		}
	}
	newer := slices.Clone(whole)
	newer[8] = Version + 1
	if _, err := Parse(newer); !errors.Is(err, ErrVersion) {
		t.Errorf("newer version: error %v", err)
	}
}

func TestCheck(t *testing.T) {
	for name, spoil := range map[string]func(*Set){
		"nan":       func(s *Set) { s.Vectors[7] = float32(math.NaN()) },
		"infinite":  func(s *Set) { s.Vectors[7] = float32(math.Inf(-1)) },
		"duplicate": func(s *Set) { s.IDs[1] = s.IDs[0] },
		"missing":   func(s *Set) { s.Vectors = s.Vectors[1:] },
		"norm":      func(s *Set) { s.Norm.Kind = "l3" },
	} {
		s := example(3)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		spoil(s)
		if s.Check() == nil {
			t.Errorf("%s: no error", name)
		}
		if s.Save(filepath.Join(t.TempDir(), "x")) == nil {
			t.Errorf("%s: saved", name)
		}
	}
}

func TestAppendSet(t *testing.T) {
	s, other := example(2), example(0)
	other.Append("z", []float32{1, 2, 3, 4, 5})
	if err := s.AppendSet(other); err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 || s.Vector(2)[4] != 5 || s.Check() != nil {
		t.Errorf("got %+v", s)
	}
	other.Model = "else"
	if err := s.AppendSet(other); !errors.Is(err, ErrMismatch) {
		t.Errorf("another model: error %v", err)
	}
	other.Model = s.Model
	other.Norm.Hinge = false
	if err := s.AppendSet(other); !errors.Is(err, ErrMismatch) {
		t.Errorf("another norm: error %v", err)
	}
}

func TestNPY(t *testing.T) {
	vectors := []float32{1, -2, 3.5, 4, 5, 6}
	var b bytes.Buffer
	if err := WriteNPY(&b, vectors, 3); err != nil {
		t.Fatal(err)
	}
	if b.Len()%alignment != 24 { // 6 values after a header that is a multiple of 64
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

func FuzzParse(f *testing.F) {
	for _, n := range []int{0, 1, 3} {
		var b bytes.Buffer
		if err := example(n).Write(&b); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes()[:b.Len()-4])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		// A right checksum, so that the fuzzer gets past it.
		sum := crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli))
		s, err := Parse(binary.LittleEndian.AppendUint32(slices.Clone(body), sum))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Error(diff)
		}
	})
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

func TestLoadMissing(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
