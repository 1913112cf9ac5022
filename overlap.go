package greed

import (
	"cmp"
	"context"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/mcs"
)

// CommonOptions say which common subgraph [CommonSubgraph] finds.
type CommonOptions struct {
	Edges            bool // count edges, not nodes; the subgraph need not be induced
	Connected        bool
	Rings            bool // with Edges: what is in a ring is mapped to what is in a ring, and only that
	AtLeast          int  // with Edges: only decide whether so many are in common and, if so, how many
	IgnoreEdgeLabels bool
	Rules            dataset.Rules // by which the graphs were read
	Time             time.Duration // 0 means 10 s, and [NoLimit] is none
}

// Overlap is what is known of the largest common subgraph of two graphs: it has at least Size nodes, or
// edges, and at most Upper.
type Overlap struct {
	Query  string       `json:"query" doc:"The id of the query"`
	Target string       `json:"target" doc:"The id of the target"`
	Size   int          `json:"size" doc:"Nodes, or edges if these are counted, of the subgraph that was found"`
	Upper  int          `json:"upper" doc:"Upper bound: no common subgraph is larger"`
	Exact  bool         `json:"exact" doc:"Both are the same"`
	Map    edit.NodeMap `json:"map" doc:"For every query node its target node, or -1"`

	NotCompared []string       `json:"not_compared,omitempty" doc:"What does not count, such as the charges of molecules"`
	Notes       []dataset.Note `json:"notes,omitempty" doc:"What was left out or chosen in reading the graphs of the request"`
	Seconds     float64        `json:"seconds"`
}

// CommonSubgraph finds the largest subgraph that two graphs have in common. If the context ends first, it
// returns bounds, which is not an error. The error wraps [ErrNoGraph] or [ErrDirection].
func CommonSubgraph(ctx context.Context, query, target *Record, opt CommonOptions) (*Overlap, error) {
	q, t, err := together(query, target)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(opt.Time, DefaultTime)
	if limit == NoLimit {
		limit = 0
	}
	var found mcs.Result
	if opt.Edges {
		found, err = mcs.LargestEdges(ctx, q, t, mcs.EdgeOptions{
			Connected: opt.Connected, IgnoreEdgeLabels: opt.IgnoreEdgeLabels, Rings: opt.Rings, AtLeast: opt.AtLeast, Time: limit,
		})
	} else {
		found, err = mcs.Largest(ctx, q, t, mcs.Options{Connected: opt.Connected, IgnoreEdgeLabels: opt.IgnoreEdgeLabels, Time: limit})
	}
	if err != nil {
		return nil, err
	}
	costs := edit.Uniform() // which compare what the search does
	if opt.IgnoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	return &Overlap{
		Query: query.ID, Target: target.ID, Size: found.Size, Upper: found.Upper, Exact: found.Exact, Map: found.Map,
		NotCompared: notCompared(opt.Rules, costs, query, target), Notes: dataset.Merge(query.Notes, target.Notes),
		Seconds: found.Elapsed.Seconds(),
	}, nil
}
