package server

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
)

// Pair is two graphs of which the distance is wanted.
type Pair struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
}

// MeasuredMany holds the options of many distances.
type MeasuredMany struct {
	Task    string `json:"task,omitempty" enum:"ged,sed" default:"ged"`
	Budget  string `json:"budget,omitempty" minLength:"1" doc:"Time for all distances together, such as 500ms; 10s"`
	Explain bool   `json:"explain,omitempty" doc:"Give the node maps and the edits"`
}

// DistancesRequest is the body of a request for the distances of many pairs.
type DistancesRequest struct {
	Pairs []Pair `json:"pairs" minItems:"1" maxItems:"1000"`
	MeasuredMany
	Costs *CostsJSON `json:"costs,omitempty"`
}

// DistancesToRequest is the body of a request for the distances of a graph to many of a
// collection.
type DistancesToRequest struct {
	Query Query    `json:"query"`
	IDs   []string `json:"ids" minItems:"1" maxItems:"1000" doc:"The targets, graphs of the collection"`
	MeasuredMany
}

// Distances are the outcomes of many pairs.
type Distances struct {
	Results []DistanceResult `json:"results" doc:"One for each pair, in their order"`
}

// DistanceResult is what is known of the distance of one of many pairs, or what is wrong
// with it.
type DistanceResult struct {
	Pair     int              `json:"pair" doc:"The number of the pair, or of the target, from 0"`
	Distance *BoundedDistance `json:"distance,omitempty"`
	Problem  *Problem         `json:"problem,omitempty"`
}

// BoundedDistance is the distance of one of many pairs.
type BoundedDistance struct {
	Lower   float64          `json:"lower" doc:"The distance is this or more"`
	Upper   float64          `json:"upper" doc:"The distance is this or less"`
	Exact   bool             `json:"exact" doc:"The bounds meet"`
	Stopped ged.Stop         `json:"stopped,omitempty" enum:"time,memory,size,interrupted,rounding" doc:"Why not"`
	Common  InCommon         `json:"common"`
	Map     edit.NodeMap     `json:"map,omitzero" doc:"For every query node its target node, or -1"`
	Edits   []edit.Operation `json:"edits,omitzero" doc:"The edits that the map implies, which cost upper; absent where the time or the memory for the request did not suffice"`
	Seconds float64          `json:"seconds"`
}

type distancesInput struct {
	Accept string `header:"Accept"`
	Body   DistancesRequest
}

type distancesToInput struct {
	Name   string `path:"name" doc:"The collection"`
	Accept string `header:"Accept"`
	Body   DistancesToRequest
}

func (s *Server) registerDistances(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	operation := huma.Operation{
		Method: http.MethodPost, Tags: []string{"distance"},
		Errors: []int{http.StatusNotFound, http.StatusNotAcceptable, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
		Description: "The budget is for all pairs together: each gets an equal part of what is left. A pair that cannot be read does not keep the others from being answered. " +
			"With Accept: application/x-ndjson each result is a line, sent when it is there.",
		Responses: map[string]*huma.Response{"200": {Description: "The distance of each pair", Content: map[string]*huma.MediaType{
			typeJSON: {Schema: schemas.Schema(typeOf[Distances](), true, "")}, typeNDJSON: {Schema: schemas.Schema(typeOf[DistanceResult](), true, "")},
		}}},
	}
	pairs := operation
	pairs.OperationID, pairs.Path, pairs.Summary = "distances", "/v1/distances", "Distances of many pairs of graphs"
	operate(s, api, pairs, toRead, func(ctx context.Context, in *distancesInput) (*huma.StreamResponse, error) {
		costs, err := in.Body.Costs.read()
		if err != nil {
			return nil, err
		}
		type read struct {
			query, target dataset.Record
			err           error
		}
		pairs := make([]read, len(in.Body.Pairs))
		for i := range pairs {
			p, pair := &pairs[i], &in.Body.Pairs[i]
			if p.query, p.err = s.read(ctx, &pair.Query, nil, costs); p.err == nil {
				p.target, p.err = s.read(ctx, &pair.Target, nil, costs)
			}
			if ctx.Err() != nil {
				return nil, explain(ctx.Err())
			}
		}
		return s.measureMany(ctx, in.Accept, &in.Body.MeasuredMany, costs, len(pairs), func(i int) (query, target dataset.Record, err error) {
			return pairs[i].query, pairs[i].target, pairs[i].err
		})
	})
	targets := operation
	targets.OperationID, targets.Path = "distancesTo", "/v1/collections/{name}/distances"
	targets.Summary = "Distances of a graph to many of the collection, with the costs of its model"
	operate(s, api, targets, toRead, func(ctx context.Context, in *distancesToInput) (*huma.StreamResponse, error) {
		sh, query, err := s.asked(ctx, in.Name, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		task, err := taskOf(in.Body.Task)
		if err != nil {
			return nil, err
		}
		return s.measureMany(ctx, in.Accept, &in.Body.MeasuredMany, sh.Collection.Costs(task), len(in.Body.IDs), func(i int) (_, target dataset.Record, err error) {
			target, err = sh.get(in.Body.IDs[i])
			return query, target, err
		})
	})
}

// measureMany computes the distances of pairs. get returns one when its turn comes.
func (s *Server) measureMany(ctx context.Context, accept string, want *MeasuredMany, costs edit.Costs, count int, get func(i int) (query, target dataset.Record, err error)) (*huma.StreamResponse, error) {
	format, err := manyFormat(accept)
	if err != nil {
		return nil, err
	}
	task, err := taskOf(want.Task)
	if err != nil {
		return nil, err
	}
	budget, err := s.budget(want.Budget, provenBudget)
	if err != nil {
		return nil, err
	}
	request := traceOf(ctx).id
	one := func(ctx context.Context, i int, limit time.Duration, account *account) (*BoundedDistance, error) {
		query, target, err := get(i)
		if err != nil {
			return nil, err
		}
		if err := oneKind(query, target); err != nil {
			return nil, err
		}
		m := measurement{Distance: Distance{Task: task, Costs: costs}}
		if err := s.solve(ctx, &m, query, target, limit); err != nil {
			return nil, err
		}
		short := &BoundedDistance{Lower: m.Lower, Upper: m.Upper, Exact: m.Exact, Stopped: m.Stopped, Common: m.Common, Seconds: m.Seconds}
		if want.Explain {
			short.Map = m.Map
			if account.affords(m.size()) {
				short.Edits = m.edits()
			}
		}
		return short, nil
	}
	skip := func(i int, why error) DistanceResult {
		return DistanceResult{Pair: i, Problem: told(explain(why), request)}
	}
	m := &many[DistanceResult]{
		Server: s, count: count, format: format, budget: budget, request: request, skip: skip,
		do: func(ctx context.Context, i int, limit time.Duration, account *account) DistanceResult {
			d, err := one(ctx, i, limit, account)
			if err != nil {
				return skip(i, err)
			}
			return DistanceResult{Pair: i, Distance: d}
		},
		write: func(w io.Writer, r DistanceResult) error { return compact(w, r) },
	}
	return m.respond(), nil
}

func (r DistanceResult) bytes() int {
	if r.Distance == nil {
		return 0
	}
	return 8*len(r.Distance.Map) + editBytes*len(r.Distance.Edits)
}

// Close does nothing: a result holds nothing.
func (DistanceResult) Close() error { return nil }
