package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// VectorsRequest is the body of a search by vectors.
type VectorsRequest struct{ operation.Vectors }

// Vectors are the answers to a search by vectors.
type Vectors struct {
	Results []greed.NearVectors `json:"results" doc:"One for each graph or vector, in their order"`
}

func (s *Server) registerVectors(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "searchVectors", Method: http.MethodPost, Path: "/v1/collections/{name}/vectors", Summary: "Search a collection by vectors", Tags: []string{"search"},
		Description: "The graphs whose vectors are nearest, by the norm of their embedding, to those of other graphs or to given ones. No distances of graphs are computed.",
		Errors:      []int{http.StatusConflict},
	}, func(ctx context.Context, sh *hosted, in *toCollection[VectorsRequest]) (*Vectors, error) {
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, err
		}
		understood(ctx)
		list, err := withPermit(ctx, s, func(ctx context.Context) ([]greed.NearVectors, error) {
			return sh.Collection.Nearest(ctx, opt)
		})
		if err != nil {
			return nil, err
		}
		answers := 0
		for i := range list {
			answers += len(list[i].Answers)
		}
		if most := mostOfMany * s.opt.Limits.Answers; answers > most {
			return nil, problem(http.StatusUnprocessableEntity, "%d graphs are within the radius; at most %d answers are returned: ask for a smaller radius, or for the nearest k", answers, most)
		}
		return &Vectors{list}, nil
	})
}
