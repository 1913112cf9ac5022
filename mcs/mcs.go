// Package mcs finds subgraphs: a query inside a target ([Matcher]), and the
// largest subgraph that two graphs have in common by nodes ([Largest]). Both are exact.
// Package mces finds the largest by edges.
package mcs

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/graph"
)

// ErrIncomparable is wrapped by the errors about two graphs of which only one is
// directed, or whose labels are numbered by different vocabularies.
var ErrIncomparable = errors.New("graphs cannot be compared")

// ErrNotSimple says that a search is for simple graphs alone.
var ErrNotSimple = errors.New("mcs: common subgraphs by edges are of graphs without self-loops and parallel edges, " +
	"which simplify folds into labels")

// ErrUndecided is the error of a search that used up its states.
var ErrUndecided = errors.New("mcs: undecided when the limit of search states was reached")

// Comparable returns an error that wraps [ErrIncomparable] unless q and t can be compared.
func Comparable(q, t *graph.Graph) error {
	switch {
	case graph.Common(q.Vocabulary(), t.Vocabulary()) == nil:
		return fmt.Errorf("mcs: %w: they have different vocabularies", ErrIncomparable)
	case q.Directed() != t.Directed():
		return fmt.Errorf("mcs: %w: only one is directed", ErrIncomparable)
	}
	return nil
}
