package kernel

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestFloat32s: aligned or not, the values are those written.
func TestFloat32s(t *testing.T) {
	for shift := range 5 {
		b := make([]byte, shift+40)[shift:]
		for i := range 10 {
			binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(i)-2.5))
		}
		for i, x := range Float32s(b) {
			if x != float32(i)-2.5 {
				t.Errorf("shift %d, value %d: %v", shift, i, x)
			}
		}
	}
	if Float32s(nil) != nil {
		t.Error("values of nothing")
	}
}
