package ged

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// lifted is a relaxation whose profits triangles change.
type lifted struct {
	x    relaxation
	d    dual
	up   ascent
	tri  triangles
	best int // the greatest profit of a node map
}

func newLifted(t *testing.T, task edit.Task, costs edit.Costs, q, g *graph.Graph) *lifted {
	t.Helper()
	s, err := NewSolver(task, costs)
	if err != nil {
		t.Fatal(err)
	}
	s.SetPatience(math.MaxInt32)
	if r, err := s.Distance(context.Background(), q, g, Options{}); err != nil || !r.Exact {
		t.Fatal(r, err)
	}
	l := &lifted{best: s.search.bestProfit}
	var root level
	root.root(&s.problem, false)
	l.x.setup(&s.problem, &root, &l.d)
	l.up.setup(&l.x, nil, true)
	l.tri.worth(&l.x, math.MaxInt64, nil)
	l.tri.setup(&l.x, &l.d, nil)
	return l
}

// run makes steps and computes the bound.
func (l *lifted) run(steps int) {
	l.tri.steps(steps, nil)
	l.tri.lift(&l.d, nil)
	l.up.touchAll()
	l.up.flush(&l.d)
	l.up.assign.solve(&l.d.level, math.MinInt/4)
}

// TestTriangles checks that no node map earns less than before by changed profits, after few steps and after many,
// and that the bound holds.
func TestTriangles(t *testing.T) {
	for name, costs := range gedtest.Costs() {
		r := rand.New(rand.NewPCG(37, 5))
		for trial := range 24 {
			vocab := graph.NewVocabulary()
			shape := gedtest.Shape{MinNodes: 3, MaxNodes: 7, Density: 0.6, NodeLabels: 2, EdgeLabels: 1 + trial%2, Directed: trial%4 > 1}
			l := newLifted(t, edit.Task(trial%2), costs(r), gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape))
			for range 4 {
				l.run(1 + r.IntN(40))
				l.tri.checkMultipliers(t)
				checkDual(t, &l.x, &l.d, &l.up, l.best)
				for range 100 {
					if before, now := l.earn(r.Perm(l.x.m), r); now < before {
						t.Fatalf("%s, trial %d: a map that earns %d earns %d", name, trial, before, now)
					}
				}
			}
		}
	}
}

// checkMultipliers checks that no z earns anything.
func (t *triangles) checkMultipliers(test *testing.T) {
	test.Helper()
	for z := t.first; z < len(t.profit); z++ {
		if plus, minus := t.of.at(z); sumOf(t.multiplier, plus, minus) < 0 {
			test.Fatalf("variable %d earns something", z)
		}
	}
	at := int32(0)
	for _, b := range t.bends {
		for ; at < b.end; at++ {
			if t.multiplier[b.node] > t.multiplier[b.edge]+t.multiplier[t.second[at]] {
				test.Fatalf("variable %d of bends earns something", at)
			}
		}
	}
}

// earn returns what a node map earns by the profits before and by the changed ones. It maps some rows to the
// columns of their number in perm.
func (l *lifted) earn(perm []int, r *rand.Rand) (before, now int) {
	x := &l.x
	for a := range perm {
		if r.IntN(5) == 0 || a < x.n && excluded(l.d.profit[a*x.m+perm[a]]) {
			perm[a] = -1
		}
	}
	for a, b := range perm[:min(x.n, x.m)] {
		if b < 0 {
			continue
		}
		before += x.own[a*x.m+b] * grain
		now += x.node[a*x.m+b]
		for e := x.row.start[a]; e < x.row.start[a+1]; e++ {
			h := &x.row.list[e]
			if int(h.to) > a || int(h.to) >= len(perm) || perm[h.to] < 0 {
				continue
			}
			if f := x.col.between(int32(b), int32(perm[h.to])); f >= 0 {
				before += x.gain[int(h.typ)*x.types+int(x.col.list[f].typ)]
				now += x.weight[int(e)*x.col.len()+int(f)]
			}
		}
	}
	return before, now
}

// TestTrianglesLead checks that the linear program is led to where triangles are.
func TestTrianglesLead(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 7))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 7, MaxNodes: 7, Density: 0.6, NodeLabels: 2, EdgeLabels: 1}
	l := newLifted(t, edit.GED, edit.Uniform(), gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape))
	l.run(40)
	var program linear
	program.setup(&l.x, &l.d, &l.up)
	l.tri.lead(&program)
	met := 0
	l.tri.meet(&program, l.tri.last, func(here, there *float32) {
		met++
		if *here != *there {
			t.Errorf("value %d: %v in place of %v", met, *there, *here)
		}
	})
	for i, at := range program.point.Reverse {
		if program.point.Y[i] != program.point.Y[at] {
			t.Errorf("a pair of edges has %v at one end and %v at the other", program.point.Y[i], program.point.Y[at])
		}
	}
	if met == 0 {
		t.Error("no value was compared")
	}
}

// TestTrianglesAgainstRing maps two triangles to a ring of six nodes. The linear program finds no difference,
// but of either triangle one edge has no partner, and two edges of the ring.
func TestTrianglesAgainstRing(t *testing.T) {
	vocab := graph.NewVocabulary()
	cycles := func(next func(v int) int) *graph.Graph {
		b := graph.NewBuilder(vocab, false)
		for range 6 {
			b.AddNode("a")
		}
		for v := range 6 {
			b.AddEdge(v, next(v), "")
		}
		g, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	apart := cycles(func(v int) int { return v/3*3 + (v+1)%3 })
	ring := cycles(func(v int) int { return (v + 1) % 6 })
	for _, pair := range [][2]*graph.Graph{{apart, ring}, {ring, apart}} {
		l := newLifted(t, edit.GED, edit.Uniform(), pair[0], pair[1])
		l.run(400)
		if l.d.bound >= (l.best+1)*grain {
			t.Errorf("bound %d of the profit %d", l.d.bound, l.best*grain)
		}
	}
}

// untilTriangles is a context that ends once the steps of a solver's triangles have begun.
type untilTriangles struct {
	context.Context
	s *Solver
}

func (c untilTriangles) Err() error {
	if c.s.search.strong.triangles.total > 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestTrianglesStop checks that the steps for small problems, too, end with the context, and that they count as states.
func TestTrianglesStop(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 6))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 20, MaxNodes: 20, Density: 0.3, NodeLabels: 1, EdgeLabels: 1}
	q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	s, err := NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	s.SetPatience(0)
	total := &s.search.strong.triangles.total
	if _, err := s.Distance(untilTriangles{context.Background(), s}, q, g, Options{}); err != nil {
		t.Fatal(err)
	}
	if *total == 0 || *total == liftSteps {
		t.Errorf("%d steps", *total)
	}
	for _, states := range []int64{10, 40} {
		*total = 0
		res, err := s.Distance(context.Background(), q, g, Options{States: states})
		if err != nil {
			t.Fatal(err)
		}
		strong := &s.search.strong
		took, state := *total*strong.triangles.work(), childEffort.steps*strong.program(0).work()
		if int64(took) > states*int64(state) || res.States > states {
			t.Errorf("%d steps take as long as %d states; %d states of %d", *total, took/state, res.States, states)
		}
	}
}
