package within_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// TestConform runs the decider as a solver, wherever it takes the costs.
func TestConform(t *testing.T) {
	gedtest.Conform(t, func(task edit.Task, costs edit.Costs) (gedtest.Solver, error) {
		p, err := edit.Price(task, costs)
		if err != nil {
			return nil, err
		}
		d := within.New(p, nil)
		s, err := ged.NewSolver(task, costs)
		return func(q, g *graph.Graph) (gedtest.Answer, error) {
			var r ged.Result
			ok := false
			if d != nil {
				r, ok = d.Decide(q, g, 1000, within.Limits{})
			}
			multi := !q.Simple() || !g.Simple()
			if multi && ok {
				t.Errorf("a pair that is not simple is decided: %+v", r)
			}
			if !ok && (d == nil || multi || costs == edit.Chem2()) { // its unit is too small for nodes with many edges
				r, err := s.Distance(context.Background(), q, g, ged.Options{})
				return gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, err
			}
			if !ok || !r.Exact {
				t.Errorf("undecided: %+v", r)
			}
			return gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, err
		}, err
	})
}

// TestDecide compares decisions at every limit, and at all levels of kernels, with the brute force.
func TestDecide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	shapes := []gedtest.Shape{
		{MaxNodes: 5, Density: 0.5, NodeLabels: 2, EdgeLabels: 2},
		{MaxNodes: 5, Density: 0.3, NodeLabels: 1, EdgeLabels: 1},
		{MaxNodes: 4, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Directed: true},
		{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2, Wildcards: 0.3},
	}
	costs := []edit.Costs{edit.Uniform(), edit.Uniform().IgnoreEdgeLabels(), edit.Chem1(), {NodeInsert: 0.5, NodeDelete: 1.5, NodeSubstitute: 0.25, EdgeInsert: 1, EdgeDelete: 0.75, EdgeSubstitute: 1.5}}
	for trial := range 400 {
		shape, c, task := shapes[trial%4], costs[trial/4%4], edit.Task(trial/16%2)
		vocab := graph.NewVocabulary()
		p, err := edit.Price(task, c)
		if err != nil {
			t.Fatal(err)
		}
		before, err := edit.Price(edit.GED, costs[trial%3])
		if err != nil {
			t.Fatal(err)
		}
		q := gedtest.Graph(rng, vocab, shape)
		old := within.New(before, nil) // of other costs, with the same query
		old.Decide(q, q, 1, within.Limits{})
		d := within.New(p, old)
		if d == nil {
			continue // deletion costs less than substitution where insertion is free
		}
		for range 3 { // of one query
			g := gedtest.Graph(rng, vocab, shape)
			want, _ := gedtest.BruteForce(p, q, g)
			for tau := 0.0; tau < want+3; tau += 0.5 {
				for _, states := range []int64{0, 1} {
					for _, level := range kernel.Levels() {
						d.Use(level)
						r, ok := d.Decide(q, g, tau, within.Limits{States: states})
						if !ok {
							t.Fatal("a small graph is not taken")
						}
						if err := gedtest.Judge(p, q, g, gedtest.Answer{Lower: r.Lower, Upper: r.Upper, Map: r.Map, Exact: r.Exact}, want); err != nil {
							t.Fatalf("trial %d, %v, limit %v: %v", trial, level, tau, err)
						}
						if states == 0 && (want > tau && r.Lower <= tau || want <= tau && !r.Exact) {
							t.Fatalf("trial %d, %v, limit %v: bounds [%v, %v] of %v", trial, level, tau, r.Lower, r.Upper, want)
						}
					}
				}
			}
		}
	}
}

// underUniform returns a decider and a solver for unit costs.
func underUniform(t *testing.T) (*within.Decider, *ged.Solver) {
	t.Helper()
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	return within.New(p, nil), s
}

// TestLarge: larger graphs are decided as the solver does, those that do not fit
// are not taken.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	vocab := graph.NewVocabulary()
	d, s := underUniform(t)
	for range 40 {
		shape := gedtest.Shape{MinNodes: 8, MaxNodes: 13, Density: 0.2, NodeLabels: 3, EdgeLabels: 2}
		q, g := gedtest.Graph(rng, vocab, shape), gedtest.Graph(rng, vocab, shape)
		want, err := s.Distance(t.Context(), q, g, ged.Options{})
		if err != nil || !want.Exact {
			t.Fatal(want, err)
		}
		for _, tau := range []float64{want.Upper - 1, want.Upper} {
			r, ok := d.Decide(q, g, tau, within.Limits{})
			if !ok || r.Lower > want.Upper || tau == want.Upper && !r.Exact || tau < want.Upper && r.Lower <= tau {
				t.Errorf("limit %v: bounds [%v, %v] of %v", tau, r.Lower, r.Upper, want.Upper)
			}
		}
	}
	full := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: within.MaxNodes, MaxNodes: within.MaxNodes, Density: 0.01, NodeLabels: 5, EdgeLabels: 2})
	if r, ok := d.Decide(full, gedtest.Shuffle(rng, full), 1, within.Limits{}); !ok || !r.Exact || r.Upper != 0 {
		t.Errorf("%d nodes and a copy: %+v, %v", within.MaxNodes, r, ok)
	}
	larger := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: within.MaxNodes + 1, MaxNodes: within.MaxNodes + 1, Density: 0.01, NodeLabels: 5, EdgeLabels: 2})
	many := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 40, MaxNodes: 40, Density: 1, NodeLabels: 1, EdgeLabels: 1})
	small := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 3, MaxNodes: 3, Density: 1, NodeLabels: 1, EdgeLabels: 1})
	for _, pair := range [][2]*graph.Graph{{larger, small}, {small, larger}, {many, small}, {small, many}} {
		if _, ok := d.Decide(pair[0], pair[1], 3, within.Limits{}); ok {
			t.Errorf("%s and %s are taken", gedtest.Text(pair[0]), gedtest.Text(pair[1]))
		}
	}
	if r, ok := d.Decide(small, small, 0, within.Limits{}); !ok || !r.Exact {
		t.Errorf("after those: %+v, %v", r, ok)
	}
}

// TestSymmetric: graphs with many symmetries are decided as the solver does, in fewer states than maps that
// are images of each other would take.
func TestSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	vocab := graph.NewVocabulary()
	d, s := underUniform(t)
	states := int64(0)
	for range 150 {
		q, g := copiesAtCentre(rng, vocab), copiesAtCentre(rng, vocab)
		want, err := s.Distance(t.Context(), q, g, ged.Options{})
		if err != nil || !want.Exact {
			t.Fatal(want, err)
		}
		for _, tau := range []float64{want.Upper - 1, want.Upper} {
			r, ok := d.Decide(q, g, tau, within.Limits{})
			if !ok || r.Lower > want.Upper || tau == want.Upper && !r.Exact || tau < want.Upper && r.Lower <= tau {
				t.Errorf("%s and %s, limit %v: bounds [%v, %v] of %v", gedtest.Text(q), gedtest.Text(g), tau, r.Lower, r.Upper, want.Upper)
			}
			states += r.States
		}
	}
	if states > 2000 {
		t.Errorf("%d states", states) // 1,350; 3,958 if twins were the only symmetries
	}
}

// copiesAtCentre returns two to four copies of a random graph, each joined to one node.
func copiesAtCentre(rng *rand.Rand, vocab *graph.Vocabulary) *graph.Graph {
	part := gedtest.Graph(rng, vocab, gedtest.Shape{MinNodes: 2, MaxNodes: 3, Density: 0.7, NodeLabels: 1, EdgeLabels: 1})
	b := graph.NewBuilder(vocab, false)
	centre := b.AddNodeLabel(part.Label(0))
	for range 2 + rng.IntN(3) {
		at := b.N()
		for v := range part.N() {
			b.AddNodeLabel(part.Label(v))
		}
		for e := range part.Edges() {
			b.MustAdd(at+e.From, at+e.To, e.Label)
		}
		b.MustAdd(centre, at, graph.Label(0))
	}
	if rng.IntN(2) == 0 { // between the first two
		b.MustAdd(1+rng.IntN(part.N()), 1+part.N()+rng.IntN(part.N()), graph.Label(0))
	}
	return b.MustBuild()
}

// TestStop: bounds hold wherever a search is stopped.
func TestStop(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	vocab := graph.NewVocabulary()
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	d := within.New(p, nil)
	shape := gedtest.Shape{MinNodes: 7, MaxNodes: 9, Density: 0.4, NodeLabels: 1, EdgeLabels: 2}
	stopped := 0
	for range 30 {
		q, g := gedtest.Graph(rng, vocab, shape), gedtest.Graph(rng, vocab, shape)
		want, ok := d.Decide(q, g, 100, within.Limits{})
		if !ok || !want.Exact {
			t.Fatal(want, ok)
		}
		for after := range 6 {
			asked := 0
			r, ok := d.Decide(q, g, want.Upper-1, within.Limits{Stop: func() bool { asked++; return asked > after }})
			if !ok || r.Lower > want.Upper || r.Upper < want.Upper || asked > after+1 {
				t.Fatalf("stopped after %d of %d: bounds [%v, %v] of %v", after, asked, r.Lower, r.Upper, want.Upper)
			}
			if asked > after && r.Lower < want.Upper {
				stopped++
			}
		}
	}
	if stopped == 0 {
		t.Error("no search was stopped")
	}
}

// TestCosts says which costs there is a decider for.
func TestCosts(t *testing.T) {
	for _, c := range []struct {
		costs edit.Costs
		want  bool
	}{
		{edit.Uniform(), true},
		{edit.Chem1(), true},
		{edit.Chem2(), true},
		{edit.Chem2(), true},
		{edit.Costs{NodeInsert: 1, NodeDelete: 1, NodeSubstitute: 2.5, EdgeInsert: 1, EdgeDelete: 1}, false},
		{edit.Costs{NodeInsert: math.Pi, NodeDelete: 1, NodeSubstitute: 1, EdgeInsert: 1, EdgeDelete: 1}, false},
		{edit.Costs{NodeInsert: 1e6, NodeDelete: 1, NodeSubstitute: 1, EdgeInsert: 1, EdgeDelete: 1}, false},
		{edit.Costs{}, true},
	} {
		p, err := edit.Price(edit.GED, c.costs)
		if err != nil {
			t.Fatal(err)
		}
		if got := within.New(p, nil) != nil; got != c.want {
			t.Errorf("%+v: a decider: %v", c.costs, got)
		}
	}
}

// TestIdle: a state whose bound stands still at what a map of interest earns is branched on after a few passes.
func TestIdle(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	vocab := graph.NewVocabulary()
	d, s := underUniform(t)
	for trial := range 200 {
		shape := gedtest.Shape{MinNodes: 6, MaxNodes: 9, Density: 0.3, NodeLabels: 2, EdgeLabels: 1}
		q, g := gedtest.Graph(rng, vocab, shape), gedtest.Graph(rng, vocab, shape)
		want, err := s.Distance(t.Context(), q, g, ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		passes := 0
		r, _ := d.Decide(q, g, want.Upper, within.Limits{States: 1, Stop: func() bool { passes++; return false }})
		if passes > 30 {
			t.Errorf("trial %d: %d passes, bounds [%v, %v]", trial, passes, r.Lower, r.Upper)
		}
	}
}
