// Package truth computes, stores and reads ground truth: pairs of a query and a target with
// proven bounds of their distance.
package truth

import (
	"context"
	"iter"
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

// Row is a pair as files have it: under the ids of its graphs, with the node map if they have those.
type Row struct {
	Query, Target string
	Lower, Upper  float64
	Map           edit.NodeMap
}

// Rows are pairs to be written one after the other, so that they need not be in memory together.
type Rows struct {
	All  iter.Seq2[int, Row] // with what they belong to: their number in a table, or the query of a join
	Maps bool                // they have node maps
}

// Rows returns the rows of the table's pairs under the given ids.
func (t *Table) Rows(queryIDs, targetIDs []string) Rows {
	return Rows{Maps: t.Maps != nil, All: func(yield func(int, Row) bool) {
		for i, p := range t.Pairs {
			r := Row{queryIDs[p.Query], targetIDs[p.Target], p.Lower, p.Upper, nil}
			if t.Maps != nil {
				r.Map = t.Maps[i]
			}
			if !yield(i, r) {
				return
			}
		}
	}}
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
