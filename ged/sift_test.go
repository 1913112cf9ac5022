package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// siftCosts are costs whose profits of edges have a common divisor that those of nodes lack.
var siftCosts = []edit.Costs{
	edit.Chem2(),
	{NodeInsert: 3, NodeDelete: 3, NodeSubstitute: 5, EdgeInsert: 2, EdgeDelete: 2, EdgeSubstitute: 2},
	{NodeInsert: 2, NodeDelete: 3, NodeSubstitute: 4, EdgeInsert: 1, EdgeDelete: 2},
	{NodeInsert: 2, NodeDelete: 2, NodeSubstitute: 7, EdgeInsert: 4, EdgeDelete: 4, EdgeSubstitute: 4},
	{NodeInsert: 2, NodeDelete: 2, NodeSubstitute: 6, EdgeInsert: 6, EdgeDelete: 6, EdgeSubstitute: 9},
	{NodeInsert: math.Pi, NodeDelete: math.Pi, NodeSubstitute: 7, EdgeInsert: 1.1, EdgeDelete: 1.1, EdgeSubstitute: 2.2},
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
	trials := sweep.Trials(6000)
	for i := range trials {
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
		f.goal, f.bestProfit, f.bound = least, math.MaxInt/2, math.MaxInt/2 // no map that is found moves the goal
		strong, d := &f.strong, rootOf(f, r)
		if d == nil {
			continue
		}
		strong.sift.setup(&strong.x, d, &strong.ascent.assign)
		sift := &strong.sift
		for range 3 {
			f.goal = least + r.IntN(12)
			if r.IntN(2) == 0 { // else what is known of a lower goal holds
				sift.below = math.MaxInt
			}
			if sift.vain = sift.loss <= 1 || sift.step == 0; sift.vain {
				break
			}
			only, _ := strong.sifts()
			if k := len(strong.duals) - 1; !only && k > 0 && strong.duals[k].bound != sum(&strong.duals[k].level) {
				t.Fatalf("trial %d: the bound is %d, the sum of the duals %d", i, strong.duals[k].bound, sum(&strong.duals[k].level))
			}
			if !only {
				continue
			}
			strong.inherit(1)
			below := strong.duals[1]
			strong.killMissed(below)
			found++
			if sift.up(f.goal) > f.goal {
				raised++
			}
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
					nodes += strong.x.own[indexOf(d.rowID, int32(v))*d.m+indexOf(d.colID, w)]
				}
				if !contains(below, h) {
					t.Fatalf("trial %d: a pair of a map of profit %d is excluded, goal %d\n%s\n%s", i, p.profit(h), f.goal, gedtest.Text(q), gedtest.Text(g))
				}
				if nodes != sift.top {
					t.Fatalf("trial %d: nodes earn %d, not %d, in a map of profit %d, goal %d\n%s\n%s", i, nodes, sift.top, p.profit(h), f.goal, gedtest.Text(q), gedtest.Text(g))
				}
			}
			for at, x := range d.profit {
				if excluded(below.profit[at]) && !excluded(x) {
					missed++
				}
			}
		}
	}
	if 4*found < 5*trials || 2*missed < trials || raised < trials {
		t.Errorf("%d goals, %d pairs excluded, %d goals raised in %d trials", found, missed, raised, trials)
	}
}

// sum returns what l.bound has to be.
func sum(l *level) int {
	s := l.fixed
	for _, u := range l.u {
		s += u
	}
	for _, v := range l.v {
		s += v
	}
	return s
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

// rootOf sets up the root of the strong search for the problem of f, and improves its bound for
// some time. It returns nil if the root does not reach the goal.
func rootOf(f *search, r *rand.Rand) *dual {
	f.plain.begin(math.MaxInt64)
	f.plain.start()
	g := &f.strong
	if len(g.duals) == 0 {
		g.duals = []*dual{new(dual)}
	}
	d := g.duals[0]
	g.linear, g.sift.only = false, false
	g.failures.forget(f.p.row.n)
	g.x.setup(f.p, f.plain.levels[0], d)
	f.p.findSymmetries(true)
	g.ascent.setup(&g.x, nil, true)
	g.ascent.touchAll()
	open := g.tighten(0, false)
	if g.linear = open && r.IntN(2) > 0; g.linear {
		g.program(0).setup(&g.x, d, &g.ascent)
	}
	for range r.IntN(4) {
		if open {
			open, _ = g.improve(0, effort{1 + r.IntN(60), 1, 6})
		}
	}
	if !open {
		return nil
	}
	return d
}

// TestDeepens: without local search, and told that some profit below the greatest is known,
// deepen finds the greatest, or what is enough, or bounds it if it is stopped. Solvers are used
// again and again.
func TestDeepens(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 5))
	solvers := make(map[int]*Solver)
	trials, sifted, states := sweep.Trials(24000), 0, int64(0)
	for i := range trials {
		k := i % (2 * len(siftCosts))
		if solvers[k] == nil {
			solvers[k], _ = NewSolver(edit.Task(k%2), siftCosts[k/2])
		}
		s := solvers[k]
		q, g := siftPair(r, 7)
		s.SetPatience(math.MaxInt32)
		var fixed [][2]int
		if r.IntN(2) == 0 {
			fixed = [][2]int{{r.IntN(q.N()), r.IntN(g.N())}}
		}
		if _, err := s.Distance(context.Background(), q, g, Options{Fixed: fixed}); err != nil {
			t.Fatal(err)
		}
		f := &s.search
		best := f.bestProfit
		some := func() int { return int(6*r.Float64()*float64(s.unit.Count(1))) / s.problem.scale }
		known := best - 1 - some()
		lim := unlimited
		if r.IntN(2) == 0 {
			lim.enough = best - some() + some()
			lim.atLeast = min(best+1, lim.enough)
		}
		f.begin(&s.problem, lim)
		f.bestProfit, f.goal, f.bound = math.MaxInt/2, max(known+1, lim.atLeast), math.MaxInt
		if r.IntN(4) == 0 {
			f.budget.states = f.budget.searched + 2 + r.Int64N(8)
		}
		d := rootOf(f, r)
		f.bestProfit = known
		if d != nil && known < lim.enough {
			f.bound = min(f.bound, d.best/grain)
			f.strong.sift.setup(&f.strong.x, d, &f.strong.ascent.assign)
			before := f.budget.searched
			f.strong.deepen()
			states += f.budget.searched - before
			if f.strong.sift.below != math.MaxInt {
				sifted++
			}
		}
		switch {
		case f.strong.sift.only:
			t.Fatalf("trial %d: the next search is only for maps of top", i)
		case f.bestProfit >= min(best, lim.enough):
		case f.stopped && f.bound >= best:
		case !f.stopped && lim.atLeast > best:
		default:
			t.Fatalf("trial %d: profit %d and at most %d, stopped %v, and a map earns %d; %d was known, limits %v, fixed %v\n%s\n%s", i, f.bestProfit, f.bound, f.stopped, best, known, lim, fixed, gedtest.Text(q), gedtest.Text(g))
		}
	}
	if 4*sifted < trials || 5*states > 11*int64(trials) {
		t.Errorf("%d of %d searches sifted, in %d states", sifted, trials, states)
	}
}
