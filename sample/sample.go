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
