package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/norm"
)

// norms are all kinds of norms with the given widths, in both descriptions.
func norms(widths ...int) map[*Norm]norm.Norm {
	all := map[*Norm]norm.Norm{}
	for _, kind := range []norm.Kind{norm.L1, norm.L2} {
		for _, combine := range []norm.Combine{norm.Sum, norm.Max} {
			for _, hinge := range []bool{false, true} {
				n := norm.Norm{Widths: widths, Kind: kind, Combine: combine, Hinge: hinge}
				all[&Norm{widths, kind == norm.L2, combine == norm.Max, hinge}] = n
			}
		}
	}
	return all
}

// values of the given size, as a query and as vectors in rows and in groups.
func randomGroups(rng *rand.Rand, vectors, dim int, size float64) (q []float32, rows [][]float32, groups []float32) {
	row := func() []float32 {
		x := make([]float32, dim)
		for i := range x {
			x[i] = float32(math.Round(rng.NormFloat64()*64) / 64 * size) // so that equals occur
		}
		return x
	}
	groups = randomValues(rng, vectors*dim)
	for v := range vectors {
		x := row()
		rows = append(rows, x)
		for i, c := range x {
			groups[v/Lane*Lane*dim+i*Lane+v%Lane] = c
		}
	}
	return row(), rows, groups
}

func TestDistancesScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, widths := range [][]int{{1}, {2}, {7}, {64}, {3, 1, 5}, {16, 16, 16, 16}, {100, 28}} {
		for n, reference := range norms(widths...) {
			for _, groups := range []int{0, 1, 3, 4, 6} {
				for _, size := range []float64{1, 1e-42, 1e-20, 1e19} {
					q, rows, stored := randomGroups(rng, groups*Lane, reference.Dim(), size)
					for _, level := range Levels() {
						checkDistances(t, At(level), n, reference, q, rows, stored)
					}
				}
			}
		}
	}
}

func checkDistances(t *testing.T, o Ops, n *Norm, reference norm.Norm, q []float32, rows [][]float32, groups []float32) {
	t.Helper()
	exact := make([]float64, len(rows)+2*Lane)
	screen := make([]float32, len(rows)+2*Lane)
	for i := range exact {
		exact[i], screen[i] = -1, -1
	}
	o.Exact(exact[Lane:Lane+len(rows)], q, groups, n)
	o.Screen(screen[Lane:Lane+len(rows)], q, groups, n)
	for v := -Lane; v < len(rows)+Lane; v++ {
		gotExact, gotScreen := exact[v+Lane], screen[v+Lane]
		if v < 0 || v >= len(rows) {
			if gotExact != -1 || gotScreen != -1 {
				t.Fatalf("%v, %v: guard %d changed", o.Level(), reference, v)
			}
			continue
		}
		want := reference.Distance(q, rows[v])
		if gotExact != want {
			t.Fatalf("%v, %v, vector %d of %d: exact %v, want %v", o.Level(), reference, v, len(rows), gotExact, want)
		}
		if gotScreen > n.Limit(want) {
			t.Fatalf("%v, %v, vector %d: screen %v above the limit %v of %v", o.Level(), reference, v, gotScreen, n.Limit(want), want)
		}
		if n.Below(gotScreen) > want {
			t.Fatalf("%v, %v, vector %d: screen %v means at least %v, but it is %v", o.Level(), reference, v, gotScreen, n.Below(gotScreen), want)
		}
		if w := float32(want); w > 1e-18 && w < 1e18 && math.Abs(float64(gotScreen)-want) > 1e-5*want {
			t.Fatalf("%v, %v, vector %d: screen %v far from %v", o.Level(), reference, v, gotScreen, want)
		}
	}
}

func TestLimit(t *testing.T) {
	n := &Norm{Widths: []int{64}, L2: true}
	for d := 1e-30; d < 1e18; d *= 3 {
		if l := float64(n.Limit(d)); l < d || l > 1.0001*d+1e-20 {
			t.Errorf("Limit(%v) = %v", d, l)
		}
	}
	if l := n.Limit(math.Inf(1)); !math.IsInf(float64(l), 1) {
		t.Errorf("Limit(Inf) = %v", l)
	}
}

func TestFindScalar(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for n := range 6 * Lane {
		for range 20 {
			v := randomValues(rng, n)
			for i := range v {
				v[i] += 10
			}
			if n > 0 && rng.IntN(3) > 0 {
				v[rng.IntN(n)] = 1
				v[rng.IntN(n)] = float32(math.NaN())
				v[rng.IntN(n)] = float32(math.Inf(1))
			}
			want := findGeneric(v, 1)
			for _, level := range Levels() {
				if got := At(level).Find(v, 1); got != want {
					t.Fatalf("level %v, n=%d: got %d, want %d", level, n, got, want)
				}
			}
		}
	}
}

func BenchmarkDistance(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, vectors := range []int{1 << 10, 1 << 18} {
		q, _, groups := randomGroups(rng, vectors, 64, 1)
		for _, n := range []*Norm{{Widths: []int{64}, L2: true}, {Widths: []int{64}, L2: true, Hinge: true}, {Widths: []int{8, 8, 8, 8, 8, 8, 8, 8}, Max: true}} {
			for _, level := range Levels() {
				o := At(level)
				name := fmt.Sprintf("n=%d/dim=64/blocks=%d/hinge=%t/level=%v", vectors, len(n.Widths), n.Hinge, level)
				report := func(b *testing.B) {
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(vectors), "ns/vector")
				}
				b.Run("Screen/"+name, func(b *testing.B) {
					dst := make([]float32, vectors)
					for b.Loop() {
						o.Screen(dst, q, groups, n)
					}
					report(b)
				})
				b.Run("Exact/"+name, func(b *testing.B) {
					dst := make([]float64, vectors)
					for b.Loop() {
						o.Exact(dst, q, groups, n)
					}
					report(b)
				})
			}
		}
	}
}
