package pipe

import (
	"context"
	"math"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
)

type searchArgs struct {
	collectionArgs
	Queries graphSet   `json:"queries"`
	Task    edit.Task  `json:"task"`
	Mode    greed.Mode `json:"mode"`
	K       int        `json:"k"`
	Radius  *float64   `json:"radius"`
	Seconds *float64   `json:"seconds"` // for a query; nil: the usual, 0: no limit
	Filters []string   `json:"filters"`
	NoModel bool       `json:"no_model"`
	Kind    *kind      `json:"kind"` // costs, if not the model's
	Edits   bool       `json:"edits"`
	Workers int        `json:"workers"`

	Progress bool `json:"progress"`
}

// options returns the options of a search, but for its progress.
func (args *searchArgs) options(s *server) (opt greed.Options, err error) {
	opt = greed.Options{
		Task: args.Task, Mode: args.Mode, K: args.K, Radius: args.Radius, NoModel: args.NoModel, Explain: args.Edits, Workers: s.workers(args.Workers),
	}
	if args.Kind != nil {
		costs, err := args.Kind.costs()
		if err != nil {
			return opt, err
		}
		opt.Costs = &costs
	}
	if args.Seconds != nil {
		opt.Time = greed.NoLimit
		if *args.Seconds > 0 {
			opt.Time = max(1, time.Duration(min(*args.Seconds*float64(time.Second), math.MaxInt64/2)))
		}
	}
	for _, text := range args.Filters {
		f, err := greed.ParseFilter(text)
		if err != nil {
			return opt, badRequest("%v", err)
		}
		opt.Filters = append(opt.Filters, f)
	}
	return opt, nil
}

// search answers with what is found for each query, in the JSON form that greed
// has everywhere.
func (s *server) search(r *request) (*answer, error) {
	var args searchArgs
	c, err := s.collection(r, &args)
	if err != nil {
		return nil, err
	}
	opt, err := args.options(s)
	if err != nil {
		return nil, err
	}
	queries, _, err := r.graphs("queries", "query", &args.Queries, c.Vocabulary())
	if err != nil {
		return nil, err
	}
	out := make([]greed.FoundJSON, len(queries))
	for i, q := range queries {
		if args.Progress {
			opt.Progress = s.reporter(r, i, len(queries))
		}
		found, err := c.Search(r.ctx, q, opt)
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return nil, searchError(r.ctx, err, i)
		}
		if out[i] = found.JSON(); !args.Edits {
			for j := range out[i].Answers {
				out[i].Answers[j].Map = nil
			}
		}
		if args.Progress {
			r.progress(map[string]int{"done": i + 1, "total": len(queries)})
		}
	}
	return &answer{result: out}, nil
}

func searchError(ctx context.Context, err error, query int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := *describe(err)
	f.Record, f.Side = &query, "query"
	return &f
}

// reporter tells now and then how far a search is.
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
