package mcs

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
)

// common reports whether m is an isomorphism of induced subgraphs, and how many
// nodes they have.
func common(q, t *graph.Graph, m edit.NodeMap, opt Options) (size int, ok bool) {
	var nodes []int
	for v, w := range m {
		if w == edit.Deleted {
			continue
		}
		if q.Label(v) != t.Label(w) {
			return 0, false
		}
		for _, v2 := range nodes {
			for _, e := range [][2]int{{v, v2}, {v2, v}} {
				a, joined := q.Edge(e[0], e[1])
				b, other := t.Edge(m[e[0]], m[e[1]])
				if joined != other || joined && a != b && !opt.IgnoreEdgeLabels {
					return 0, false
				}
			}
		}
		nodes = append(nodes, v)
	}
	if opt.Connected && len(nodes) > 0 {
		if _, parts := q.Induced(nodes).Components(); parts > 1 {
			return 0, false
		}
	}
	return len(nodes), true
}

func TestLargestAgainstBruteForce(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for trial := range 2000 {
		q, g := randomPair(r, 5, 0.1*float64(r.IntN(2)))
		opt := Options{Connected: r.IntN(2) == 0, IgnoreEdgeLabels: r.IntN(2) == 0}
		want := 0
		for m := range gedtest.NodeMaps(q.N(), g.N()) {
			if size, ok := common(q, g, m, opt); ok {
				want = max(want, size)
			}
		}
		got, err := Largest(t.Context(), q, g, opt)
		if err != nil {
			t.Fatal(err)
		}
		size, ok := common(q, g, got.Map, opt)
		if !ok || size != got.Size || got.Size != want || !got.Exact {
			t.Fatalf("seed %d trial %d: size %d to %d, exact %v, map %v (common %v), want %d, %+v\nquery %v\ntarget %v",
				seed, trial, got.Size, got.Upper, got.Exact, got.Map, ok, want, opt, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

func TestLargestIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for range 300 {
		q, g := randomPair(r, 10, 0)
		opt := Options{Connected: r.IntN(2) == 0}
		there, err := Largest(t.Context(), q, g, opt)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Largest(t.Context(), gedtest.Shuffle(r, g), gedtest.Shuffle(r, q), opt)
		if err != nil {
			t.Fatal(err)
		}
		if there.Size != back.Size {
			t.Fatalf("%d one way, %d the other, %+v\nquery %v\ntarget %v", there.Size, back.Size, opt, gedtest.Text(q), gedtest.Text(g))
		}
	}
}

// TestLargestStopped holds the bounds of searches cut off anywhere against the
// size that a whole search proves.
func TestLargestStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		q, g := randomPair(r, 9, 0)
		whole, err := Largest(t.Context(), q, g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for states := int64(0); states < 200; states = 2*states + 1 {
			ctx, opt := t.Context(), Options{States: states}
			if states == 0 {
				ctx = cancelled
			}
			part, err := Largest(ctx, q, g, opt)
			if err != nil {
				t.Fatal(err)
			}
			size, ok := common(q, g, part.Map, opt)
			if !ok || size != part.Size || part.Size > whole.Size || part.Upper < whole.Size || part.Exact != (part.Size == part.Upper) {
				t.Fatalf("after %d states: size %d to %d, exact %v, map %v; the size is %d", states, part.Size, part.Upper, part.Exact, part.Map, whole.Size)
			}
		}
	}
}

func TestLargestHonoursTime(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	shape := gedtest.Shape{MinNodes: 40, MaxNodes: 40, Density: 0.5, NodeLabels: 1, EdgeLabels: 1}
	vocab := graph.NewVocabulary()
	q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	got, err := Largest(t.Context(), q, g, Options{Time: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if size, ok := common(q, g, got.Map, Options{}); !ok || size != got.Size || got.Exact || got.Upper <= got.Size {
		t.Errorf("size %d to %d, exact %v; a search of hours was expected", got.Size, got.Upper, got.Exact)
	}
}

func BenchmarkLargest(b *testing.B) {
	graphs := graphsOf(b, "aids/aids.txt")
	for _, c := range []struct {
		name string
		opt  Options
	}{{"any", Options{}}, {"connected", Options{Connected: true}}} {
		b.Run(c.name, func(b *testing.B) {
			n, exact := 0, 0
			for b.Loop() {
				n++
				opt := c.opt
				opt.States = 100000
				r, err := Largest(b.Context(), graphs[n%len(graphs)], graphs[(7*n+1)%len(graphs)], opt)
				if err != nil {
					b.Fatal(err)
				}
				if r.Exact {
					exact++
				}
			}
			b.ReportMetric(float64(exact)/float64(n), "exact/op")
		})
	}
}
