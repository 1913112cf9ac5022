package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/dataset"
)

// Graph is a graph of a collection.
type Graph struct {
	ID       string         `json:"id,omitempty"`
	Name     string         `json:"name,omitempty"`
	SMILES   string         `json:"smiles,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
	Graph    *GraphJSON     `json:"graph,omitempty"`
}

// PutGraph is a graph to keep, in one of the forms of a query but id.
type PutGraph struct {
	Query
	Name     string         `json:"name,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type graphInput struct {
	Name string `path:"name" doc:"The collection"`
	ID   string `path:"id" doc:"The graph"`
}

type graphOutput struct{ Body *Graph }

type putInput struct {
	Name string `path:"name" doc:"The collection"`
	ID   string `path:"id" doc:"The graph"`
	Body PutGraph
}

// Stored is the outcome of a change that is on the disk.
type Stored struct {
	ID       string `json:"id"`
	Replaced bool   `json:"replaced,omitempty"`
	Deleted  bool   `json:"deleted,omitempty"`
}

type storedOutput struct{ Body Stored }

var writeErrors = []int{
	http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusRequestEntityTooLarge,
	http.StatusUnprocessableEntity, http.StatusServiceUnavailable, http.StatusInsufficientStorage,
}

func (s *Server) registerGraphs(api huma.API) {
	const path = "/v1/collections/{name}/graphs/{id}"
	huma.Register(api, huma.Operation{
		OperationID: "get-graph", Method: http.MethodGet, Path: path, Summary: "A graph", Tags: []string{"graphs"}, Errors: []int{http.StatusNotFound},
	}, func(_ context.Context, in *graphInput) (*graphOutput, error) {
		sh, err := s.find(in.Name)
		if err != nil {
			return nil, err
		}
		rec, ok := sh.Collection.Get(in.ID)
		if !ok {
			return nil, problem(http.StatusNotFound, "there is no graph %q in %s", in.ID, sh.Name)
		}
		g, err := show(rec)
		return &graphOutput{&Graph{rec.ID, rec.Name, rec.SMILES, rec.Meta, g}}, explain(err)
	})
	huma.Register(api, huma.Operation{
		OperationID: "put-graph", Method: http.MethodPut, Path: path, Summary: "Keep a graph, in place of one with its id", Tags: []string{"graphs"},
		MaxBodyBytes: s.opt.Limits.Body, BodyReadTimeout: s.opt.Limits.Read, Errors: writeErrors, Security: needsToken,
		Description: "The answer comes when the graph is on the disk.",
	}, func(ctx context.Context, in *putInput) (*storedOutput, error) {
		sh, err := s.writable(in.Name)
		if err != nil {
			return nil, err
		}
		rec, err := s.toKeep(in.ID, &in.Body)
		if err != nil {
			return nil, err
		}
		replaced, err := sh.Collection.Put(ctx, rec)
		if err != nil {
			return nil, explain(err)
		}
		sh.changed()
		return &storedOutput{Stored{ID: in.ID, Replaced: replaced > 0}}, nil
	})
	huma.Register(api, huma.Operation{
		OperationID: "delete-graph", Method: http.MethodDelete, Path: path, Summary: "Delete a graph", Tags: []string{"graphs"}, Errors: writeErrors, Security: needsToken,
	}, func(ctx context.Context, in *graphInput) (*storedOutput, error) {
		sh, err := s.writable(in.Name)
		if err != nil {
			return nil, err
		}
		deleted, err := sh.Collection.Delete(ctx, in.ID)
		switch {
		case err != nil:
			return nil, explain(err)
		case deleted == 0:
			return nil, problem(http.StatusNotFound, "there is no graph %q in %s", in.ID, sh.Name)
		}
		sh.changed()
		return &storedOutput{Stored{ID: in.ID, Deleted: true}}, nil
	})
}

var needsToken = []map[string][]string{{"token": {}}}

// writable returns a collection that can be changed.
func (s *Server) writable(name string) (*shelf, error) {
	sh, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return sh, sh.writable()
}

// toKeep returns the record of a graph to keep.
func (s *Server) toKeep(id string, in *PutGraph) (dataset.Record, error) {
	if in.ID != "" && in.ID != id {
		return dataset.Record{}, problem(http.StatusUnprocessableEntity, "the graph has the id %q in the body and %q in the address", in.ID, id)
	}
	q := in.Query
	q.ID = ""
	rec, err := s.read(&q, nil)
	if err != nil {
		return rec, err
	}
	rec.ID, rec.Line, rec.File = id, 0, ""
	if in.Name != "" {
		rec.Name = in.Name
	}
	if in.Metadata != nil {
		rec.Meta = in.Metadata
	}
	return rec, nil
}
