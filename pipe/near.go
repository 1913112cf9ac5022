package pipe

import (
	"context"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

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
