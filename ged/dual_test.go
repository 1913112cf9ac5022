package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// TestCopiesCostWhatTheyHave checks that a hundred copies of few shares look at the time seldom.
func TestCopiesCostWhatTheyHave(t *testing.T) {
	ctx := &lookedAt{Context: context.Background()}
	work := clock.New(ctx, time.Now(), 0)
	d := dual{share: make([]int, 400)}
	for range 100 {
		d.copyTo(new(dual), &work)
	}
	if ctx.times > 10 {
		t.Errorf("copies of %d shares in all looked at the time %d times", 100*len(d.share), ctx.times)
	}
}

// lookedAt counts how often it is asked whether it has ended.
type lookedAt struct {
	context.Context
	times int
}

func (c *lookedAt) Err() error {
	c.times++
	return nil
}

// TestRelaxation moves shares by steps of the linear program and by sweeps and checks after
// each what makes the bound one: shares add up to weights, duals are feasible,
// and the bound is their sum and at least the best profit, even half way through
// a sweep.
func TestRelaxation(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 14))
	for trial := range 400 {
		vocab := graph.NewVocabulary()
		s, err := NewSolver(edit.Task(trial%2), edit.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		s.SetPatience(math.MaxInt32)
		if _, err := s.Distance(context.Background(), graphtest.Random(r, vocab, 2+r.IntN(8), 0.25, false), graphtest.Random(r, vocab, 2+r.IntN(8), 0.25, false), Options{}); err != nil {
			t.Fatal(err)
		}
		var l level
		var x relaxation
		var d dual
		var up ascent
		var lin linear
		l.root(&s.problem, false)
		x.setup(&s.problem, &l, &d)
		up.setup(&x, nil, true)
		up.touchAll()
		const never = math.MinInt / 4
		lin.setup(&x, &d, &up)
		for range 20 {
			up.flush(&d)
			up.assign.solve(&d.level, never)
			checkDual(t, &x, &d, &up, s.search.bestProfit)
			if r.IntN(3) == 0 {
				if best := s.search.bestProfit; !up.sweep(&d, best*grain, r.IntN(2) == 0) {
					t.Fatalf("bound %d in the middle of a sweep, best profit %d", d.bound, best*grain)
				}
			} else {
				lin.steps(1+r.IntN(30), &up)
				lin.share(&d)
				up.touchAll()
			}
		}
	}
}

func checkDual(t *testing.T, x *relaxation, d *dual, up *ascent, best int) {
	t.Helper()
	cols := x.col.len()
	for e, row := range x.row.list {
		for f, col := range x.col.list {
			if w := x.weight[e*cols+f]; d.share[e*cols+f]+d.share[int(row.rev)*cols+int(col.rev)] != w {
				t.Fatalf("shares of half-edges %d and %d do not add up to %d", e, f, w)
			}
		}
	}
	sum := d.fixed
	for a, u := range d.u {
		sum += u
		for b, v := range d.v {
			if p := up.eval(d, a, b, make([]int, x.row.degree(int32(a))), make([]int, x.col.degree(int32(b)))); u < 0 || v < 0 || u+v < p {
				t.Fatalf("pair (%d, %d) earns %d, duals %d and %d", a, b, p, u, v)
			}
		}
	}
	for _, v := range d.v {
		sum += v
	}
	if sum != d.bound || sum < best*grain {
		t.Fatalf("bound %d, sum of the duals %d, best profit %d", d.bound, sum, best*grain)
	}
}
