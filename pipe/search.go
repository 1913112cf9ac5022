package pipe

import (
	"context"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

type searchArgs struct {
	keyArgs
	Queries graphSet `json:"queries"`
	operation.Search
	work
}

// search answers with what is found for each query, in the JSON form that greed
// has everywhere.
func (s *server) search(r *request, c *greed.Collection, args *searchArgs) (*answer, error) {
	opt, err := args.Resolve(operation.Limits{Workers: args.Workers})
	if err != nil {
		return nil, err
	}
	queries, smiles, err := r.graphs("queries", "query", &args.Queries, graph.NewVocabulary()) // labels of queries are not kept
	if err != nil {
		return nil, err
	}
	if err := args.Alone(len(queries)); err != nil {
		return nil, err
	}
	if opt.SMARTS != nil {
		queries, smiles = []*graph.Graph{nil}, []string{""}
	}
	out := make([]*greed.Found, len(queries))
	for i, q := range queries {
		if args.Progress {
			opt.Progress = s.reporter(r, i, len(queries))
		}
		opt.SMILES = smiles[i]
		found, err := c.Search(r.ctx, q, opt)
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return nil, searchError(r.ctx, err, i)
		}
		args.Finish(found)
		out[i] = found
		if args.Progress {
			r.progress(map[string]int{"done": i + 1, "total": len(queries)})
		}
	}
	return &answer{result: out}, nil
}

type nearestArgs struct {
	keyArgs
	operation.Vectors
}

// nearest answers with the graphs whose vectors are nearest to others, in the JSON form that
// greed has everywhere.
func (s *server) nearest(r *request, c *greed.Collection, args *nearestArgs) (*answer, error) {
	opt, err := args.Resolve(operation.Limits{})
	if err != nil {
		return nil, err
	}
	list, err := c.Nearest(r.ctx, opt)
	return &answer{result: list}, err
}

func searchError(ctx context.Context, err error, query int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := *describe(err)
	f.Record, f.Side = &query, "query"
	return &f
}

// reporter sends the progress of a search now and then.
func (s *server) reporter(r *request, query, queries int) func(greed.Progress) {
	last := time.Now()
	return func(p greed.Progress) {
		if time.Since(last) < reportEvery {
			return
		}
		last = time.Now()
		r.progress(map[string]int{"done": query, "total": queries, "candidates": p.Candidates, "solved": p.Solved})
	}
}

// nearArgs name the collections of near pairs.
type nearArgs struct {
	keyArgs
	Other string `json:"other"` // the key of another one
	work
}

type joinArgs struct {
	nearArgs
	operation.Join
}

type cliffsArgs struct {
	nearArgs
	operation.Cliffs
}

// join answers with the pairs of graphs within a distance, in the JSON form that greed has
// everywhere.
func (s *server) join(r *request, c *greed.Collection, args *joinArgs) (*answer, error) {
	return near(s, r, c, &args.nearArgs, args.Resolve, func(o *greed.JoinOptions) *greed.Near { return &o.Near }, (*greed.Collection).Join)
}

// cliffs answers with what the pairs of graphs within a distance mean, in the JSON form that
// greed has everywhere.
func (s *server) cliffs(r *request, c *greed.Collection, args *cliffsArgs) (*answer, error) {
	return near(s, r, c, &args.nearArgs, args.Resolve, func(o *greed.CliffOptions) *greed.Near { return &o.Near }, (*greed.Collection).Cliffs)
}

// near carries out a request for near pairs.
func near[O, T any](
	s *server, r *request, c *greed.Collection, of *nearArgs,
	resolve func(operation.Limits) (O, error), pairs func(*O) *greed.Near, work func(*greed.Collection, context.Context, O) (*T, error),
) (*answer, error) {
	opt, err := resolve(operation.Limits{Workers: of.Workers})
	if err != nil {
		return nil, err
	}
	which := pairs(&opt)
	if of.Other != "" {
		if which.Other, err = s.collections.get(of.Other); err != nil {
			return nil, err
		}
	}
	if of.Progress {
		last := time.Now()
		which.Progress = func(_ string, done, total int) {
			if done == total || time.Since(last) > reportEvery {
				last = time.Now()
				r.progress(map[string]int{"done": done, "total": total})
			}
		}
	}
	found, err := work(c, r.ctx, opt)
	return &answer{result: found}, err
}
