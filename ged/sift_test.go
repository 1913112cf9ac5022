package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/gedtest"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/sweep"
)

// siftCosts are costs whose profits of edges have a common divisor that those of nodes lack.
var siftCosts = []edit.Costs{
	edit.Chem2(),
	{NodeInsert: 3, NodeDelete: 3, NodeSubstitute: 5, EdgeInsert: 2, EdgeDelete: 2, EdgeSubstitute: 2},
	{NodeInsert: 2, NodeDelete: 3, NodeSubstitute: 4, EdgeInsert: 1, EdgeDelete: 2},
	{NodeInsert: 2, NodeDelete: 2, NodeSubstitute: 7, EdgeInsert: 4, EdgeDelete: 4, EdgeSubstitute: 4},
}

// siftPair draws two graphs. Labels of one may be missing in the other, so that maps of top,
// too, map nodes to other labels.
func siftPair(r *rand.Rand, most int) (q, g *graph.Graph) {
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: most - 3, MaxNodes: most, Density: 0.2 + 0.3*r.Float64(), NodeLabels: 2 + r.IntN(2), EdgeLabels: 2, Directed: r.IntN(4) == 0}
	q = gedtest.Graph(r, vocab, shape)
	shape.NodeLabels = 1 + r.IntN(shape.NodeLabels)
	return q, gedtest.Graph(r, vocab, shape)
}

// TestSifts checks, for any goal, against every node map: where only maps of top are said to
// reach it, no other does, none of them contains a pair that is excluded, and all have the
// same rest.
func TestSifts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 37))
	found, missed, raised := 0, 0, 0
	for i := range sweep.Trials(6000) {
		s, err := NewSolver(edit.Task(i/len(siftCosts)%2), siftCosts[i%len(siftCosts)])
		if err != nil {
			t.Fatal(err)
		}
		q, g := siftPair(r, 5)
		s.SetPatience(math.MaxInt32)
		if _, err := s.Distance(context.Background(), q, g, Options{}); err != nil {
			t.Fatal(err)
		}
		p, f := &s.problem, &s.search
		least := f.bestProfit - r.IntN(15)
		maps := mapsOf(p, least)
		f.begin(p, unlimited)
		f.plain.begin(math.MaxInt64)
		f.plain.start()
		f.goal, f.bestProfit, f.bound = least, math.MaxInt/2, math.MaxInt/2 // no map that is found moves the goal
		strong := &f.strong
		strong.duals = []*dual{new(dual)}
		d := strong.duals[0]
		strong.linear = r.IntN(4) > 0
		strong.sift.only = false
		strong.x.setup(p, f.plain.levels[0], d)
		strong.ascent.setup(&strong.x, nil)
		strong.ascent.touchAll(d)
		open := strong.tighten(0)
		if strong.linear {
			strong.program(0).setup(&strong.x, d, &strong.ascent)
		}
		for range r.IntN(4) {
			if open {
				open, _ = strong.improve(0, effort{1 + r.IntN(60), 1, 6})
			}
		}
		if !open {
			continue
		}
		strong.sift.setup(&strong.x, d, &strong.ascent.assign)
		sift := &strong.sift
		for range 3 {
			f.goal = least + r.IntN(12)
			sift.below, sift.vain = math.MaxInt, sift.loss <= 1 || sift.step == 0
			if sift.vain {
				break
			}
			if only, _ := strong.sifts(); !only {
				continue
			}
			found++
			raised += sift.up(f.goal) - f.goal
			for _, h := range maps {
				if p.profit(h) < f.goal || p.full && indexOf(h, -1) >= 0 || !contains(d, h) {
					continue // or a map that earns as much is not
				}
				if earned := p.profit(h); sift.up(earned) != earned || sift.down(earned) != earned {
					t.Fatalf("trial %d: a map of profit %d, not %d modulo %d\n%s\n%s", i, earned, sift.rest, sift.step, gedtest.Text(q), gedtest.Text(g))
				}
				nodes := 0
				for v, w := range h {
					if w < 0 {
						continue
					}
					a, b := indexOf(d.rowID, int32(v)), indexOf(d.colID, w)
					nodes += strong.x.node[a*d.m+b] / grain
					if l := &sift.nodes; l.u[a]+l.v[b] > l.profit[a*d.m+b] {
						t.Fatalf("trial %d: pair (%d, %d) of a map of profit %d is missed\n%s\n%s", i, v, w, p.profit(h), gedtest.Text(q), gedtest.Text(g))
					}
				}
				if nodes != sift.top {
					t.Fatalf("trial %d: nodes earn %d, not %d, in a map of profit %d, goal %d\n%s\n%s", i, nodes, sift.top, p.profit(h), f.goal, gedtest.Text(q), gedtest.Text(g))
				}
			}
			for at, x := range d.profit {
				if l := &sift.nodes; !excluded(x) && l.u[at/d.m]+l.v[at%d.m] > l.profit[at] {
					missed++
				}
			}
		}
	}
	if found < 100 || missed < 100 || raised < 100 {
		t.Errorf("%d goals, %d pairs excluded, goals raised by %d", found, missed, raised)
	}
}

// contains reports whether d excludes no pair of map f.
func contains(d *dual, f []int32) bool {
	for v, w := range f {
		if w < 0 {
			continue
		}
		if a, b := indexOf(d.rowID, int32(v)), indexOf(d.colID, w); a < 0 || b < 0 || excluded(d.profit[a*d.m+b]) {
			return false
		}
	}
	return true
}

// TestSiftAgrees compares the strong search with the plain one, without and with limits of
// interest and of states.
func TestSiftAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 5))
	used := 0
	for i := range sweep.Trials(400) {
		costs := siftCosts[i%len(siftCosts)]
		q, g := siftPair(r, 10)
		task := edit.Task(i / len(siftCosts) % 2)
		plain, err := NewSolver(task, costs)
		if err != nil {
			t.Fatal(err)
		}
		plain.SetPatience(math.MaxInt32)
		strong, _ := NewSolver(task, costs)
		strong.SetPatience(0)
		want, err := plain.Distance(context.Background(), q, g, Options{})
		if err != nil || !want.Exact {
			t.Fatalf("trial %d: %+v, %v", i, want, err)
		}
		d := want.Upper
		none := math.Inf(-1)
		for _, ask := range []struct{ upper, tau float64 }{{0, none}, {d, none}, {d + 1, none}, {0, d - 1}, {0, d}, {0, d + 2*r.Float64()}} {
			for k, states := range []int64{0, 0, 1 + r.Int64N(8)} {
				memory := []int64{0, 300_000, 0}[k] // without the program, the root proves less
				strong.search.strong.sift.below = math.MaxInt
				res, err := strong.run(context.Background(), q, g, Options{Upper: ask.upper, States: states, Memory: memory}, ask.tau)
				if err != nil {
					t.Fatal(err)
				}
				if strong.search.strong.sift.below != math.MaxInt {
					used++
				}
				within, known := res.Within(ask.tau)
				switch {
				case res.Lower > d+gedtest.Tolerance || res.Upper < d-gedtest.Tolerance,
					ask.tau > none && known && within != (d <= ask.tau+gedtest.Tolerance),
					states == 0 && res.Stopped != "":
					t.Fatalf("trial %d: %+v in %d states is %+v, and the distance is %v\nquery %s\ntarget %s", i, ask, states, res, d, gedtest.Text(q), gedtest.Text(g))
				}
			}
		}
	}
	if used < 20 {
		t.Errorf("only %d searches sifted", used)
	}
}
