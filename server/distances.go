package server

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
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
	Pair     int              `json:"pair" doc:"The number of the pair, or of the target, from 0"`
	Distance *BoundedDistance `json:"distance,omitempty"`
	Problem  *Problem         `json:"problem,omitempty"`
}

// BoundedDistance is the distance of one of many pairs.
type BoundedDistance struct {
	Measured
	Map   edit.NodeMap     `json:"map,omitzero" doc:"For every query node its target node, or -1"`
	Edits []edit.Operation `json:"edits,omitzero" doc:"The edits that the map implies, which cost upper; absent if the time or memory for the request ran out"`
}

func (s *Server) registerDistances(api huma.API) {
	schemas := api.OpenAPI().Components.Schemas
	common := huma.Operation{
		Method: http.MethodPost, Tags: []string{"distance"},
		Errors: []int{http.StatusNotAcceptable},
		Description: "The time limit is for all pairs together: each gets an equal part of what is left. A pair that cannot be read does not affect the others. " +
			"With Accept: application/x-ndjson each result is a line, sent as soon as it is known.",
		Responses: map[string]*huma.Response{"200": {Description: "The distance of each pair", Content: map[string]*huma.MediaType{
			typeJSON: {Schema: schemas.Schema(typeOf[Distances](), true, "")}, typeNDJSON: {Schema: schemas.Schema(typeOf[DistanceResult](), true, "")},
		}}},
	}
	pairs := common
	pairs.OperationID, pairs.Path, pairs.Summary = "distances", "/v1/distances", "Distances of many pairs of graphs"
	operate(s, api, pairs, toRead, func(ctx context.Context, in *struct {
		Accept string `header:"Accept"`
		Body   DistancesRequest
	}) (*huma.StreamResponse, error) {
		sh, costs, err := in.Body.in(s)
		if err != nil {
			return nil, err
		}
		m, err := in.Body.Resolve(s.limits(), costs, greed.DefaultTime)
		if err != nil {
			return nil, err
		}
		pairs := in.Body.Pairs
		return s.measureMany(ctx, in.Accept, m, sh, in.Body.Mapped, len(pairs), func(ctx context.Context, i int) (query, target dataset.Record, err error) {
			return s.readPair(ctx, &pairs[i], sh, m.Costs)
		})
	})
	targets := common
	targets.OperationID, targets.Path = "distancesTo", "/v1/collections/{name}/distances"
	targets.Summary = "Distances of a graph to many of the collection, with the costs of its model"
	inCollection(s, api, targets, toRead, func(ctx context.Context, sh *hosted, in *streamed[DistancesToRequest]) (*huma.StreamResponse, error) {
		m, err := in.Body.Resolve(s.limits(), sh.Collection.Costs, greed.DefaultTime)
		if err != nil {
			return nil, err
		}
		s.accountOf(ctx).limit(m.Time)
		query, err := s.compared(ctx, sh, &in.Body.Query, m.Costs)
		if err != nil {
			return nil, err
		}
		return s.measureMany(ctx, in.Accept, m, sh, in.Body.Mapped, len(in.Body.IDs), func(_ context.Context, i int) (_, target dataset.Record, err error) {
			target, err = sh.get(in.Body.IDs[i])
			return query, target, err
		})
	})
}

// measureMany computes the distances of pairs that are read for sh, which may be nil. get reads one when its turn comes.
func (s *Server) measureMany(ctx context.Context, accept string, m operation.Measure, sh *hosted, wanted operation.Mapped, count int,
	get func(ctx context.Context, i int) (query, target dataset.Record, err error),
) (*huma.StreamResponse, error) {
	format, err := negotiate(accept, typeJSON, typeNDJSON)
	if err != nil {
		return nil, err
	}
	work := &many{
		Server: s, count: count, format: format, budget: m.Time, request: traceOf(ctx).id, number: "pair", value: "distance",
		do: func(ctx context.Context, i int, limit time.Duration, account *account) (held, error) {
			query, target, err := get(ctx, i)
			if err == nil {
				err = oneKind(query, target)
			}
			if err != nil {
				return nil, err
			}
			want := m
			want.Time = limit
			d, err := s.solve(ctx, want, sh, query, target)
			if err != nil {
				return nil, err
			}
			r := &pairResult{BoundedDistance: BoundedDistance{Measured: d.Measured}}
			if wanted.Map || wanted.Explain {
				r.Map = d.Map
			}
			if wanted.Explain {
				r.found, r.account = d, account
			}
			return r, nil
		},
	}
	return s.respond(work.carryOut), nil
}

// pairResult is the distance of a pair, whose edits are made when it is written.
type pairResult struct {
	BoundedDistance
	found   *measurement // nil: edits are not wanted
	account *account
}

func (r *pairResult) writeJSON(w io.Writer) error {
	if r.found != nil && r.account.affords(r.found.size()) {
		r.Edits, r.Transformations = r.found.edits(), r.found.transformations()
	}
	return compact(w, r.BoundedDistance)
}

func (r *pairResult) bytes() int {
	const each = 16 // of a node or an edge of the graphs
	size := 8 * len(r.Map)
	if r.found != nil {
		size += each * r.found.size()
	}
	return size
}

// Close does nothing: nothing else uses the graphs.
func (*pairResult) Close() error { return nil }
