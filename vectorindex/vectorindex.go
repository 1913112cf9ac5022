// Package vectorindex finds the vectors nearest to a query under a [norm.Norm],
// exactly: every index gives the answers of a linear scan by
// [norm.Norm.Distance], distances and order included.
package vectorindex

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/greedgraph/greed/norm"
)

// Index answers queries over vectors that are numbered from 0, their
// positions. It may be shared between goroutines.
//
// The results are in the order of the queries, whose vectors have the norm's
// dimension, else methods panic. A query with a value that is not finite gives
// an error that is [ErrNotFinite]; if ctx ends, methods return its error soon.
// A scan reads memory once for queries that are given together.
type Index interface {
	// Norm returns the distance, from query to vector.
	Norm() norm.Norm
	// Len returns the number of vectors.
	Len() int
	// KNN returns the k nearest vectors of each query, or all if there are
	// fewer; none if k is negative.
	KNN(ctx context.Context, queries []Query, k int) ([]Result, error)
	// Range returns the vectors within a distance of theta of each query. It
	// returns an error if theta is NaN.
	Range(ctx context.Context, queries []Query, theta float64) ([]Result, error)
	// Check returns an error if the index contradicts itself.
	Check() error
}

// ErrNotFinite says that a vector holds NaN or an infinity.
var ErrNotFinite = errors.New("vectorindex: vector is not finite")

// Query is what to look for.
type Query struct {
	Vector []float32 // [dim]
	// Accept limits the answers to positions for which it is true, before the
	// nearest are counted; nil keeps all. It is not called for all positions,
	// nor in order, and may be called by several goroutines.
	Accept func(position int) bool
}

// Result holds the answers to a query, nearest first, and of equal distances
// the lower position first.
type Result struct{ Hits []Hit }

// Hit is an answer.
type Hit struct {
	Position int
	Distance float64
}

// before is the order of answers.
func (h Hit) before(o Hit) bool {
	return h.Distance < o.Distance || h.Distance == o.Distance && h.Position < o.Position
}

func compareHits(a, b Hit) int {
	switch {
	case a.before(b):
		return -1
	case b.before(a):
		return 1
	}
	return 0
}

// checkQueries panics on wrong dimensions and returns an error for values
// that are not finite.
func checkQueries(queries []Query, dim int) error {
	for i, q := range queries {
		if len(q.Vector) != dim {
			panic(fmt.Sprintf("vectorindex: query of %d coordinates, want %d", len(q.Vector), dim))
		}
		if j := notFinite(q.Vector); j >= 0 {
			return fmt.Errorf("%w: query %d, coordinate %d is %v", ErrNotFinite, i, j, q.Vector[j])
		}
	}
	return nil
}

func checkTheta(theta float64) error {
	if math.IsNaN(theta) {
		return errors.New("vectorindex: range of NaN")
	}
	return nil
}

// checkVectors checks what indexes are built from, [n, dim], and returns n.
func checkVectors(n norm.Norm, vectors []float32) (int, error) {
	if err := n.Check(); err != nil {
		return 0, err
	}
	dim := n.Dim()
	if len(vectors)%dim != 0 {
		panic(fmt.Sprintf("vectorindex: %d values cannot be divided into vectors of %d", len(vectors), dim))
	}
	if i := notFinite(vectors); i >= 0 {
		return 0, fmt.Errorf("%w: vector %d, coordinate %d is %v", ErrNotFinite, i/dim, i%dim, vectors[i])
	}
	return len(vectors) / dim, nil
}

// notFinite returns the place of the first value that is not finite, or −1.
func notFinite(v []float32) int {
	for i, x := range v {
		if x-x != 0 {
			return i
		}
	}
	return -1
}
