package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

func TestFilterIsLowerBound(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 3000 {
		x := gedtest.RandomInstance(r, 4)
		exact, _ := gedtest.BruteForce(x.Pricing, x.Q, x.T)
		exact = x.Pricing.Unit(0).Sum(exact)
		f, q, s := NewFilter(x.Pricing), Sign(x.Q), Sign(x.T)
		both := f.Lower(q, s)
		if both > exact {
			t.Fatalf("seed %d trial %d: lower bound %v of distance %v\n%v", seed, trial, both, exact, x)
		}
		if upper := f.Upper(q, s); upper < exact*(1-1e-12) {
			t.Fatalf("seed %d trial %d: upper bound %v of distance %v\n%v", seed, trial, upper, exact, x)
		}
		for _, guess := range []float64{0, exact - 1, exact, exact + 0.5, 2*exact + 9} {
			if c := f.Clip(guess, q, s); math.Abs(c-exact) > math.Abs(guess-exact)+1e-12*exact || c < both {
				t.Fatalf("seed %d trial %d: %v becomes %v, the distance is %v\n%v", seed, trial, guess, c, exact, x)
			}
		}
		if l, d := f.Labels(q, s), f.Degrees(q, s); l > both || d > both {
			t.Fatalf("seed %d trial %d: labels %v or degrees %v above %v together\n%v", seed, trial, l, d, both, x)
		}
	}
}

// TestFilterByHand pins the bound where its parts are plain to see.
func TestFilterByHand(t *testing.T) {
	vocab := graph.NewVocabulary()
	star := build(t, vocab, false, "CCCC", [][2]int{{0, 1}, {0, 2}, {0, 3}})
	path := build(t, vocab, false, "CCCN", [][2]int{{0, 1}, {1, 2}, {2, 3}})
	edgeless := build(t, vocab, false, "NO", nil)
	for _, c := range []struct {
		name                   string
		task                   edit.Task
		q, t                   *graph.Graph
		labels, degrees, lower float64
	}{
		// One label differs; degrees 3111 against 2211 cost a deletion and an insertion.
		{"ged star path", edit.GED, star, path, 1, 2, 3},
		{"sed star path", edit.SED, star, path, 1, 1, 2},
		// Two nodes and three edges go, one N stays, one more label differs.
		{"ged path edgeless", edit.GED, path, edgeless, 6, 5, 6},
		{"ged edgeless path", edit.GED, edgeless, path, 6, 5, 6},
		{"sed edgeless path", edit.SED, edgeless, path, 1, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := edit.Price(c.task, edit.Uniform())
			if err != nil {
				t.Fatal(err)
			}
			f, q, s := NewFilter(p), Sign(c.q), Sign(c.t)
			if l, d, both := f.Labels(q, s), f.Degrees(q, s), f.Lower(q, s); l != c.labels || d != c.degrees || both != c.lower {
				t.Errorf("labels %v, degrees %v, both %v; want %v, %v, %v", l, d, both, c.labels, c.degrees, c.lower)
			}
		})
	}
}

func build(t *testing.T, vocab *graph.Vocabulary, directed bool, labels string, edges [][2]int) *graph.Graph {
	t.Helper()
	b := graph.NewBuilder(vocab, directed)
	for _, l := range labels {
		b.AddNode(string(l))
	}
	for _, e := range edges {
		if err := b.AddEdge(e[0], e[1], "1"); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFilterDoesNotAllocate(t *testing.T) {
	x := gedtest.RandomInstance(rand.New(rand.NewPCG(2, 0)), 10)
	f, q, s := NewFilter(x.Pricing), Sign(x.Q), Sign(x.T)
	if n := testing.AllocsPerRun(100, func() { f.Lower(q, s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFilterPanicsOnMixedDirections(t *testing.T) {
	vocab := graph.NewVocabulary()
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	NewFilter(p).Lower(Sign(build(t, vocab, false, "A", nil)), Sign(build(t, vocab, true, "A", nil)))
}

func BenchmarkFilter(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 0))
	vocab := graph.NewVocabulary()
	shape := gedtest.Shape{MinNodes: 9, MaxNodes: 9, Density: 0.25, NodeLabels: 3, EdgeLabels: 3}
	q, t := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	p, err := edit.Price(edit.GED, edit.Uniform())
	if err != nil {
		b.Fatal(err)
	}
	f, sq, st := NewFilter(p), Sign(q), Sign(t)
	for b.Loop() {
		f.Lower(sq, st)
	}
}
