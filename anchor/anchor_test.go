package anchor_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/greedgraph/greed/anchor"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/clock"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/graphtest"
)

// TestMap: what comes back is a node map that contains the fixed pairs, of any two graphs, for both tasks and all
// kinds of costs.
func TestMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vocab := graph.NewVocabulary()
		gen := graphtest.Graph(vocab, graphtest.Shape{MaxNodes: 12, NodeLabels: 3, EdgeLabels: 2, Directed: rapid.Bool().Draw(t, "directed")})
		q, g := gen.Draw(t, "query"), gen.Draw(t, "target")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		task := edit.Task(rapid.IntRange(0, 1).Draw(t, "task"))
		for name, costs := range gedtest.Costs() {
			p, err := edit.Price(task, costs(r), q, g)
			if err != nil {
				continue // a table without one of the labels
			}
			a, b := p.Ready(q), p.Ready(g)
			var fixed [][2]int
			from, to := r.Perm(q.N()), r.Perm(g.N())
			for i := range min(len(from), len(to), 4) {
				switch i % 3 {
				case 0:
					fixed = append(fixed, [2]int{from[i], to[i]})
				case 1:
					fixed = append(fixed, [2]int{from[i], edit.Deleted}, [2]int{edit.Deleted, to[i]})
				}
			}
			m := anchor.Map(p, a, b, fixed, nil)
			if err := m.Check(q, g); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, pair := range fixed {
				if pair[0] >= 0 && m[pair[0]] != pair[1] || pair[0] < 0 && slices.Contains(m, pair[1]) {
					t.Fatalf("%s: fixed %v, map %v", name, fixed, m)
				}
			}
		}
	})
}

// TestCopies: of a graph and a copy with its nodes in another order, in which every node has another colour or is
// as good as those of the same colour, the map costs nothing.
func TestCopies(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 60))
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{
			MinNodes: 300, MaxNodes: 300, Density: 0.01, NodeLabels: 1 + int(seed%3), EdgeLabels: 1 + int(seed%2), Directed: seed%4 < 2,
		}
		q := gedtest.Graph(r, vocab, shape)
		g := gedtest.Shuffle(r, q)
		p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
		if err != nil {
			t.Fatal(err)
		}
		if cost := edit.InducedCost(p, q, g, anchor.Map(p, q, g, nil, nil)); cost != 0 {
			t.Errorf("seed %d: %v", seed, cost)
		}
	}
}

// TestEndedClock: a clock that has ended leaves a node map all the same.
func TestEndedClock(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := clock.New(ctx, time.Now(), time.Nanosecond)
	c.Look()
	vocab := graph.NewVocabulary()
	r := rand.New(rand.NewPCG(1, 60))
	shape := gedtest.Shape{MinNodes: 200, MaxNodes: 220, Density: 0.03, NodeLabels: 2, EdgeLabels: 2}
	q, g := gedtest.Graph(r, vocab, shape), gedtest.Graph(r, vocab, shape)
	p, err := edit.Price(edit.GED, edit.Uniform(), q, g)
	if err != nil {
		t.Fatal(err)
	}
	if err := anchor.Map(p, q, g, nil, &c).Check(q, g); err != nil {
		t.Error(err)
	}
}
