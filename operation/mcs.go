package operation

import (
	"context"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// MCS asks for the largest subgraph that two graphs have in common.
type MCS struct {
	Edges            bool `json:"edges,omitempty" doc:"Count edges, not nodes; the common subgraph need not be induced"`
	Connected        bool `json:"connected,omitempty" doc:"Require the common subgraph to be connected"`
	Rings            bool `json:"rings,omitempty" doc:"With edges: map ring nodes and edges only to ring nodes and edges, and others only to others"`
	AtLeast          int  `json:"at_least,omitempty" minimum:"0" placeholder:"N" doc:"With edges: only decide whether N edges are in common and, if so, how many"`
	IgnoreEdgeLabels bool `json:"ignore_edge_labels,omitempty" doc:"Ignore edge labels when matching"`
	Timed
}

// Overlap is what is known of the largest common subgraph: it has at least Size nodes, or
// edges, and at most Upper.
type Overlap struct {
	Size    int          `json:"size" doc:"Nodes, or edges if these are counted, of the subgraph that was found"`
	Upper   int          `json:"upper" doc:"Upper bound: no common subgraph is larger"`
	Exact   bool         `json:"exact" doc:"Both are the same"`
	Map     edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`
	Seconds float64      `json:"seconds"`
}

// Finder finds the largest common subgraph of two graphs. If the context ends first,
// it returns bounds, which is not an error.
type Finder func(ctx context.Context, q, t *graph.Graph) (Overlap, error)

// Resolve returns what finds the subgraph, or an [Error] that names a field.
func (r *MCS) Resolve(allowed Limits, usualTime time.Duration) (Finder, error) {
	most, err := r.limit(usualTime, allowed)
	switch {
	case err != nil:
		return nil, err
	case !r.Edges && r.Rings:
		return nil, wrong("rings", "needs edges")
	case !r.Edges && r.AtLeast != 0:
		return nil, wrong("at_least", "needs edges")
	case r.AtLeast < 0:
		return nil, wrong("at_least", "%d: want a number of edges", r.AtLeast)
	}
	return func(ctx context.Context, q, t *graph.Graph) (Overlap, error) {
		var found mcs.Result
		var err error
		if r.Edges {
			found, err = mcs.LargestEdges(ctx, q, t, mcs.EdgeOptions{
				Connected: r.Connected, IgnoreEdgeLabels: r.IgnoreEdgeLabels, Rings: r.Rings, AtLeast: r.AtLeast, Time: most,
			})
		} else {
			found, err = mcs.Largest(ctx, q, t, mcs.Options{Connected: r.Connected, IgnoreEdgeLabels: r.IgnoreEdgeLabels, Time: most})
		}
		return Overlap{found.Size, found.Upper, found.Exact, found.Map, found.Elapsed.Seconds()}, err
	}, nil
}
