package space

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Options say what a search looks for.
type Options struct {
	Task edit.Task
	// SMARTS, if not nil, asks for what contains this pattern. The query is its graph ([chem.SMARTS.Graph]), the task
	// [edit.SED] and the radius 0.
	SMARTS *chem.SMARTS
	// Radius is the greatest distance of an answer; nil: that of the K nearest.
	Radius *float64
	// K is how many answers are wanted at most; 0: all within the radius.
	K int
	// Accept limits the search to the products of the reactions for which it is true; nil keeps all.
	Accept func(*Reaction) bool
	// Having limits it to the products that have, for each of these, a synthon for which it is true.
	Having  []func(*Synthon) bool
	Time    time.Duration // 0: no limit
	Memory  int64         // bytes that the solver may use for a product; 0: the usual ones
	Workers int           // 0: one per core
}

// Answer is a product. Reactions that make the same product, with the same stereochemistry, are its origins.
type Answer struct {
	SMILES       string
	Distance     float64
	Nodes, Edges int // of its graph
	// Map gives the atom of SMILES, counted from 0, that each node of the query becomes; it costs the distance, or is
	// a match of the pattern.
	Map     edit.NodeMap
	Origins []Product
}

// Result is what a search found.
type Result struct {
	// Answers are the products found, the nearest first; those as far away are in the order of the file.
	Answers []Answer
	// Complete reports that the answers are proven: no other product is within the radius or, of the K nearest,
	// nearer than the last. Otherwise time was up.
	Complete bool
	// Radius is how far the search got: all products within this distance are among the answers, unless there
	// are more than K. It is negative if there is no such distance.
	Radius float64
	// Tied reports that there may be other products as far away as the last of K.
	Tied bool
	// Open is the number of products that bounds leave open, where the search ended before, and -1 if they were not
	// counted.
	Open int64
	// Contain are the least and the greatest number of products that contain the query, each way to make one counted,
	// where the search is for those and could count them without making them.
	Contain *[2]uint64

	Stats Stats
}

// Stats count what a search looked at.
type Stats struct {
	Products uint64 `json:"products"`         // of the reactions that are searched
	Synthons int    `json:"synthons_decided"` // whose distance to the query was computed
	Made     int    `json:"made"`             // products that were made and compared
	Wrong    int    `json:"wrong,omitempty"`  // of these, that are no molecules
}

// Search finds all products within a distance of q, or the nearest, by unit costs, without making the others. It
// stands on bounds that are sums over synthons:
//
//   - Counts of atoms and bonds by their labels. They are those of the product, but for bonds that may become
//     aromatic across synthons, which match any label.
//   - For [edit.GED], subgraph edit distances. Of the edits of a node map from q to a product, each that inserts or
//     changes an atom or a bond of the product belongs to one synthon, and the inverse of the map gives, restricted
//     to the synthon, a map to q that costs as much. So the distance is at least the sum of the subgraph edit
//     distances from the synthons to q.
//
// Synthons with the same counts and distance form a class, and whole boxes of classes are left out at once. What
// remains is made and given to the solver.
//
// The labels of q belong to the vocabulary of s or an extension of it. If ctx ends, Search returns what is known with
// its error.
func (s *Space) Search(ctx context.Context, q *graph.Graph, opt Options) (*Result, error) {
	if graph.Common(s.vocab, q.Vocabulary()) == nil {
		panic("space: query and space of different vocabularies")
	}
	switch {
	case q.Directed():
		return nil, errors.New("a directed graph is no molecule")
	case opt.Task != edit.GED && opt.Task != edit.SED:
		return nil, fmt.Errorf("spaces are searched by ged or sed, not by %v", opt.Task)
	case q.N() > maxAtoms:
		return nil, fmt.Errorf("the query has %d atoms, at most %d are supported", q.N(), maxAtoms)
	case q.M() > maxSize:
		return nil, fmt.Errorf("the query has %d bonds, at most %d are supported", q.M(), maxSize)
	case opt.Radius == nil && opt.K <= 0:
		return nil, errors.New("a search needs a radius or a number of answers")
	}
	x, err := newSearcher(ctx, s, q, opt)
	if err != nil {
		return nil, err
	}
	return x.search()
}

// search is [Space.Search].
func (x *searcher) search() (r *Result, err error) {
	r = &Result{Radius: -1}
	for i := range x.space.Reactions {
		for _, m := range x.wanted(&x.space.Reactions[i]) {
			r.Stats.Products = satAdd(r.Stats.Products, m.size())
		}
	}
	last := x.farthest
	if x.opt.Radius != nil {
		last = int(math.Min(*x.opt.Radius, float64(last))) // distances are integers
	}
	if x.opt.K > 0 {
		r.Complete, err = x.nearest(last, r)
	} else {
		r.Complete, err = x.within(last, r)
	}
	if err != nil {
		return nil, err
	}
	if r.Complete && x.opt.Radius != nil && (x.opt.K == 0 || len(x.found) < x.opt.K) {
		r.Radius = *x.opt.Radius
	}
	r.Stats.Wrong = len(x.wrong)
	x.conclude(r)
	if r.Complete {
		return r, nil
	}
	return r, x.ctx.Err()
}
