package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/greedgraph/greed/dataset"
)

// SDFRequest names graphs of a collection.
type SDFRequest struct {
	IDs []string `json:"ids" minItems:"1" maxItems:"1000" doc:"The graphs, in the order in which they are wanted"`
}

func (s *Server) registerSDF(api huma.API) {
	inCollection(s, api, huma.Operation{
		OperationID: "writeSDF", Method: http.MethodPost, Path: "/v1/collections/{name}/sdf", Summary: "Graphs of a collection as SDF", Tags: []string{"graphs"},
		Description: "One record for each id. A graph that cannot be written as a molecule becomes a record without atoms that says why. A molecule that was stored as a MOL block has its coordinates; those of others are 0.",
		Responses: map[string]*huma.Response{"200": {Description: "The molecules", Content: map[string]*huma.MediaType{
			typeSDF: {Schema: &huma.Schema{Type: huma.TypeString}},
		}}},
	}, toRead, func(ctx context.Context, sh *hosted, in *toCollection[SDFRequest]) (*huma.StreamResponse, error) {
		records := make([]dataset.Record, len(in.Body.IDs))
		for i, id := range in.Body.IDs {
			var err error
			if records[i], err = sh.get(id); err != nil {
				return nil, err
			}
		}
		if err := sh.Collection.Blocks(ctx, records); err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			r, w := humago.Unwrap(ctx)
			w.Header().Set("Content-Type", typeSDF)
			for _, rec := range records {
				if err := writeMolecule(w, rec, map[string]any{}, nil); err != nil {
					s.note(r, err)
					return
				}
			}
		}}, nil
	})
}
