package server

import (
	"context"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/dataset"
)

// Record is a graph of a collection and what is said of it.
type Record struct {
	ID         string         `json:"id,omitempty"`
	Name       string         `json:"name,omitempty"`
	SMILES     string         `json:"smiles,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Graph      *GraphJSON     `json:"graph,omitempty"`
}

// PutGraph is a graph to keep, in one of the forms of a query but id.
type PutGraph struct {
	Query
	Name       string         `json:"name,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
}

type graphInput struct {
	Name string `path:"name" doc:"The collection"`
	ID   string `path:"id" doc:"The graph"`
}

type graphOutput struct{ Body *Record }

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

var writeErrors = []int{http.StatusNotFound, http.StatusConflict, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInsufficientStorage}

func (s *Server) registerGraphs(api huma.API) {
	const path = "/v1/collections/{name}/graphs/{id}"
	operate(s, api, huma.Operation{
		OperationID: "getGraph", Method: http.MethodGet, Path: path, Summary: "A graph", Tags: []string{"graphs"}, Errors: []int{http.StatusNotFound},
	}, toRead, func(_ context.Context, in *graphInput) (*graphOutput, error) {
		sh, err := s.find(in.Name)
		if err != nil {
			return nil, err
		}
		rec, ok := sh.Collection.Get(in.ID)
		if !ok {
			return nil, problem(http.StatusNotFound, "there is no graph %q in %s", in.ID, sh.Name)
		}
		g, err := show(rec)
		return &graphOutput{&Record{rec.ID, rec.Name, rec.SMILES, rec.Attributes, g}}, explain(err)
	})
	operate(s, api, huma.Operation{
		OperationID: "putGraph", Method: http.MethodPut, Path: path, Summary: "Keep a graph, in place of one with its id", Tags: []string{"graphs"},
		Errors: writeErrors, Description: "The answer comes when the graph is on the disk.",
	}, toWrite, func(ctx context.Context, in *putInput) (*storedOutput, error) {
		sh, err := s.writable(in.Name)
		if err != nil {
			return nil, err
		}
		rec, err := s.toKeep(ctx, in.ID, &in.Body)
		if err != nil {
			return nil, err
		}
		leave, err := sh.change(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
		if err := sh.kind().Check(rec); err != nil {
			return nil, explain(err)
		}
		replaced, err := sh.Collection.Put(ctx, rec)
		if err != nil {
			return nil, explain(err)
		}
		sh.changed()
		return &storedOutput{Stored{ID: in.ID, Replaced: replaced > 0}}, nil
	})
	operate(s, api, huma.Operation{
		OperationID: "deleteGraph", Method: http.MethodDelete, Path: path, Summary: "Delete a graph", Tags: []string{"graphs"}, Errors: writeErrors,
	}, toWrite, func(ctx context.Context, in *graphInput) (*storedOutput, error) {
		sh, err := s.writable(in.Name)
		if err != nil {
			return nil, err
		}
		leave, err := sh.change(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
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

// writable returns a collection that can be changed.
func (s *Server) writable(name string) (*hosted, error) {
	sh, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return sh, sh.writable()
}

// change waits until the collection may be changed by this request.
func (s *hosted) change(ctx context.Context) (leave func(), err error) {
	understood(ctx)
	leave, err = s.writers.enter(ctx)
	return leave, explain(err)
}

// longestID is how many bytes an id may have.
const longestID = 4096

// fitID returns an error if no graph can be kept under an id.
func fitID(id string) error {
	switch {
	case id == "":
		return problem(http.StatusUnprocessableEntity, "there is no id")
	case len(id) > longestID:
		return problem(http.StatusUnprocessableEntity, "the id has %d bytes; at most %d are taken", len(id), longestID)
	case !utf8.ValidString(id):
		return problem(http.StatusUnprocessableEntity, "the id is not UTF-8")
	}
	return nil
}

// toKeep returns the record of a graph to keep.
func (s *Server) toKeep(ctx context.Context, id string, in *PutGraph) (dataset.Record, error) {
	if err := fitID(id); err != nil {
		return dataset.Record{}, err
	}
	if in.ID != "" && in.ID != id {
		return dataset.Record{}, problem(http.StatusUnprocessableEntity, "the graph has the id %q in the body and %q in the address", in.ID, id)
	}
	q := in.Query
	q.ID = ""
	rec, err := s.read(ctx, &q, nil)
	if err != nil {
		return rec, err
	}
	rec.ID, rec.Line, rec.File = id, 0, ""
	if in.Name != "" {
		rec.Name = in.Name
	}
	if in.Attributes != nil {
		rec.Attributes = in.Attributes
	}
	return rec, nil
}
