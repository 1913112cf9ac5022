package search

import (
	"slices"
	"sync"

	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// copies knows the graphs that were decided, so that an equal one need not be. It tells
// graphs apart by their numbering, too: to find out that two graphs are isomorphic takes
// about as long as to decide whether a small one is within a small radius, and copies in
// collections mostly come from the same source.
type copies struct {
	mu     sync.Mutex
	byHash map[uint64]decision
}

// decision is what is known of a graph.
type decision struct {
	graph  *graph.Graph
	bounds ged.Result
}

// hashOf returns a hash of a graph with its numbering; that of equal graphs is the same.
func hashOf(g *graph.Graph) uint64 {
	h := uint64(g.N())
	mix := func(x int) {
		h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for _, l := range g.Labels() {
		mix(int(l))
	}
	for e := range g.Edges() {
		mix(e.From)
		mix(e.To)
		mix(int(e.Label))
	}
	return h
}

// decided reports whether an equal graph was decided in a way that tells whether the
// distance to g, of this hash, is below upper, and which it is. It leaves that in k.
func (c *copies) decided(g *graph.Graph, hash uint64, k *candidate, upper float64) bool {
	c.mu.Lock()
	d, ok := c.byHash[hash]
	c.mu.Unlock()
	if !ok || !d.bounds.Exact && !(d.bounds.Lower >= upper) || !graph.Equal(g, d.graph) {
		return false
	}
	d.bounds.Map = slices.Clone(d.bounds.Map)
	k.improve(d.bounds)
	k.seen(copying)
	return true
}

// mostCopies bounds how many graphs are kept in memory to compare others with.
const mostCopies = 1 << 14

// add records what is known of g. What was known of an equal graph is worse: it did not
// decide.
func (c *copies) add(g *graph.Graph, hash uint64, k *candidate) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byHash == nil {
		c.byHash = make(map[uint64]decision)
	}
	if len(c.byHash) < mostCopies {
		c.byHash[hash] = decision{g, k.bounds()}
	}
}
