package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

// MCSRequest is the body of a request for what two graphs have in common.
type MCSRequest struct {
	Query  Query `json:"query"`
	Target Query `json:"target"`
	operation.MCS
}

func (s *Server) registerMCS(api huma.API) {
	answers(s, api, huma.Operation{
		OperationID: "mcs", Method: http.MethodPost, Path: "/v1/mcs", Summary: "The largest subgraph that two graphs have in common", Tags: []string{"distance"},
		Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
	}, toRead, func(ctx context.Context, in *body[MCSRequest]) (*operation.Overlap, error) {
		query, err := s.read(ctx, &in.Body.Query, nil)
		if err != nil {
			return nil, err
		}
		target, err := s.read(ctx, &in.Body.Target, nil)
		if err != nil {
			return nil, err
		}
		return s.overlap(ctx, &in.Body.MCS, query, target)
	})
}

// overlap finds what two graphs have in common.
func (s *Server) overlap(ctx context.Context, params *operation.MCS, query, target dataset.Record) (*operation.Overlap, error) {
	find, err := params.Resolve(s.limits(), greed.DefaultCheckedTime)
	if err != nil {
		return nil, explain(err)
	}
	if err := oneKind(query, target); err != nil {
		return nil, err
	}
	understood(ctx)
	out, err := withPermit(ctx, s, func(ctx context.Context) (*operation.Overlap, error) {
		begin := time.Now()
		vocab := graph.NewVocabulary()
		found, err := find(ctx, graph.In(vocab, query.Graph), graph.In(vocab, target.Graph))
		if err == nil {
			err = ctx.Err()
		}
		s.metrics.stage("check", time.Since(begin))
		return &found, err
	})
	return out, explain(err)
}
