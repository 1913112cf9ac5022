package pipe

import (
	"context"
	"strconv"
	"time"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/ordered"
	"github.com/greedgraph/greed/operation"
)

// inputArgs are what requests for an operation of the table have beside its own fields: the keys of
// collections, and graphs. Of queries, or pairs, there may be many; each has a result.
type inputArgs struct {
	keyArgs
	Other  string    `json:"other"`  // the key of another collection
	Graphs recordSet `json:"graphs"` // that are put
	sides
	work
}

// nameOf returns the name of an operation of the table as a request.
func nameOf(o *operation.Operation) string {
	if o.Takes.InCollection() {
		return "collection." + o.Name
	}
	return o.Name
}

// carryOut returns what answers requests for an operation of the table with its result, or with those of
// all queries or pairs, in the JSON form that greed has everywhere.
func (s *server) carryOut(o *operation.Operation) handler {
	return func(r *request) (*answer, error) {
		var args inputArgs
		wanted := o.New()
		if err := r.decode(&args, wanted); err != nil {
			return nil, err
		}
		if err := args.prepare(s); err != nil {
			return nil, err
		}
		in, err := s.collectionsOf(r, o, &args)
		if err != nil {
			return nil, err
		}
		workers := 1 // of each run
		if o.Takes != operation.APair {
			workers = args.Workers
		}
		plan, err := o.Plan(wanted, operation.Limits{Workers: workers}, nil)
		if err != nil {
			return nil, err
		}
		switch o.Takes {
		case operation.APair, operation.AQuery, operation.AGraph:
			return s.runEach(r, o, plan, in, &args)
		case operation.Graphs:
			if in.Put, err = r.records(&args.Graphs, in.Collection.Vocabulary()); err != nil {
				return nil, err
			}
		}
		if args.Progress {
			in.Progress = steps(r)
		}
		result, err := plan.Run(r.ctx, in)
		return &answer{result: result}, err
	}
}

// collectionsOf returns the collections that a request names.
func (s *server) collectionsOf(r *request, o *operation.Operation, args *inputArgs) (in *operation.Inputs, err error) {
	in = &operation.Inputs{}
	if o.Takes.InCollection() {
		if in.Collection, err = s.collections.get(args.Key); err != nil {
			return nil, err
		}
		r.rules, _ = in.Collection.Rules()
	}
	if args.Other != "" {
		in.Other, err = s.collections.get(args.Other)
	}
	return in, err
}

// runEach runs an operation for each query or pair.
func (s *server) runEach(r *request, o *operation.Operation, plan *operation.Planned, in *operation.Inputs,
	args *inputArgs) (*answer, error) {
	vocab := graph.NewVocabulary() // labels of queries are not kept
	queries, err := r.unnamed("queries", "query", &args.Queries, vocab)
	if err != nil {
		return nil, err
	}
	targets, err := r.unnamed("targets", "target", &args.Targets, vocab)
	if err == nil {
		err = operation.Alone(plan.Pattern, len(queries))
	}
	switch {
	case err != nil:
	case o.Takes == operation.APair:
		err = paired(len(queries), len(targets))
	case plan.Pattern != nil:
		queries = make([]dataset.Record, 1)
		queries[0], err = operation.PatternRecord(plan.Pattern)
	}
	if err != nil {
		return nil, err
	}
	in.Rules = r.rules
	in.Rules.Charge = in.Rules.Charge || args.Queries.Charge && (args.Targets.Charge || o.Takes != operation.APair)
	list := make([]any, 0, len(queries))
	many := args.Workers
	if o.Takes != operation.APair {
		many = 1 // a search has workers of its own
	}
	err = ordered.Map(r.ctx, len(queries), many,
		func(ctx context.Context, _, i int) (any, error) {
			one := *in
			one.Query = &queries[i]
			if o.Takes == operation.APair {
				one.Target = &targets[i]
			}
			if args.Progress {
				one.Searching = reporter(r, i, len(queries))
			}
			result, err := plan.Run(ctx, &one)
			if err != nil && ctx.Err() == nil {
				f := *describe(err)
				f.Record, f.Side = &i, "query"
				err = &f
			}
			return result, err
		},
		func(i int, result any) error {
			list = append(list, result)
			if args.Progress {
				r.progress(map[string]int{"done": i + 1, "total": len(queries)})
			}
			return r.ctx.Err()
		})
	return &answer{result: list}, err
}

// unnamed returns the graphs of a set as records, whose ids are their positions.
func (r *request) unnamed(name, side string, set *graphSet, vocab *graph.Vocabulary) ([]dataset.Record, error) {
	list, smiles, err := r.graphs(name, side, set, vocab)
	if err != nil {
		return nil, err
	}
	records := make([]dataset.Record, len(list))
	for i := range list {
		records[i] = dataset.Record{ID: strconv.Itoa(i), Graph: list[i], SMILES: smiles[i]}
	}
	return records, nil
}

// reporter sends the progress of a search now and then.
func reporter(r *request, query, queries int) func(greed.Progress) {
	last := time.Now()
	return func(p greed.Progress) {
		if time.Since(last) < reportEvery {
			return
		}
		last = time.Now()
		r.progress(map[string]int{"done": query, "total": queries, "candidates": p.Candidates, "solved": p.Solved})
	}
}

// steps sends the progress of work on pairs now and then.
func steps(r *request) func(stage string, done, total int) {
	last := time.Now()
	return func(_ string, done, total int) {
		if done == total || time.Since(last) > reportEvery {
			last = time.Now()
			r.progress(map[string]int{"done": done, "total": total})
		}
	}
}
