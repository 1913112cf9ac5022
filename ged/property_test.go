package ged_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

func TestMain(m *testing.M) {
	sweep.LazyGC()
	goleak.VerifyTestMain(m)
}

// oracle returns exact distances under uniform costs.
func oracle(t testing.TB, task edit.Task) func(q, g *graph.Graph) float64 {
	s, err := ged.NewSolver(task, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	return func(q, g *graph.Graph) float64 {
		r, err := s.Distance(context.Background(), q, g, ged.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Exact {
			t.Fatal("not exact without a limit")
		}
		return r.Upper
	}
}

var middling = gedtest.Shape{MinNodes: 4, MaxNodes: 9, Density: 0.3, NodeLabels: 3, EdgeLabels: 2}

func TestMetric(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	d := oracle(t, edit.GED)
	for _, directed := range []bool{false, true} {
		shape := middling
		shape.Directed = directed
		for range 60 {
			vocab := graph.NewVocabulary()
			a, b, c := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
			if d(a, b) != d(b, a) {
				t.Fatalf("GED is not symmetric: %v, %v", d(a, b), d(b, a))
			}
			if d(a, c) > d(a, b)+d(b, c) {
				t.Fatalf("triangle: %v > %v + %v", d(a, c), d(a, b), d(b, c))
			}
			if x := d(a, gedtest.Shuffle(r, a)); x != 0 {
				t.Fatalf("a permuted copy at distance %v", x)
			}
		}
	}
}

func TestHemimetric(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	sed, full := oracle(t, edit.SED), oracle(t, edit.GED)
	for range 60 {
		vocab := graph.NewVocabulary()
		a, b, c := gedtest.Graph(r, vocab, middling), gedtest.Graph(r, vocab, middling), gedtest.Graph(r, vocab, middling)
		if sed(a, c) > sed(a, b)+sed(b, c) {
			t.Fatalf("triangle: %v > %v + %v", sed(a, c), sed(a, b), sed(b, c))
		}
		if sed(a, b) > full(a, b) {
			t.Fatalf("SED %v > GED %v", sed(a, b), full(a, b))
		}
		if x := sed(gedtest.Subgraph(r, a), a); x != 0 {
			t.Fatalf("a subgraph at distance %v", x)
		}
		if part := gedtest.Subgraph(r, b); sed(a, b) > sed(a, part) {
			t.Fatalf("SED rises with the target: %v > %v", sed(a, b), sed(a, part))
		}
	}
}

// TestTheorem1 compares SED with its definition: the least GED to a subgraph of
// the target.
func TestTheorem1(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	shape := gedtest.Shape{MinNodes: 0, MaxNodes: 4, Density: 0.6, NodeLabels: 2, EdgeLabels: 2}
	sed, full := oracle(t, edit.SED), oracle(t, edit.GED)
	for range 40 {
		vocab := graph.NewVocabulary()
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		best := full(q, g)
		for part := range subgraphs(g) {
			best = min(best, full(q, part))
		}
		if got := sed(q, g); got != best {
			t.Fatalf("SED %v, least GED to a subgraph %v\nquery %s\ntarget %s", got, best, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

// subgraphs yields every subgraph of g: of every set of nodes with every set of
// the edges between them. It is meant for graphs of up to four nodes.
func subgraphs(g *graph.Graph) func(yield func(*graph.Graph) bool) {
	return func(yield func(*graph.Graph) bool) {
		for set := range 1 << g.N() {
			var nodes []int
			for v := range g.N() {
				if set>>v&1 == 1 {
					nodes = append(nodes, v)
				}
			}
			part := g.Induced(nodes)
			for kept := range 1 << part.M() {
				b := graph.NewBuilder(g.Vocabulary(), g.Directed())
				for v := range part.N() {
					b.AddNodeLabel(part.Label(v))
				}
				i := 0
				for e := range part.Edges() {
					if kept>>i&1 == 1 {
						if err := b.AddEdgeLabel(e.From, e.To, e.Label); err != nil {
							panic(err)
						}
					}
					i++
				}
				sub, err := b.Build()
				if err != nil {
					panic(err)
				}
				if !yield(sub) {
					return
				}
			}
		}
	}
}

// TestNoAllocation allows for the node map of the result and nothing else, for
// however many states.
func TestNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 12, MaxNodes: 12, Density: 0.3, NodeLabels: 2, EdgeLabels: 2}
	q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	s, err := ged.NewSolver(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var states int64
	allocs := testing.AllocsPerRun(5, func() {
		res, err := s.Distance(ctx, q, g, ged.Options{States: 3000})
		if err != nil {
			t.Fatal(err)
		}
		states = res.States
	})
	if allocs > 3 {
		t.Errorf("%v allocations for %d states", allocs, states)
	}
}

func FuzzDistance(f *testing.F) {
	f.Add(uint64(1), false, uint8(2), uint8(1))
	f.Add(uint64(2), true, uint8(1), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, directed bool, nodeLabels, edgeLabels uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		shape := gedtest.Shape{
			MaxNodes: 5, Density: r.Float64(), Directed: directed,
			NodeLabels: 1 + int(nodeLabels%4), EdgeLabels: 1 + int(edgeLabels%4), Wildcards: r.Float64() / 4,
		}
		vocab := graph.NewVocabulary()
		q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			p, err := edit.Price(task, edit.Uniform(), q, g)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := gedtest.BruteForce(p, q, g)
			if got := oracle(t, task)(q, g); got != want {
				t.Fatalf("%v %v, want %v\nquery %s\ntarget %s", task, got, want, gedtest.Text(q), gedtest.Text(g))
			}
		}
	})
}
