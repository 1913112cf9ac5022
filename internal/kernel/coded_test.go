package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/norm"
)

// realDistance is n's distance in float64, differences included, which is as
// good as exact here.
func realDistance(n norm.Norm, q, x []float64) float64 {
	total, at := 0.0, 0
	for _, w := range n.Widths {
		sum := 0.0
		for i := at; i < at+w; i++ {
			d := q[i] - x[i]
			if n.Hinge {
				d = max(0, d)
			}
			if n.Kind == norm.L2 {
				sum += d * d
			} else {
				sum += math.Abs(d)
			}
		}
		if n.Kind == norm.L2 {
			sum = math.Sqrt(sum)
		}
		if n.Combine == norm.Max {
			total = max(total, sum)
		} else {
			total += sum
		}
		at += w
	}
	return total
}

func TestScreenCodesScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, widths := range [][]int{{1}, {7}, {64}, {3, 1, 5}} {
		for n, reference := range norms(widths...) {
			dim := reference.Dim()
			for _, slots := range []int{0, 16, 32, 48, 64, 80, 128, 144} {
				for _, size := range []float64{1, 1e-40, 1e-20, 1e34} {
					c := &Codes{Slots: slots, Base: randomValues(rng, dim), Step: randomValues(rng, dim), Codes: make([]uint8, dim*slots)}
					q := randomValues(rng, dim)
					for i := range dim {
						c.Base[i] *= float32(size)
						q[i] *= float32(size)
						c.Step[i] = float32(math.Abs(float64(c.Step[i])) * size / 128)
					}
					for i := range c.Codes {
						c.Codes[i] = uint8(rng.Uint32())
					}
					for _, level := range Levels() {
						checkCodes(t, At(level), n, reference, q, c, fmt.Sprintf("%v, %v, %d slots, size %g", level, reference, slots, size))
					}
				}
			}
		}
	}
}

func checkCodes(t *testing.T, o Ops, n *Norm, reference norm.Norm, q []float32, c *Codes, what string) {
	t.Helper()
	dst := make([]float32, c.Slots+2*Lane)
	for i := range dst {
		dst[i] = -1
	}
	o.ScreenCodes(dst[Lane:Lane+c.Slots], q, c, n)
	a, x := make([]float64, len(q)), make([]float64, len(q))
	for v := -Lane; v < c.Slots+Lane; v++ {
		got := dst[v+Lane]
		if v < 0 || v >= c.Slots {
			if got != -1 {
				t.Fatalf("%s: guard %d changed", what, v)
			}
			continue
		}
		for i := range q {
			a[i] = float64(q[i])
			x[i] = float64(c.Base[i]) + float64(c.Step[i])*float64(c.Codes[i*c.Slots+v])
		}
		want, slack := realDistance(reference, a, x), n.CodeError(c.Step)
		if got > n.Limit(want+slack) {
			t.Fatalf("%s: slot %d has %v, above the limit %v of %v", what, v, got, n.Limit(want+slack), want)
		}
		if w := float32(want); w > 1e-18 && w < 1e18 && math.Abs(float64(got)-want) > 1e-5*want+slack {
			t.Fatalf("%s: slot %d has %v, far from %v", what, v, got, want)
		}
	}
}

func BenchmarkScreenCodes(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	const slots, dim = 128, 64
	c := &Codes{Slots: slots, Base: randomValues(rng, dim), Step: randomValues(rng, dim), Codes: make([]uint8, dim*slots)}
	q, dst := randomValues(rng, dim), make([]float32, slots)
	n := &Norm{Widths: []int{dim}, Hinge: true}
	for _, level := range Levels() {
		o := At(level)
		b.Run(fmt.Sprintf("slots=%d/dim=%d/level=%v", slots, dim, level), func(b *testing.B) {
			for b.Loop() {
				o.ScreenCodes(dst, q, c, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/slots, "ns/vector")
		})
	}
}
