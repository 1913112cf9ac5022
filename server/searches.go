package server

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// SearchesRequest is the body of a request with many queries.
type SearchesRequest struct {
	Queries []Query `json:"queries" minItems:"1" maxItems:"100"`
	operation.Search
}

// Searches are the outcomes of many queries.
type Searches struct {
	Results []SearchResult `json:"results" doc:"One for each query, in their order"`
}

// SearchResult is the outcome of one of many queries: what was found, or what is wrong
// with the query.
type SearchResult struct {
	Query   int          `json:"query" doc:"The number of the query, from 0"`
	Found   *greed.Found `json:"found,omitempty"`
	Problem *Problem     `json:"problem,omitempty"`
}

func (s *Server) registerSearches(api huma.API) {
	inCollection(s, api, huma.Operation{
		OperationID: "searchMany", Method: http.MethodPost, Path: "/v1/collections/{name}/searches",
		Summary: "Search a collection by many graphs", Tags: []string{"search"}, Errors: searchErrors,
		Description: "The time limit is for all queries together: each gets an equal part of what is left. A query " +
			"that cannot be read does not affect the others. With Accept: application/x-ndjson each result is a " +
			"line, sent as soon as it is known.",
		Responses: written(api, "What was found for each query",
			map[string]reflect.Type{typeJSON: typeOf[Searches](), typeNDJSON: typeOf[SearchResult]()}),
	}, toRead, func(ctx context.Context, sh *hosted, in *streamed[SearchesRequest]) (*huma.StreamResponse, error) {
		return s.searchMany(ctx, sh, in)
	})
}

// searchMany reads each query when its turn comes. One that is wrong fails alone.
func (s *Server) searchMany(ctx context.Context, sh *hosted,
	in *streamed[SearchesRequest]) (*huma.StreamResponse, error) {
	format, err := negotiate(in.Accept, typeJSON, typeNDJSON)
	if err != nil {
		return nil, err
	}
	common := &job{hosted: sh, format: format}
	if common.opt, err = s.resolve(&in.Body.Search); err != nil {
		return nil, err
	}
	if err := operation.Alone(common.opt.SMARTS, len(in.Body.Queries)); err != nil {
		return nil, explain(err)
	}
	queries, answers := in.Body.Queries, 0
	work := &many{
		Server: s, count: len(queries), format: format, budget: common.opt.Time, request: traceOf(ctx).id,
		number: "query",
		value:  "found",
		do: func(ctx context.Context, i int, limit time.Duration, account *account) (held, error) {
			if answers > operation.MostOfMany*s.opt.Limits.Answers {
				return nil, problem(http.StatusUnprocessableEntity,
					"the earlier queries have %d answers, the most for one "+
						"request; send this one again", answers)
			}
			j := *common
			j.opt.Time = limit
			var err error
			if j.record, err = s.compared(ctx, sh, &queries[i], operation.GivenCosts(j.opt.Costs)...); err != nil {
				return nil, err
			}
			res, err := s.run(ctx, &j, account)
			if err == nil {
				answers += res.count()
			}
			return res, err
		},
	}
	return s.respond(work.carryOut), nil
}
