// Package sample draws queries for subgraph search as the paper does, makes edited copies
// for training, and splits collections so that isomorphic graphs stay together.
//
// Everything random is a function of the generator passed in.
package sample

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

// Sampler draws a connected subgraph of g around a node. Implementations hold
// parameters only and may be used concurrently.
type Sampler interface {
	// Draw returns a connected subgraph of g that contains start, as its node
	// 0. Edges of a directed graph are crossed both ways and keep their
	// direction.
	Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph
}

// Limits are the sizes that a query may have, ends included.
type Limits struct {
	MinNodes, MaxNodes int
	MinEdges           int
}

// PaperLimits returns the limits of the paper's queries: 5 to 25 nodes and at
// least one edge.
func PaperLimits() Limits { return Limits{MinNodes: 5, MaxNodes: 25, MinEdges: 1} }

// Admit reports whether g is within the limits.
func (l Limits) Admit(g *graph.Graph) bool {
	return l.MinNodes <= g.N() && g.N() <= l.MaxNodes && g.M() >= l.MinEdges
}

// ErrNoQuery is returned when a source does not give queries within the limits.
var ErrNoQuery = errors.New("sample: found no subgraph within the limits")

// attempts is how often in a row [Queries] draws in vain before it gives up.
const attempts = 100_000

// Query is a subgraph drawn from a target of a [Source].
type Query struct {
	Graph  *graph.Graph
	Target int // that it was drawn from
}

// Queries draws count queries: each from a target chosen uniformly, redrawn
// with another target as long as it is outside the limits. It returns an error
// that wraps [ErrNoQuery] if hardly any draw fits.
func Queries(rng *rand.Rand, from Source, s Sampler, limits Limits, count int) ([]Query, error) {
	if count > 0 && from.Len() == 0 {
		return nil, fmt.Errorf("%w: there are no targets", ErrNoQuery)
	}
	queries := make([]Query, 0, count)
	for vain := 0; len(queries) < count; vain++ {
		if vain == attempts {
			return nil, fmt.Errorf("%w: none of %d draws in a row had %d to %d nodes and at least %d edges",
				ErrNoQuery, attempts, limits.MinNodes, limits.MaxNodes, limits.MinEdges)
		}
		i := rng.IntN(from.Len())
		g := from.Target(i)
		if g.N() == 0 {
			continue
		}
		if q := s.Draw(rng, g, from.Start(rng, i, g)); limits.Admit(q) {
			queries = append(queries, Query{q, i})
			vain = -1
		}
	}
	return queries, nil
}

// Source is a collection of targets to draw queries from.
type Source interface {
	// Len returns the number of targets.
	Len() int
	// Target returns target i, which may be made on the spot.
	Target(i int) *graph.Graph
	// Start returns the node of target i, which is g, where a draw begins.
	Start(rng *rand.Rand, i int, g *graph.Graph) int
}

// Whole is a source of whole graphs; draws begin at a node chosen uniformly.
type Whole []*graph.Graph

// Len returns the number of graphs.
func (w Whole) Len() int { return len(w) }

// Target returns graph i.
func (w Whole) Target(i int) *graph.Graph { return w[i] }

// Start returns a node of g chosen uniformly.
func (w Whole) Start(rng *rand.Rand, _ int, g *graph.Graph) int { return rng.IntN(g.N()) }

// Rooted is a source of whole graphs where every draw begins at node 0. The
// published sizes of the paper's queries on AIDS and Protein come out this way
// and not with [Whole].
type Rooted []*graph.Graph

// Len returns the number of graphs.
func (r Rooted) Len() int { return len(r) }

// Target returns graph i.
func (r Rooted) Target(i int) *graph.Graph { return r[i] }

// Start returns node 0.
func (r Rooted) Start(*rand.Rand, int, *graph.Graph) int { return 0 }

// BFS is the paper's query sampler: a breadth-first search of Depth steps from
// the start that follows each edge at a frontier node with probability Keep. An
// edge between two frontier nodes gets a chance from each end. The result holds
// the edges followed and is in general not an induced subgraph.
type BFS struct {
	Depth int
	Keep  float64
}

// Draw returns the subgraph found by one search.
func (s BFS) Draw(rng *rand.Rand, g *graph.Graph, start int) *graph.Graph {
	t := NewTrace(g, start)
	begin := 0
	for range s.Depth {
		end := len(t.Nodes)
		for _, v := range t.Nodes[begin:end] {
			for i := range g.Degree(v) {
				if rng.Float64() < s.Keep {
					t.Cross(StepAt(g, v, i))
				}
			}
		}
		begin = end
	}
	return t.Graph()
}
