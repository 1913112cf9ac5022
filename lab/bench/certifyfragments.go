package bench

import (
	"context"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// Sizes of the chains that openRings draws, in nodes.
const (
	leastChain = 4
	mostChain  = 8
)

// openRings reads the AIDS screen. Queries are rings and chains of it in turns.
func openRings(ctx context.Context, o *CertifyOptions) (*contest, error) {
	vocab := graph.NewVocabulary()
	records, err := o.readScreen(vocab, "aids42k")
	if err != nil {
		return nil, err
	}
	c := &contest{collection: search.NewCollection(vocab, records), costs: edit.Uniform()}
	rng := newRand(42)
	// Collections of a test may have no ring.
	for tries := 0; len(c.queries) < o.Queries && tries < 1000*o.Queries; tries++ {
		g := records[rng.IntN(len(records))].Graph
		if g.M() == 0 {
			continue
		}
		draw := ring
		if len(c.queries)%2 == 1 {
			draw = chain
		}
		if f := draw(rng, g); f != nil {
			c.queries = append(c.queries, question{f, -1})
		}
	}
	return c, o.attach(ctx, c, edit.SED)
}

// ring returns the shortest ring through a random edge of g, or nil if there is none.
func ring(rng *rand.Rand, g *graph.Graph) *graph.Graph {
	from := rng.IntN(g.N())
	if g.Degree(from) == 0 {
		return nil
	}
	to := int(g.Out(from)[rng.IntN(g.Degree(from))].To)
	before := map[int]int{from: -1}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		for _, a := range g.Out(v) {
			w := int(a.To)
			if _, seen := before[w]; seen || v == from && w == to {
				continue
			}
			before[w] = v
			queue = append(queue, w)
		}
	}
	if _, ok := before[to]; !ok {
		return nil
	}
	var nodes []int
	for v := to; v >= 0; v = before[v] {
		nodes = append(nodes, v)
	}
	return g.Induced(nodes)
}

// chain returns a random path of g without further edges between its nodes, or nil if a
// try finds none.
func chain(rng *rand.Rand, g *graph.Graph) *graph.Graph {
	n := leastChain + rng.IntN(mostChain-leastChain+1)
	v := rng.IntN(g.N())
	nodes, on := []int{v}, map[int]bool{v: true}
	for len(nodes) < n {
		if g.Degree(v) == 0 {
			return nil
		}
		if v = int(g.Out(v)[rng.IntN(g.Degree(v))].To); on[v] {
			return nil
		}
		nodes, on[v] = append(nodes, v), true
	}
	if f := g.Induced(nodes); f.M() == n-1 {
		return f
	}
	return nil
}
