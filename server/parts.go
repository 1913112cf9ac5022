package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// PartsRequest is the body of a search for the graphs that the query contains.
type PartsRequest struct {
	Query Query `json:"query"`
	operation.Contained
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
		sh, rec, err := s.resolveQuery(ctx, in.Name, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, explain(err)
		}
		understood(ctx)
		found, err := withPermit(ctx, s, func(ctx context.Context) (*greed.Parts, error) {
			return sh.Collection.Parts(ctx, rec.Graph, opt)
		})
		return &partsOutput{found}, explain(err)
	})
}
