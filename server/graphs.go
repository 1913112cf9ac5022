package server

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// Record is a graph of a collection with its attributes.
type Record struct {
	ID         string         `json:"id,omitempty"`
	Name       string         `json:"name,omitempty"`
	SMILES     string         `json:"smiles,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Graph      *GraphJSON     `json:"graph,omitempty"`
}

// PutGraph is a graph to store, in one of the forms of a query except id.
type PutGraph struct {
	Query
	operation.Put
}

// GraphPath is the path of a graph.
type GraphPath struct {
	CollectionPath
	ID string `path:"id" doc:"The graph; write . as %2E and .. as %2E%2E"`
}

type getGraphInput struct {
	ReadOf
	ID string `path:"id" doc:"The graph; write . as %2E and .. as %2E%2E"`
}

type deleteInput struct {
	GraphPath
	WriteCondition
}

type putInput struct {
	GraphPath
	WriteCondition
	IfNoneMatch string `header:"If-None-Match" doc:"${put_input_if_none_match}" enum:"*"`
	Body        PutGraph
}

var writeErrors = []int{http.StatusPreconditionFailed}

func (s *Server) registerGraphs(api huma.API) {
	const path = "/v1/collections/{name}/graphs/{id}"
	reads(s, api, huma.Operation{
		OperationID: "getGraph", Path: path, Summary: "A graph", Tags: []string{"graphs"},
		Errors:      []int{http.StatusConflict},
		Description: "An id that several indexes of the collection have finds none.",
	}, func(_ context.Context, sh *hosted, in *getGraphInput) (*Record, error) {
		rec, err := sh.get(in.ID)
		if err != nil {
			return nil, err
		}
		g, err := show(rec)
		return &Record{rec.ID, cmp.Or(plainName(rec.ID, rec.Name), sh.names.of(rec.ID, rec.SMILES)), rec.SMILES,
			rec.Attributes, g}, err
	})
	inCollection(s, api, huma.Operation{
		OperationID: "putGraph", Method: http.MethodPut, Path: path,
		Summary: "Store a graph, replacing the one with its id",
		Tags:    []string{"graphs"},
		Errors:  writeErrors, Description: "The answer comes when the graph is on the disk.",
	}, toWrite, func(ctx context.Context, sh *hosted, in *putInput) (*changed, error) {
		rec, err := s.newRecord(ctx, sh, in.ID, &in.Body)
		if err != nil {
			return nil, err
		}
		return sh.applyIf(ctx, in.WriteCondition, sh.hasGraph(in.ID), greed.Change{Put: []dataset.Record{rec},
			New: in.IfNoneMatch != ""})
	})
	inCollection(s, api, huma.Operation{
		OperationID: "deleteGraph", Method: http.MethodDelete, Path: path, Summary: "Delete a graph",
		Tags: []string{"graphs"}, Errors: writeErrors,
	}, toWrite, func(ctx context.Context, sh *hosted, in *deleteInput) (*changed, error) {
		done, err := sh.applyIf(ctx, in.WriteCondition, sh.hasGraph(in.ID), greed.Change{Delete: []string{in.ID}})
		if err == nil && done.Body.Deleted == 0 {
			err = sh.missing(in.ID)
		}
		return done, err
	})
}

// hasGraph returns what reports whether the collection has a graph.
func (s *hosted) hasGraph(id string) func() bool {
	return func() bool { return s.Collection.Has(id) }
}

// plainName returns the name of a graph, or "" if that is only its id.
func plainName(id, name string) string {
	if name == id {
		return ""
	}
	return name
}

// change waits for its turn to change the collection.
func (s *hosted) change(ctx context.Context) (leave func(), err error) {
	understood(ctx)
	leave, err = s.writers.enter(ctx, traceOf(ctx).client)
	if err == nil && s.dropped {
		leave()
		return nil, problem(http.StatusNotFound, "there is no collection %q any more", s.Name)
	}
	return leave, explain(err)
}

// newRecord returns the record of a graph to store in a collection.
func (s *Server) newRecord(ctx context.Context, sh *hosted, id string, in *PutGraph) (dataset.Record, error) {
	if err := operation.CheckID(id); err != nil {
		return dataset.Record{}, explain(err)
	}
	if in.ID != "" && in.ID != id {
		return dataset.Record{}, problem(http.StatusUnprocessableEntity,
			"the graph has the id %q in the body and %q in the address", in.ID, id)
	}
	q := in.Query
	q.ID = ""
	rec, err := s.read(ctx, &q, sh)
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

// SDFRequest names graphs of a collection.
type SDFRequest struct {
	IDs []string `json:"ids" minItems:"1" maxItems:"1000" doc:"The graphs, in the order in which they are wanted"`
	operation.Written
}

func (s *Server) registerSDF(api huma.API) {
	inCollection(s, api, huma.Operation{
		OperationID: "writeSDF", Method: http.MethodPost, Path: "/v1/collections/{name}/sdf",
		Summary: "Graphs of a collection as SDF", Tags: []string{"graphs"}, Errors: []int{http.StatusConflict},
		Description: "One record for each id. A graph that cannot be written as a molecule becomes a record without " +
			"atoms " +
			"that says why. A molecule that was stored as a MOL block has its coordinates; those of others are 0.",
		Responses: written(api, "The molecules", map[string]reflect.Type{typeSDF: typeOf[string]()}),
	}, toRead, func(ctx context.Context, sh *hosted, in *toCollection[SDFRequest]) (*huma.StreamResponse, error) {
		limit, err := in.Body.Limit(greed.DefaultTime, s.limits())
		if err != nil {
			return nil, explain(err)
		}
		for _, id := range in.Body.IDs {
			if !sh.Collection.Has(id) {
				return nil, sh.missing(id)
			}
		}
		account := s.accountOf(ctx)
		account.limit(limit)
		return s.respond(func(r *http.Request, w http.ResponseWriter) error {
			w.Header().Set("Content-Type", typeSDF)
			return account.inPieces(w, func(w io.Writer) error {
				return sh.writeGraphs(r.Context(), w, in.Body.IDs,
					account)
			})
		}), nil
	})
}

// writeGraphs writes graphs as SDF, as long as the account affords it. Those that it does not
// afford, or that have been deleted, become records that say so.
func (s *hosted) writeGraphs(ctx context.Context, w io.Writer, ids []string, account *account) error {
	for part := range slices.Chunk(ids, molBatch) {
		records, problems := s.molecules(part, account)
		if err := s.Collection.Blocks(ctx, records); err != nil {
			return err
		}
		for i, rec := range records {
			if problems[i] == nil && account.over() {
				problems[i] = errNotInTime
			}
			if err := cmp.Or(ctx.Err(), writeMolecule(w, rec, map[string]any{}, problems[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

// errNotInTime says why a molecule was not written.
var errNotInTime = errors.New("the time limit of the request was reached")

// molecules returns the records with some ids, as long as the account affords it, and for each why
// it has only an id, or nil.
func (s *hosted) molecules(ids []string, account *account) ([]dataset.Record, []error) {
	records, problems := make([]dataset.Record, len(ids)), make([]error, len(ids))
	for i, id := range ids {
		records[i].ID = id
		if account.over() {
			problems[i] = errNotInTime
		} else if rec, ok := s.Collection.Get(id); ok {
			records[i] = rec
		} else {
			problems[i] = errors.New("it has been deleted since")
		}
	}
	return records, problems
}
