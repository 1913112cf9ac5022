package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/norm"
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

// Embedding is the vector that a model gives to a graph.
type Embedding struct {
	Task        greed.Task `json:"task" enum:"ged,sed"`
	Fingerprint string     `json:"fingerprint" doc:"Of the model"`
	Norm        norm.Norm  `json:"norm" doc:"Of the difference of two vectors: it predicts the distance"`
	Vector      []float32  `json:"vector"`
	// At is where the map of the collection shows the graph.
	At    [2]float32     `json:"at"`
	Notes []dataset.Note `json:"notes,omitempty" doc:"How the graph was read, and how it differs from those that the model was trained on"`
}

// EmbedRequest is the body of a request for a vector.
type EmbedRequest struct {
	Query Query `json:"query"`
	operation.Embed
}

func (s *Server) registerEmbed(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "embed", Method: http.MethodPost, Path: "/v1/collections/{name}/embed", Summary: "Turn a graph into a vector", Tags: []string{"search"},
		Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, sh *hosted, in *toCollection[EmbedRequest]) (*Embedding, error) {
		rec, err := s.compared(ctx, sh, &in.Body.Query)
		if err != nil {
			return nil, err
		}
		task, err := sh.task(in.Body.Task)
		if err != nil {
			return nil, err
		}
		e, err := sh.Collection.Embed(ctx, task, rec.Graph)
		if err != nil {
			return nil, err
		}
		p, err := sh.projection(ctx, task)
		if err != nil {
			return nil, err
		}
		return &Embedding{task, e.Fingerprint, e.Norm, e.Vector, p.project(e.Vector), dataset.Merge(e.Notes, rec.Notes)}, nil
	})
}

// task parses the name of a task, for which there must be a model.
func (s *hosted) task(text string) (greed.Task, error) {
	task, err := operation.Task(text)
	if err != nil {
		return task, explain(err)
	}
	if !slices.Contains(s.Collection.Models(), task) {
		return task, problem(http.StatusConflict, "the collection %q has no model for %v, so nothing can be predicted: ask for proven answers, or train a model with greed train", s.Name, task)
	}
	return task, nil
}
