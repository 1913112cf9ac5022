package pipe

import (
	"context"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// nearArgs name the collections of near pairs.
type nearArgs struct {
	collectionArgs
	Other    string `json:"other"` // the key of another one
	Workers  int    `json:"workers"`
	Progress bool   `json:"progress"`
}

// join answers with the pairs of graphs within a distance, in the JSON form that greed has
// everywhere.
func (s *server) join(r *request) (*answer, error) {
	var args struct {
		nearArgs
		operation.Join
	}
	return near(s, r, &args, &args.nearArgs, args.Resolve, func(o *greed.JoinOptions) *greed.Near { return &o.Near }, (*greed.Collection).Join)
}

// cliffs answers with what the pairs of graphs within a distance mean, in the JSON form that
// greed has everywhere.
func (s *server) cliffs(r *request) (*answer, error) {
	var args struct {
		nearArgs
		operation.Cliffs
	}
	return near(s, r, &args, &args.nearArgs, args.Resolve, func(o *greed.CliffOptions) *greed.Near { return &o.Near }, (*greed.Collection).Cliffs)
}

// near reads the arguments of a request for near pairs, which are of, and carries it out.
func near[O, T any](
	s *server, r *request, args interface{ name() string }, of *nearArgs,
	resolve func(operation.Limits) (O, error), pairs func(*O) *greed.Near, work func(*greed.Collection, context.Context, O) (*T, error),
) (*answer, error) {
	c, err := s.collection(r, args)
	if err != nil {
		return nil, err
	}
	workers, err := s.workers(of.Workers)
	if err != nil {
		return nil, err
	}
	opt, err := resolve(operation.Limits{Workers: workers})
	if err != nil {
		return nil, err
	}
	which := pairs(&opt)
	if of.Other != "" {
		if which.Other, err = find(&s.registry, &s.registry.collections, of.Other); err != nil {
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
