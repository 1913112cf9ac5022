package baseline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/nn"
)

// TestGradients compares, for every matrix of every system, the derivative of its outputs
// along random directions with difference quotients. Between two points at which another
// matching, hyperedge or side of a ReLU is chosen the quotient is of no use, so most
// directions must agree, not all.
func TestGradients(t *testing.T) {
	seen := make(map[string]bool)
	for _, task := range tasks() {
		data, _ := tenPairs(task, false, true)
		for _, l := range small(task) {
			if seen[l.design.Name] {
				continue // its network does not depend on the task
			}
			seen[l.design.Name] = true
			t.Run(l.design.Name, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(21, 22))
				l.design.batch = 10
				f := &fitting{learner: l, data: data, rng: rng, row: make(map[int32]int32)}
				f.learnLabels(3)
				f.learn()
				f.draw()
				for i := range f.ps.Flat() { // what begins at zero or at one is moved, padding is not
					if v := &f.ps.Flat()[i]; *v != 0 {
						*v += float32(0.05 * rng.NormFloat64())
					}
				}
				if n, ok := f.net.(*simgnn); ok { // its histogram has no gradient, and must not count
					w := n.fc.maps[0].w
					clear(f.ps.Value(w)[histogramBins*w.Cols:])
				}
				f.tape = nn.NewTape(f.ps, f.ops, true)
				checkGradients(t, f)
			})
		}
	}
}

func checkGradients(t *testing.T, f *fitting) {
	weight := make([]float64, len(f.sized))
	for i := range weight {
		weight[i] = f.rng.NormFloat64()
	}
	forward := func() (*nn.Var, float64) {
		f.tape.Reset()
		f.pairs.used = 0
		out := f.net.score(f.tape, f.net.embed(f.tape, &f.batch), &f.pairs)
		sum := 0.0
		for i, w := range weight {
			sum += w * float64(out.Value[i*out.Cols])
		}
		return out, sum
	}
	f.ps.Prepare()
	f.tape.ZeroGrad()
	out, _ := forward()
	for i, w := range weight {
		out.Grad[i*out.Cols] = float32(w)
	}
	f.tape.Backward()
	grads := append([]float32(nil), f.tape.Grads()...)
	flat := f.ps.Flat()
	begin := append([]float32(nil), flat...)
	const h, tries = 1e-3, 3
	for _, p := range f.ps.All() {
		agree, worst := 0, ""
		for range tries {
			direction := make([]float64, p.Rows*p.Cols)
			want, size := 0.0, 0.0
			for i, g := range p.Of(grads) {
				if p.Of(begin)[i] == 0 && g == 0 {
					continue // padding
				}
				direction[i] = f.rng.NormFloat64()
				want += direction[i] * float64(g)
				size += math.Abs(direction[i] * float64(g))
			}
			at := func(x float64) float64 {
				for i, d := range direction {
					p.Of(flat)[i] = p.Of(begin)[i] + float32(x*d)
				}
				_, sum := forward()
				copy(flat, begin)
				return sum
			}
			got := (at(h) - at(-h)) / (2 * h)
			if math.Abs(got-want) <= 0.02*size+0.02 {
				agree++
			} else {
				worst = fmt.Sprintf("difference quotient %g, gradient %g of terms that add up to %g", got, want, size)
			}
		}
		if agree <= tries/2 {
			t.Errorf("%s: %d of %d directions agree: %s", p.Name, agree, tries, worst)
		}
	}
}
