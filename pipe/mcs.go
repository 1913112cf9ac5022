package pipe

import (
	"context"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// mcs answers with what each query and its target have in common, pair by pair, in the
// JSON form that greed has everywhere.
func (s *server) mcs(r *request) (*answer, error) {
	var args struct {
		Queries graphSet `json:"queries"`
		Targets graphSet `json:"targets"`
		operation.MCS
		Workers  int  `json:"workers"`
		Progress bool `json:"progress"`
	}
	if err := r.read(&args); err != nil {
		return nil, err
	}
	find, err := args.Resolve(operation.Limits{}, greed.NoLimit)
	if err != nil {
		return nil, err
	}
	vocab := graph.NewVocabulary()
	queries, _, err := r.graphs("queries", "query", &args.Queries, vocab)
	if err != nil {
		return nil, err
	}
	targets, _, err := r.graphs("targets", "target", &args.Targets, vocab)
	if err != nil {
		return nil, err
	}
	if len(queries) != len(targets) {
		return nil, badRequest("%d queries and %d targets are no pairs", len(queries), len(targets))
	}
	workers, err := s.workers(args.Workers)
	if err != nil {
		return nil, err
	}
	list := make([]operation.Overlap, 0, len(queries))
	err = ordered.Map(r.ctx, len(queries), workers,
		func(ctx context.Context, _, i int) (operation.Overlap, error) {
			return find(ctx, queries[i], targets[i])
		},
		func(i int, found operation.Overlap) error {
			list = append(list, found)
			if args.Progress {
				r.progress(map[string]int{"done": i + 1, "total": len(queries)})
			}
			return r.ctx.Err()
		})
	return &answer{result: list}, err
}
