// Package train fits a model to ground truth: pairs of graphs with lower and upper bounds of
// their edit distance.
package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

// Data is the ground truth to fit: graphs over one vocabulary, and blocks of pairs of them
// with bounds of their distances.
type Data struct {
	Graphs []*graph.Graph
	Train  []Block
	Valid  []Block
	// Held says what was held out of Train for validation.
	Held Held
	// Learnt lists the graphs of the collection that are in Train, without edited copies and
	// sampled queries. Unseen lists those that only Valid has.
	Learnt []*graph.Graph
	Unseen []*graph.Graph
	// Hops is the radius of the neighbourhoods that replace large graphs, 0 if there are
	// none. Sampler sampled the queries, if any.
	Hops    int
	Sampler sample.Sampler
}

// Held is what is held out for validation.
type Held int

// Graphs are held out if there are enough graphs and pairs, else pairs of training graphs,
// and nothing if there are too few even of these.
const (
	HeldGraphs Held = iota
	HeldPairs
	HeldNothing
)

// Block holds bounds for all pairs of some queries and some targets, query by query: pair (i,
// j) is number i*len(Targets)+j. Blocks make training cheap, because n + m embeddings serve
// n·m pairs. If the bounds of a pair are unknown, its Lower is NaN.
type Block struct {
	Queries, Targets []int32 // positions in Data.Graphs
	Lower, Upper     []float32
}

// Pairs returns the number of pairs with known bounds.
func (b Block) Pairs() int {
	n := 0
	for _, l := range b.Lower {
		if !math.IsNaN(float64(l)) {
			n++
		}
	}
	return n
}

// graphs returns the queries and the targets.
func (b Block) graphs() []int32 { return slices.Concat(b.Queries, b.Targets) }

// ErrNoPairs means that there are no pairs to train on or to validate with.
var ErrNoPairs = errors.New("train: no pairs with known distances to learn from or to validate with")

// Check returns an error unless the data can be trained on.
func (d Data) Check() error {
	for i, g := range d.Graphs {
		if g.Directed() != d.Graphs[0].Directed() {
			return fmt.Errorf("train: of graphs 0 and %d, one is directed and the other is not", i)
		}
	}
	for _, set := range [][]Block{d.Train, d.Valid} {
		pairs := 0
		for i, b := range set {
			if n := len(b.Queries) * len(b.Targets); len(b.Lower) != n || len(b.Upper) != n {
				return fmt.Errorf("train: block %d has %d pairs and %d, %d bounds", i, n, len(b.Lower), len(b.Upper))
			}
			for k, l := range b.Lower {
				if u := b.Upper[k]; l < 0 || u < l || math.IsInf(float64(l), 1) || l == l && u != u {
					return fmt.Errorf("train: block %d, pair %d has bounds [%v, %v]", i, k, l, u)
				}
			}
			for _, id := range b.graphs() {
				if id < 0 || int(id) >= len(d.Graphs) {
					return fmt.Errorf("train: block %d names graph %d of %d", i, id, len(d.Graphs))
				}
			}
			pairs += b.Pairs()
		}
		if pairs == 0 {
			return ErrNoPairs
		}
	}
	return nil
}

// ErrNoDistances means that all distances to validate with are 0.
var ErrNoDistances = errors.New("all distances to validate with are 0, so there is none to learn: the graphs are " +
	"copies of each other, or the costs ignore what they differ in")

// checkDistances returns an error that wraps [ErrNoDistances] if all pairs to validate with are at distance 0, as
// copies of one graph are: any model predicts that, and its error would say nothing.
func (d Data) checkDistances() error {
	for _, b := range d.Valid {
		for _, u := range b.Upper {
			if u > 0 {
				return nil
			}
		}
	}
	return fmt.Errorf("train: %w", ErrNoDistances)
}
