package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
)

// PartsRequest is the body of a search for the graphs that the query contains.
type PartsRequest struct {
	Query  Query    `json:"query"`
	K      int      `json:"k,omitempty" minimum:"1" doc:"How many are listed at most, the largest first; 10 without it"`
	Filter []string `json:"filter,omitempty" maxItems:"20" doc:"Conditions on id, name and attributes, as in a search"`
	Show   []string `json:"show,omitempty" maxItems:"50" doc:"Attributes that the answers carry"`
	Budget string   `json:"budget,omitempty" minLength:"1" doc:"Time for the search, such as 500ms or 10s"`
}

type partsInput struct {
	Name string `path:"name" doc:"The collection"`
	Body PartsRequest
}

type partsOutput struct{ Body *greed.Parts }

func (s *Server) registerParts(api huma.API) {
	operate(s, api, huma.Operation{
		OperationID: "findParts", Method: http.MethodPost, Path: "/v1/collections/{name}/parts",
		Summary: "The graphs that the query contains", Tags: []string{"search"},
		Description: "The graphs of the collection that are subgraphs of the query, largest first, and how many there are. A search by SED with radius 0 is the reverse: the graphs that contain the query.",
		Errors:      []int{http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
	}, toRead, func(ctx context.Context, in *partsInput) (*partsOutput, error) {
		sh, rec, err := s.asked(ctx, in.Name, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		opt := greed.PartsOptions{K: in.Body.K, Show: in.Body.Show}
		if opt.K > s.opt.Limits.Answers {
			return nil, problem(http.StatusUnprocessableEntity, "k is %d; from 1 to %d answers can be asked for", opt.K, s.opt.Limits.Answers)
		}
		if opt.Time, err = s.budget(in.Body.Budget, provenBudget); err != nil {
			return nil, err
		}
		if opt.Filters, err = parseFilters(in.Body.Filter); err != nil {
			return nil, err
		}
		understood(ctx)
		found, err := withPlace(ctx, s, func(ctx context.Context) (*greed.Parts, error) {
			return sh.Collection.Parts(ctx, rec.Graph, opt)
		})
		return &partsOutput{found}, explain(err)
	})
}
