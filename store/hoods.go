package store

import (
	"fmt"
	"strconv"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// around returns the neighbourhood of a node, which comes first, and whether it
// was cut.
func (h *Neighbourhoods) around(large *graph.Graph, centre int) (*graph.Graph, bool) {
	nodes, truncated := large.Neighbourhood(centre, h.Hops, h.MaxNodes)
	return large.Induced(nodes), truncated
}

// SetWhole makes an empty collection one of the neighbourhoods of a graph: for
// each node the subgraph induced on the nodes at most hops away, the first
// maxNodes of them if that is not 0. The graph is kept once; [Store.PutCentres]
// enters the nodes.
func (s *Store) SetWhole(rec dataset.Record, hops, maxNodes int) error {
	rec.Graph = graph.In(s.vocab, rec.Graph)
	payload, err := encode(rec, noCentre)
	if err != nil {
		return fmt.Errorf("graph %q: %w", rec.ID, err)
	}
	return s.update(func(tx *bolt.Tx, m *manifest) error {
		if m.Slots > 0 || m.Hoods != nil {
			return fmt.Errorf("%w: it is not empty", ErrKind)
		}
		if _, err := put(tx, wholeBucket, wholeBucket, payload); err != nil {
			return err
		}
		m.Hoods = &Neighbourhoods{Hops: hops, MaxNodes: maxNodes}
		return writeLabels(tx, m, s.vocab)
	})
}

// PutCentres enters the neighbourhoods of consecutive nodes from first on, with
// rows as [Store.Put] takes them, and counts those that were cut. Their ids are
// the nodes' names or numbers.
func (s *Store) PutCentres(ids []string, first, truncated int, rows map[string][]float32) error {
	records := make([]dataset.Record, len(ids))
	for i, id := range ids {
		records[i].ID = id
	}
	return s.update(func(tx *bolt.Tx, m *manifest) error {
		if m.Hoods == nil {
			return fmt.Errorf("%w: it has no large graph", ErrKind)
		}
		m.Hoods.Truncated += truncated
		_, err := s.put(tx, m, records, first, rows)
		return err
	})
}

// Whole returns the large graph of a collection of neighbourhoods.
func (s *Snapshot) Whole() (*graph.Graph, error) {
	if s.large != nil {
		return s.large, nil
	}
	payload, _, err := get(s.tx, wholeBucket, wholeBucket)
	if err != nil {
		return nil, err
	}
	if payload == nil {
		return nil, fmt.Errorf("%w: no large graph", ErrKind)
	}
	rec, _, err := decode(payload, s.store.vocab)
	if err == nil && rec.Graph == nil {
		err = fmt.Errorf("%w: the large graph is missing", ErrDamaged)
	}
	s.large = rec.Graph
	return rec.Graph, err
}

// centreID returns the name of a node of a record, or its number.
func centreID(rec dataset.Record, node int) string {
	if rec.NodeIDs != nil {
		return rec.NodeIDs[node]
	}
	return strconv.Itoa(node)
}
