package greed

import (
	"cmp"
	"context"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/mces"
	"github.com/greedgraph/greed/mcs"
)

// CommonSubgraph finds the largest subgraph that two graphs have in common. If the context ends first, it
// returns bounds, which is not an error. The error wraps [ErrNoGraph], [ErrConditions] or [ErrDirection].
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
		found, err = mces.Largest(ctx, q, t, mces.Options{
			Connected: opt.Connected, IgnoreEdgeLabels: opt.IgnoreEdgeLabels, Rings: opt.Rings, AtLeast: opt.AtLeast,
			Time: limit,
		})
	} else {
		found, err = mcs.Largest(ctx, q, t, mcs.Options{Connected: opt.Connected,
			IgnoreEdgeLabels: opt.IgnoreEdgeLabels,
			Time:             limit})
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
