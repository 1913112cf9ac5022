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

func (s *Server) registerParts(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "findParts", Method: http.MethodPost, Path: "/v1/collections/{name}/parts",
		Summary: "The graphs that the query contains", Tags: []string{"search"},
		Description: "The graphs of the collection that are subgraphs of the query, largest first, and how many there are. A search by SED with radius 0 is the reverse: the graphs that contain the query.",
	}, func(ctx context.Context, sh *hosted, in *toCollection[PartsRequest]) (*greed.Parts, error) {
		rec, err := s.compared(ctx, sh, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, err
		}
		understood(ctx)
		return withPermit(ctx, s, func(ctx context.Context) (*greed.Parts, error) {
			return sh.Collection.Parts(ctx, rec.Graph, opt)
		})
	})
}
