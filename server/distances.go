package server

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// DistancesRequest is the body of a request for the distances of many pairs.
type DistancesRequest struct {
	Pairs []Pair `json:"pairs" minItems:"1" maxItems:"1000"`
	Among
	operation.Distances
}

// DistancesToRequest is the body of a request for the distances of a graph to many of a
// collection.
type DistancesToRequest struct {
	Query Query    `json:"query"`
	IDs   []string `json:"ids" minItems:"1" maxItems:"1000" doc:"The targets, graphs of the collection"`
	operation.Distances
}

// Distances are the outcomes of many pairs.
type Distances struct {
	Results []DistanceResult `json:"results" doc:"One for each pair, in their order"`
}

// DistanceResult is what is known of the distance of one of many pairs, or what is wrong
// with it.
type DistanceResult struct {
	Pair     int               `json:"pair" doc:"The number of the pair, or of the target, from 0"`
	Distance *greed.Comparison `json:"distance,omitempty"`
	Problem  *Problem          `json:"problem,omitempty"`
}

func (s *Server) registerDistances(api huma.API) {
	common := huma.Operation{
		Method: http.MethodPost, Tags: []string{"distance"},
		Errors: []int{http.StatusNotAcceptable},
		Description: "The time limit is for all pairs together: each gets an equal part of what is left. A pair that " +
			"cannot be read does not affect the others. With Accept: application/x-ndjson each result is a line, " +
			"sent as soon as it is known.",
		Responses: written(api, "The distance of each pair",
			map[string]reflect.Type{typeJSON: typeOf[Distances](), typeNDJSON: typeOf[DistanceResult]()}),
	}
	pairs := common
	pairs.OperationID, pairs.Path, pairs.Summary = "distances", "/v1/distances", "Distances of many pairs of graphs"
	operate(s, api, pairs, toRead, func(ctx context.Context, in *struct {
		Accept string `header:"Accept"`
		Body   DistancesRequest
	}) (*huma.StreamResponse, error) {
		sh, costs, err := s.among(in.Body.Among)
		if err != nil {
			return nil, err
		}
		m, err := in.Body.Resolve(s.limits(), costs)
		if err != nil {
			return nil, err
		}
		pairs := in.Body.Pairs
		return s.measureMany(ctx, in.Accept, m, sh, len(pairs),
			func(ctx context.Context, i int) (query, target dataset.Record, err error) {
				return s.readPair(ctx, &pairs[i], sh, m.Costs)
			})
	})
	targets := common
	targets.OperationID, targets.Path = "distancesTo", "/v1/collections/{name}/distances"
	targets.Summary = "Distances of a graph to many of the collection, with the costs of its model"
	inCollection(s, api, targets, toRead, func(ctx context.Context, sh *hosted,
		in *streamed[DistancesToRequest]) (*huma.StreamResponse, error) {
		m, err := in.Body.Resolve(s.limits(), sh.Collection.Costs)
		if err != nil {
			return nil, err
		}
		s.accountOf(ctx).limit(m.Time)
		query, err := s.compared(ctx, sh, &in.Body.Query, m.Costs)
		if err != nil {
			return nil, err
		}
		return s.measureMany(ctx, in.Accept, m, sh, len(in.Body.IDs),
			func(_ context.Context, i int) (_, target dataset.Record, err error) {
				target, err = sh.get(in.Body.IDs[i])
				return query, target, err
			})
	})
}

// measureMany computes the distances of pairs that are read for sh, which may be nil. get reads one when its turn
// comes.
func (s *Server) measureMany(ctx context.Context, accept string, m operation.Measure, sh *hosted, count int,
	get func(ctx context.Context, i int) (query, target dataset.Record, err error),
) (*huma.StreamResponse, error) {
	format, err := negotiate(accept, typeJSON, typeNDJSON)
	if err != nil {
		return nil, err
	}
	work := &many{
		Server: s, count: count, format: format, budget: m.Time, request: traceOf(ctx).id, number: "pair",
		value: "distance",
		do: func(ctx context.Context, i int, limit time.Duration, account *account) (held, error) {
			query, target, err := get(ctx, i)
			if err != nil {
				return nil, err
			}
			begin := time.Now()
			opt := m.Options(sh.rules())
			opt.Time, opt.Explain = limit, false // when it is written
			c, err := greed.NewComparer(m.Task, opt)
			if err != nil {
				return nil, err
			}
			d, err := c.Compare(ctx, &query, &target)
			if err != nil {
				return nil, err
			}
			s.metrics.stage("check", time.Since(begin))
			r := &pairResult{Comparison: d, account: account}
			if m.Explain {
				r.comparer, r.query, r.target = c, &query, &target
			}
			return r, nil
		},
	}
	return s.respond(work.carryOut), nil
}

// pairResult is the distance of a pair, whose edits are made when it is written.
type pairResult struct {
	*greed.Comparison
	comparer      *greed.Comparer // nil: edits are not wanted
	query, target *dataset.Record
	account       *account
}

func (r *pairResult) writeJSON(w io.Writer) error {
	if r.comparer != nil && r.account.affords(r.size()) {
		if err := r.comparer.Explain(r.Comparison, r.query, r.target); err != nil {
			return err
		}
	}
	return compact(w, r.Comparison)
}

// size returns the greatest number of edits there may be.
func (r *pairResult) size() int {
	q, t := r.query.Graph, r.target.Graph
	return q.N() + q.M() + t.N() + t.M()
}

func (r *pairResult) bytes() int {
	const each = 16 // of a node or an edge of the graphs
	size := 8 * len(r.Map)
	if r.comparer != nil {
		size += each * r.size()
	}
	return size
}

// Close does nothing: nothing else uses the graphs.
func (*pairResult) Close() error { return nil }
