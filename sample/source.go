package sample

import (
	"math/rand/v2"

	"github.com/greedgraph/greed/graph"
)

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
