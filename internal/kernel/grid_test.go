package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGridScalar compares levels with each other, and generic with the
// definition.
func TestGridScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, pairs := range [][]int{{1}, {3}, {32}, {128}, {4, 4, 4, 4}, {1, 7, 2}} {
		n := 0
		for _, p := range pairs {
			n += 2 * p
		}
		for trial := range 40 {
			hinge, greatest := trial%2 == 0, trial/2%2 == 0
			padded := Pad(n)
			q, base := randomValues(rng, padded), randomValues(rng, padded)
			inverse := float32(1) / (0.001 + rng.Float32()/10)
			codes := make([]uint8, n*GridLane)
			for i := range codes {
				codes[i] = uint8(rng.Uint32())
			}
			if trial < 4 { // the greatest sums
				for i := range codes {
					codes[i] = 255
				}
				for i := range q {
					q[i] = base[i] - 1
				}
			}
			what := fmt.Sprintf("%v hinge=%t greatest=%t", pairs, hinge, greatest)
			var cell []uint8
			var rest []float32
			var dst [GridLane]float32
			offset := randomValues(rng, len(pairs))
			for _, level := range Levels() {
				c, r := make([]uint8, padded+2), make([]float32, padded+2)
				c[padded], r[padded] = 77, 77
				At(level).SnapToGrid(c[:padded], r[:padded], q, base, inverse, hinge)
				var d [GridLane]float32
				At(level).ScreenGrid(&d, c[:padded], codes, offset, pairs, 0.5, hinge, greatest)
				if level == Generic {
					cell, rest, dst = c, r, d
					continue
				}
				if !slices.Equal(c, cell) {
					t.Fatalf("%s: %v snaps to %v, want %v", what, level, c, cell)
				}
				sameBits(t, what, r, rest)
				sameBits(t, what, d[:], dst[:])
			}
			checkGrid(t, what, dst, cell, codes, offset, pairs, hinge, greatest)
		}
	}
}

func checkGrid(t *testing.T, what string, got [GridLane]float32, cell, codes []uint8, offset []float32, pairs []int, hinge, greatest bool) {
	t.Helper()
	for v := range GridLane {
		total, at := float32(0), 0
		for b, p := range pairs {
			sum := 0
			for range 2 * p {
				d := int(cell[at]) - int(codes[(at/2*GridLane+v)*2+at%2])
				if d < 0 {
					if d = -d; hinge {
						d = 0
					}
				}
				sum += d
				at++
			}
			x := max(0, offset[b]+float32(sum))
			if greatest {
				total = max(total, x)
			} else {
				total += x
			}
		}
		if got[v] != 0.5*total {
			t.Fatalf("%s: vector %d has %v, want %v", what, v, got[v], 0.5*total)
		}
	}
}

func BenchmarkGrid(b *testing.B) {
	rng := rand.New(rand.NewPCG(2, 2))
	const dim = 64
	q, base := randomValues(rng, dim), randomValues(rng, dim)
	codes, cell, rest := make([]uint8, dim*GridLane), make([]uint8, dim), make([]float32, dim)
	var dst [GridLane]float32
	for _, level := range Levels() {
		o := At(level)
		b.Run(fmt.Sprintf("Screen/dim=%d/level=%v", dim, level), func(b *testing.B) {
			for b.Loop() {
				o.ScreenGrid(&dst, cell, codes, []float32{1}, []int{dim / 2}, 1, true, false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/GridLane, "ns/vector")
		})
		b.Run(fmt.Sprintf("Snap/dim=%d/level=%v", dim, level), func(b *testing.B) {
			for b.Loop() {
				o.SnapToGrid(cell, rest, q, base, 100, true)
			}
		})
	}
}
