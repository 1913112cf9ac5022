package postgres

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/gedtest"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/norm"
)

func FuzzDecodeGraph(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		g := gedtest.Graph(rng, graph.NewVocabulary(), gedtest.Shape{MaxNodes: 5, Density: 0.4, NodeLabels: 2, EdgeLabels: 2})
		ids := make([]string, g.N())
		f.Add(appendGraph(nil, g, ids))
		f.Add(appendGraph(nil, g, nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		g, ids, err := decodeGraph(b, graph.NewVocabulary())
		if err != nil {
			return
		}
		code := appendGraph(nil, g, ids)
		again, ids2, err := decodeGraph(code, graph.NewVocabulary())
		if err != nil || !slices.Equal(ids, ids2) || !bytes.Equal(code, appendGraph(nil, again, ids2)) {
			t.Errorf("%x is decoded to another graph once more: %v", b, err)
		}
	})
}

func TestGraphsComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		vocab := graph.NewVocabulary()
		g := gedtest.Graph(rng, vocab, gedtest.Shape{MaxNodes: 7, Density: 0.4, NodeLabels: 3, EdgeLabels: 3})
		back, _, err := decodeGraph(appendGraph(nil, g, nil), vocab)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(appendGraph(nil, back, nil), appendGraph(nil, g, nil)) || !graph.Isomorphic(g, back) || back.Directed() != g.Directed() {
			t.Fatalf("%v comes back as %v", g, back)
		}
	}
}

// TestCountsBoundDistances compares the bounds of SQL, computed here, with the solver.
func TestCountsBoundDistances(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tight := 0
	for range 1500 {
		vocab := graph.NewVocabulary()
		shape := gedtest.Shape{MaxNodes: 5, Density: 0.4, NodeLabels: 3, EdgeLabels: 2}
		q, g := gedtest.Graph(rng, vocab, shape), gedtest.Graph(rng, vocab, shape)
		if q.Directed() != g.Directed() {
			continue
		}
		costs := edit.Uniform()
		if rng.IntN(2) == 0 {
			costs = edit.Costs{NodeInsert: 1 + rng.Float64(), NodeDelete: 1, NodeSubstitute: rng.Float64(), EdgeInsert: 2, EdgeDelete: 0.5 + rng.Float64(), EdgeSubstitute: 0.25}
		}
		for _, task := range []edit.Task{edit.GED, edit.SED} {
			p, err := edit.Price(task, costs)
			if err != nil {
				t.Fatal(err)
			}
			c := newCounted(p, q)
			target := countsOf(g)
			if c.query == nil || target == nil {
				continue
			}
			n := norm.Single(norm.L1, counters, task == edit.SED)
			query := slices.Clone(c.query)
			weight, bound := c.unit.Cost(float64(c.weight)), 0.0
			if task == edit.SED {
				query[counters-2], query[counters-1] = -math.MaxFloat32, -math.MaxFloat32
				bound = weight * n.Distance(query, target)
			} else {
				bound = weight / 2 * n.Distance(query, target)
			}
			s, err := ged.NewSolver(task, costs)
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Distance(t.Context(), q, g, ged.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if bound > r.Upper {
				t.Fatalf("%v: bound %v, distance %v: %v and %v", task, bound, r.Upper, q, g)
			}
			if bound == r.Upper && bound > 0 {
				tight++
			}
		}
	}
	if tight == 0 {
		t.Error("no bound is tight")
	}
}
