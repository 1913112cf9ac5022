package baseline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// TestSearch: without a heuristic the search is exact; with one that is wrong, or a
// limit, it finds a map that costs what it says.
func TestSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	ctx := context.Background()
	nothing := func(_ int, _ []bool, children []int) []float64 { return make([]float64, len(children)) }
	wrong := func(_ int, _ []bool, children []int) []float64 {
		h := make([]float64, len(children))
		for i := range h {
			h[i] = 6 * rng.Float64()
		}
		return h
	}
	costs := edit.Uniform()
	costs.NodeInsert, costs.EdgeDelete, costs.EdgeSubstitute = 2, 3, 0.5
	for _, directed := range []bool{false, true} {
		for _, c := range []edit.Costs{edit.Uniform().IgnoreEdgeLabels(), costs} {
			solver, err := ged.NewSolver(edit.GED, c)
			must(err)
			for range 40 {
				vocab := graph.NewVocabulary()
				q, g := randomGraph(rng, vocab, rng.IntN(6), directed, true), randomGraph(rng, vocab, rng.IntN(6), directed, true)
				price, err := edit.Price(edit.GED, c, q, g)
				must(err)
				p := newPaths(price, q, g)
				want, err := solver.Distance(ctx, q, g, ged.Options{})
				must(err)
				what := fmt.Sprintf("directed=%v, %d and %d nodes", directed, q.N(), g.N())
				if cost, _, whole := p.search(ctx, math.MaxInt, nothing); !whole || math.Abs(cost-want.Upper) > 1e-9 {
					t.Fatalf("%s: %v, whole %v, want %v", what, cost, whole, want.Upper)
				}
				for _, limit := range []int{0, 3, math.MaxInt} {
					cost, m, whole := p.search(ctx, limit, wrong)
					if err := m.Check(q, g); err != nil || cost != edit.InducedCost(price, q, g, m) || cost < want.Lower-1e-9 {
						t.Fatalf("%s: limit %d: %v by %v, want at least %v: %v", what, limit, cost, m, want.Lower, err)
					}
					if limit == math.MaxInt && !whole {
						t.Fatalf("%s: a search without a limit did not end by itself", what)
					}
				}
			}
		}
	}
}
