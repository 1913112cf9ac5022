package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// around returns the neighbourhood of a node, which comes first, and whether it was
// truncated.
func (h *Neighbourhoods) around(large *graph.Graph, centre int) (*graph.Graph, bool) {
	nodes, truncated := large.Neighbourhood(centre, h.Hops, h.MaxNodes)
	return large.Induced(nodes), truncated
}

// neighbourhood returns the graph of a record that is the neighbourhood of a node.
func (h *Neighbourhoods) neighbourhood(id string, large *graph.Graph, centre int) (*graph.Graph, error) {
	if h == nil || large == nil || centre >= large.N() {
		return nil, fmt.Errorf("%w: record %q is the neighbourhood of node %d, which does not exist", ErrDamaged, id, centre)
	}
	g, _ := h.around(large, centre)
	return g, nil
}

// SetWhole makes an empty collection one of the neighbourhoods of a graph: for each
// node, the subgraph induced on the nodes at most hops away, truncated to the first
// maxNodes nodes unless that is 0. The graph is stored once. [Store.PutCentres] adds
// the nodes.
func (s *Store) SetWhole(ctx context.Context, rec dataset.Record, hops, maxNodes int) error {
	return s.update(ctx, func(snap *Snapshot) error {
		m := snap.m
		if m.Slots > 0 || m.Hoods != nil {
			return fmt.Errorf("%w: it is not empty", ErrKind)
		}
		rec.Graph = graph.In(snap.labels.vocab, rec.Graph)
		payload, err := encode(rec, noCentre, number(snap.tx, m, &snap.labels))
		if err != nil {
			return fmt.Errorf("graph %q: %w", rec.ID, err)
		}
		m.Hoods = &Neighbourhoods{Hops: hops, MaxNodes: maxNodes}
		_, err = put(snap.tx, wholeBucket, wholeBucket, payload)
		return err
	})
}

// PutCentres adds the neighbourhoods of consecutive nodes from first on, with rows as
// [Store.Put] takes them. It returns how many were truncated. Their ids are the nodes'
// names or numbers.
func (s *Store) PutCentres(ctx context.Context, ids []string, first, truncated int, rows map[string][]float32) error {
	records := make([]dataset.Record, len(ids))
	for i, id := range ids {
		records[i].ID = id
	}
	return s.update(ctx, func(snap *Snapshot) error {
		if snap.m.Hoods == nil {
			return fmt.Errorf("%w: it has no large graph", ErrKind)
		}
		snap.m.Hoods.Truncated += truncated
		_, err := snap.put(records, first, rows, false)
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
	rec, _, err := decode(payload, s.labels)
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
