package cliffs

import (
	"math"
	"testing"
)

// TestStudent compares quantiles with a published table.
func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{
		1: 12.706205, 2: 4.302653, 3: 3.182446, 4: 2.776445, 5: 2.570582, 10: 2.228139, 30: 2.042272, 100: 1.983972,
		200: 1.971896, 201: 1.971837, 1000: 1.962339,
	} {
		if got := student(freedom); math.Abs(got-want) > 1e-6 {
			t.Errorf("with %d degrees of freedom %.7f, want %.6f", freedom, got, want)
		}
	}
}
