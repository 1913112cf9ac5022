package search

import (
	"slices"
	"sync"

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

// decision is what is known of a graph. It is a copy: another worker may improve the
// answer.
type decision struct {
	graph  *graph.Graph
	answer Answer
}

// decided reports whether an equal graph was decided in a way that tells whether the
// distance to g is below upper, and which it is. It leaves that in a.
func (c *copies) decided(g *graph.Graph, a *Answer, upper float64) bool {
	c.mu.Lock()
	d, ok := c.byHash[g.Digest()]
	c.mu.Unlock()
	if !ok || !d.answer.Exact && !(d.answer.Lower >= upper) || !graph.Equal(g, d.graph) {
		return false
	}
	a.Lower, a.Upper, a.Exact, a.Map = d.answer.Lower, d.answer.Upper, d.answer.Exact, slices.Clone(d.answer.Map)
	a.copied = true
	return true
}

// mostCopies bounds how many graphs are kept in memory to compare others with.
const mostCopies = 1 << 14

// add records what is known of g.
func (c *copies) add(g *graph.Graph, a *Answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byHash == nil {
		c.byHash = make(map[uint64]decision)
	}
	if len(c.byHash) < mostCopies {
		c.byHash[g.Digest()] = decision{g, *a}
	}
}
