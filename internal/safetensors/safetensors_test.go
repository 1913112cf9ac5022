package safetensors_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/greedgraph/greed/internal/safetensors"
)

func sample() safetensors.File {
	return safetensors.File{
		Tensors: []safetensors.Tensor{
			{Name: "weight", Shape: []int{2, 3}, Data: []float32{1, -2, 3, 0.5, float32(math.Inf(1)), 1e-30}},
			{Name: "bias", Shape: []int{3}, Data: []float32{7, 8, 9}},
			{Name: "empty", Shape: []int{0}, Data: []float32{}},
		},
		Metadata: map[string]string{"task": "ged", "note": "ü"},
	}
}

func TestRoundTrip(t *testing.T) {
	var buf bytes.Buffer
	if err := safetensors.Write(&buf, sample()); err != nil {
		t.Fatal(err)
	}
	got, err := safetensors.Parse(buf.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), got); diff != "" {
		t.Error(diff)
	}
}

func TestCutShort(t *testing.T) {
	var buf bytes.Buffer
	if err := safetensors.Write(&buf, sample()); err != nil {
		t.Fatal(err)
	}
	for n := range buf.Len() {
		if _, err := safetensors.Parse(buf.Bytes()[:n]); !errors.Is(err, safetensors.ErrFormat) {
			t.Fatalf("cut to %d of %d bytes: error %v", n, buf.Len(), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	var buf bytes.Buffer
	if err := safetensors.Write(&buf, sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := safetensors.Parse(data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := safetensors.Write(&again, file); err != nil {
			t.Fatal(err)
		}
		if _, err := safetensors.Parse(again.Bytes()); err != nil {
			t.Fatal(err)
		}
	})
}
