package store

import (
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

// decode decodes a stored record. It extracts the graph if the record is a neighbourhood.
func (h *Neighbourhoods) decode(payload []byte, l labels, large *graph.Graph) (dataset.Record, error) {
	rec, centre, err := decode(payload, l)
	if err != nil || centre == noCentre {
		return rec, err
	}
	if h == nil || large == nil || centre >= large.N() {
		return rec, fmt.Errorf("%w: record %q is the neighbourhood of node %d, which does not exist", ErrDamaged,
			rec.ID, centre)
	}
	rec.Graph, _ = h.around(large, centre)
	return rec, nil
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
