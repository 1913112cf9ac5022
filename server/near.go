package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// Between names the other collection of pairs.
type Between struct {
	Other string `json:"other,omitempty" minLength:"1" doc:"Another collection: pairs then have one graph of each"`
}

// JoinRequest is the body of a request for near pairs.
type JoinRequest struct {
	Between
	operation.Join
}

// CliffsRequest is the body of a request for what near pairs mean.
type CliffsRequest struct {
	Between
	operation.Cliffs
}

// pairBytes is what a near pair takes in memory, with its transformations.
const pairBytes = 2048

func (s *Server) registerNear(api huma.API) {
	common := huma.Operation{Method: http.MethodPost, Tags: []string{"search"}}
	join := common
	join.OperationID, join.Path, join.Summary = "join", "/v1/collections/{name}/join", "All pairs of graphs within a distance"
	ofCollection(s, api, join, func(ctx context.Context, sh *hosted, in *toCollection[JoinRequest]) (*greed.Joined, error) {
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, err
		}
		return near(ctx, s, &in.Body.Between, &opt.Near, func(ctx context.Context) (*greed.Joined, error) {
			return sh.Collection.Join(ctx, opt)
		}, func(found *greed.Joined) int { return len(found.Pairs) })
	})
	cliffs := common
	cliffs.OperationID, cliffs.Path, cliffs.Summary = "cliffs", "/v1/collections/{name}/cliffs", "What near pairs mean for an attribute"
	cliffs.Description = "Activity cliffs, pairs that are near in structure and far in an attribute; the mean change by each transformation of molecules; and duplicates."
	ofCollection(s, api, cliffs, func(ctx context.Context, sh *hosted, in *toCollection[CliffsRequest]) (*greed.Cliffs, error) {
		opt, err := in.Body.Resolve(s.limits())
		if err != nil {
			return nil, err
		}
		return near(ctx, s, &in.Body.Between, &opt.Near, func(ctx context.Context) (*greed.Cliffs, error) {
			return sh.Collection.Cliffs(ctx, opt)
		}, func(found *greed.Cliffs) int { return max(len(found.Pairs), len(found.Effects), len(found.Duplicates)) })
	})
}

// near carries out a request for near pairs under a permit. longest returns how many rows the
// longest list of its answer has.
func near[T any](ctx context.Context, s *Server, between *Between, opt *greed.Near, work func(context.Context) (*T, error), longest func(*T) int) (*T, error) {
	if between.Other != "" {
		other, err := s.find(between.Other)
		if err != nil {
			return nil, err
		}
		opt.Other = other.Collection
	}
	found, err := withPermit(ctx, s, func(ctx context.Context) (*T, error) {
		defer func(begin time.Time) { s.metrics.stage("check", time.Since(begin)) }(time.Now())
		return work(ctx)
	})
	if err != nil {
		return nil, err
	}
	if n, most := longest(found), s.opt.Limits.Answers; n > most {
		return nil, problem(http.StatusUnprocessableEntity, "%d pairs, transformations or duplicates are within the radius; at most %d are returned: ask for a smaller radius, or for the first k", n, most)
	}
	return found, nil
}
