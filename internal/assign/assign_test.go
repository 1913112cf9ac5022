package assign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// enumerate calls visit with the cost of every assignment and the column that
// row pick takes in it (None: deleted).
func enumerate(cost, del, ins []float64, pick int, visit func(total float64, column int)) {
	n, m := len(del), len(ins)
	taken := make([]bool, m)
	var extend func(i int, total float64, column int)
	extend = func(i int, total float64, column int) {
		if i == n {
			for j := range m {
				if !taken[j] {
					total += ins[j]
				}
			}
			visit(total, column)
			return
		}
		extend(i+1, total+del[i], column)
		for j := range m {
			if taken[j] {
				continue
			}
			taken[j] = true
			c := column
			if i == pick {
				c = j
			}
			extend(i+1, total+cost[i*m+j], c)
			taken[j] = false
		}
	}
	extend(0, 0, None)
}

// problem draws a problem from few distinct values, so that ties abound, or
// from many, negative ones among them.
func problem(r *rand.Rand) (cost, del, ins []float64) {
	n, m := r.IntN(6), r.IntN(6)
	values := 3 + r.IntN(2)*1000
	draw := func(k int) []float64 {
		a := make([]float64, k)
		for i := range a {
			a[i] = float64(r.IntN(values)-values/3) / 2
		}
		return a
	}
	return draw(n * m), draw(n), draw(m)
}

func TestSolveIsOptimal(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	var s Solver
	for trial := range 20000 {
		cost, del, ins := problem(r)
		best := math.Inf(1)
		enumerate(cost, del, ins, 0, func(total float64, _ int) { best = min(best, total) })
		if got := s.Solve(cost, del, ins); got != best {
			t.Fatalf("seed %d trial %d: cost %v, want %v\n%v %v %v", seed, trial, got, best, cost, del, ins)
		}
		checkDuals(t, &s, cost, del, ins, best)
	}
}

func checkDuals(t *testing.T, s *Solver, cost, del, ins []float64, total float64) {
	t.Helper()
	n, m := len(del), len(ins)
	sum := 0.0
	for i := range n {
		sum += s.U[i]
		if s.U[i] > del[i] {
			t.Fatalf("U[%d] = %v exceeds the deletion at %v", i, s.U[i], del[i])
		}
		if j := s.Row[i]; j != None && s.Col[j] != int32(i) {
			t.Fatalf("row %d takes column %d, which row %d has", i, j, s.Col[j])
		}
		for j := range m {
			if s.U[i]+s.V[j] > cost[i*m+j] {
				t.Fatalf("U[%d] + V[%d] = %v exceeds %v", i, j, s.U[i]+s.V[j], cost[i*m+j])
			}
		}
	}
	for j := range m {
		sum += s.V[j]
		if s.V[j] > ins[j] {
			t.Fatalf("V[%d] = %v exceeds the insertion at %v", j, s.V[j], ins[j])
		}
	}
	if sum != total {
		t.Fatalf("the duals sum to %v, the solution costs %v", sum, total)
	}
}

func TestBadShapesPanic(t *testing.T) {
	for name, call := range map[string]func(s *Solver){
		"lengths": func(s *Solver) { s.Solve(make([]float64, 5), make([]float64, 2), make([]float64, 3)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call(new(Solver))
		})
	}
}

func TestSolveDoesNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	cost, del, ins := make([]float64, 64), make([]float64, 8), make([]float64, 8)
	for i := range cost {
		cost[i] = r.Float64()
	}
	var s Solver
	allocs := testing.AllocsPerRun(10, func() {
		s.Solve(cost, del, ins)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{8, 20} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 0))
			problems := make([][]float64, 64)
			for k := range problems {
				problems[k] = make([]float64, n*n)
				for i := range problems[k] {
					problems[k][i] = float64(r.IntN(8)) / 2
				}
			}
			never, free := fill[float64](nil, n, math.Inf(1)), make([]float64, n)
			var s Solver
			for i := 0; b.Loop(); i++ {
				s.Solve(problems[i%len(problems)], never, free)
			}
		})
	}
}

// TestStop stops at random moments: what is returned then is the sum of feasible
// duals, and so no more than the least cost.
func TestStop(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 0))
	var s Solver
	stopped := 0
	for trial := range 20000 {
		cost, del, ins := problem(r)
		best := math.Inf(1)
		enumerate(cost, del, ins, 0, func(total float64, _ int) { best = min(best, total) })
		left := r.IntN(4 * (len(del) + 1) * (len(ins) + 1))
		over := false
		s.Stop = func(work int) bool {
			left -= work
			over = over || left < 0
			return over
		}
		got := s.Solve(cost, del, ins)
		if got > best || !over && got != best {
			t.Fatalf("trial %d: %v, the least cost is %v, stopped %v", trial, got, best, over)
		}
		if over {
			stopped++
		}
		checkDuals(t, &s, cost, del, ins, got)
	}
	if stopped < 1000 {
		t.Errorf("stopped %d times only", stopped)
	}
}
