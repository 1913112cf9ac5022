// Package truth computes, stores and reads ground truth: pairs of a query and a target with
// proven bounds of their distance.
package truth

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// Pair is a query and a target, by their positions in two collections, with
// Lower ≤ distance ≤ Upper in edit-cost units. The bounds of a pair of which
// nothing is known are 0 and +Inf.
type Pair struct {
	Query, Target int32
	Lower, Upper  float64
}

// Exact reports whether the bounds meet.
func (p Pair) Exact() bool { return p.Lower == p.Upper }

// Table is pairs with their bounds, in order. Maps holds for every pair a node
// map that attains Upper, [len(Pairs)], or is nil.
type Table struct {
	Pairs []Pair
	Maps  []edit.NodeMap
}

// Solver bounds the distance of one pair at a time; [ged.Solver] does. Every
// worker has its own.
type Solver interface {
	Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error)
}

// NewPair returns a pair of which nothing is known.
func NewPair(query, target int) Pair {
	return Pair{int32(query), int32(target), 0, math.Inf(1)}
}

// AllPairs returns every query with every target, query by query.
func AllPairs(queries, targets int) []Pair {
	pairs := make([]Pair, 0, queries*targets)
	for q := range queries {
		for t := range targets {
			pairs = append(pairs, NewPair(q, t))
		}
	}
	return pairs
}

// PairsOnce returns the pairs of the first graphs of a collection with all its others, each
// once, the earlier as the query.
func PairsOnce(first, graphs int) []Pair {
	var pairs []Pair
	for q := range first {
		for t := q + 1; t < graphs; t++ {
			pairs = append(pairs, NewPair(q, t))
		}
	}
	return pairs
}

// RandomPairs draws count pairs, query and target independently and uniformly;
// a pair may come twice. It panics if count > 0 and there is nothing to draw.
func RandomPairs(rng *rand.Rand, queries, targets, count int) []Pair {
	pairs := make([]Pair, count)
	for i := range pairs {
		pairs[i] = NewPair(rng.IntN(queries), rng.IntN(targets))
	}
	return pairs
}
