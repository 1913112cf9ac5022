package kernel

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// TestView: aligned or not, the values are those written.
func TestView(t *testing.T) {
	for shift := range 9 {
		b := make([]byte, shift+40)[shift:]
		for i := range 10 {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(i)-2.5))
		}
		for i, x := range View[float32](b) {
			if x != float32(i)-2.5 {
				t.Errorf("shift %d, value %d: %v", shift, i, x)
			}
		}
		for i, x := range View[int64](b) {
			if x != int64(binary.LittleEndian.Uint64(b[8*i:])) {
				t.Errorf("shift %d, integer %d: %v", shift, i, x)
			}
		}
	}
	if View[float32](nil) != nil || Bytes[int32](nil) != nil {
		t.Error("values of nothing")
	}
}

// TestBytes: what Bytes gives, View reads.
func TestBytes(t *testing.T) {
	want := []int32{1, -2, math.MaxInt32}
	b := Bytes(want)
	if !bytes.Equal(b[:8], []byte{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}) {
		t.Errorf("bytes %x", b)
	}
	if got := View[int32](bytes.Clone(b)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestHuge: memory is what it was, however long and wherever it begins.
func TestHuge(t *testing.T) {
	for _, n := range []int{0, 1, 100_000, 2_000_000, 5_000_001} {
		values := make([]int32, n+3)[3:]
		Huge(values)
		for i := range values {
			values[i] = int32(i)
		}
		for i, x := range values {
			if x != int32(i) {
				t.Fatalf("value %d is %d", i, x)
			}
		}
	}
}

func TestOffset(t *testing.T) {
	whole := make([]byte, 100)
	for _, c := range []struct {
		part []byte
		want int
	}{{whole, 0}, {whole[7:9], 7}, {whole[:0], 0}, {make([]byte, 10), -1}, {whole[:cap(whole)], 0}} {
		if got := Offset(whole, c.part); got != c.want {
			t.Errorf("%d bytes lie at %d, want %d", len(c.part), got, c.want)
		}
	}
	if got := Offset(whole[10:50], whole[40:60]); got != -1 {
		t.Errorf("what goes beyond lies at %d", got)
	}
	if got := Offset(whole[10:50], whole[:20]); got != -1 {
		t.Errorf("what begins before lies at %d", got)
	}
}
