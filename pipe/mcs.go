package pipe

import (
	"context"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// mcs answers with what each query and its target have in common, pair by pair, in the
// JSON form that greed has everywhere.
func (s *server) mcs(r *request, args *struct {
	sides
	operation.MCS
	work
}) (*answer, error) {
	find, err := args.Resolve(operation.Limits{}, greed.NoLimit)
	if err != nil {
		return nil, err
	}
	queries, targets, smiles, err := r.both(&args.sides)
	if err == nil {
		err = paired(len(queries), len(targets))
	}
	if err != nil {
		return nil, err
	}
	rules := r.rules
	rules.Charge = rules.Charge || args.Queries.Charge && args.Targets.Charge
	list := make([]operation.Overlap, 0, len(queries))
	err = ordered.Map(r.ctx, len(queries), args.Workers,
		func(ctx context.Context, _, i int) (operation.Overlap, error) {
			q, t := dataset.Record{Graph: queries[i], SMILES: smiles[0][i]}, dataset.Record{Graph: targets[i], SMILES: smiles[1][i]}
			return find(ctx, rules, &q, &t)
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
