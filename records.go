package greed

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// ErrMixed is wrapped where a graph is put to a collection of the other kind: all
// its graphs are directed, or none is.
var ErrMixed = dataset.ErrMixed

// ErrDirection is wrapped where two graphs have no distance because one is
// directed and the other is not.
var ErrDirection = ged.ErrDirection

// ErrNoGraph is wrapped where a graph is nil.
var ErrNoGraph = errors.New("there is no graph")

// FromRecords returns a collection of records. Graphs of another vocabulary than
// vocab are translated. The error wraps [ErrNoGraph] or [ErrMixed].
func FromRecords(vocab *graph.Vocabulary, records []Record) (*Collection, error) {
	if err := checkRecords(dataset.Kind{}, records); err != nil {
		return nil, err
	}
	own := make([]Record, len(records))
	for i, r := range records {
		r.Graph = graph.In(vocab, r.Graph)
		own[i] = r
	}
	return wrap(search.NewCollection(vocab, own)), nil
}

// checkRecords returns an error unless all records have graphs, of one kind, which
// is that of a collection.
func checkRecords(kind dataset.Kind, records []Record) error {
	for i, r := range records {
		if r.Graph == nil {
			return fmt.Errorf("record %d, id %q: %w", i, r.ID, ErrNoGraph)
		}
		if err := kind.Check(r); err != nil {
			return err
		}
		if !kind.Known() {
			kind = dataset.KindOf(r)
		}
	}
	return nil
}
