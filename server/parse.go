package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// Parsed is a graph as it was read.
type Parsed struct {
	Graph *GraphJSON `json:"graph"`
	// SMILES is that of a molecule. Its atoms are in the order of the nodes
	// only if it is the text that was sent.
	SMILES string `json:"smiles,omitempty"`
	Name   string `json:"name,omitempty" doc:"What the service's table of names calls it"`
	Nodes  int    `json:"nodes"`
	Edges  int    `json:"edges"`
}

// ParseRequest is the body of a request to read a graph.
type ParseRequest struct {
	Query
	SMARTS string `json:"smarts,omitempty" doc:"Instead of a graph: a SMARTS, shown as a graph that all its matches contain, whose names are the texts of its atoms"`
	operation.Parse
}

func (s *Server) registerParse(api huma.API) {
	answers(s, api, huma.Operation{
		OperationID: "parse", Method: http.MethodPost, Path: "/v1/parse", Summary: "Read a graph in any form", Tags: []string{"graphs"},
	}, toRead, func(ctx context.Context, in *body[ParseRequest]) (*Parsed, error) {
		sh, err := s.readFor(in.Body.Collection)
		if err != nil {
			return nil, err
		}
		rec, err := s.parsed(ctx, &in.Body, sh)
		if err != nil {
			return nil, err
		}
		out := &Parsed{SMILES: rec.SMILES, Name: s.opt.Names.of(rec.ID, rec.SMILES), Nodes: rec.Graph.N(), Edges: rec.Graph.M()}
		if out.SMILES == "" && in.Body.Mol != "" {
			// If no SMILES reads back as the graph, there is none to return.
			out.SMILES, _ = chem.WriteSMILES(rec.Graph)
		}
		out.Graph, err = show(rec)
		return out, err
	})
}

// parsed returns the graph of a request, read as those of sh, which may be nil.
func (s *Server) parsed(ctx context.Context, in *ParseRequest, sh *hosted) (rec dataset.Record, err error) {
	if in.SMARTS == "" {
		return s.read(ctx, &in.Query, sh)
	}
	pattern, err := greed.ParseSMARTS(in.SMARTS)
	if err != nil {
		return rec, problem(http.StatusUnprocessableEntity, "smarts: %q: %v", in.SMARTS, err)
	}
	return s.patternGraph(&in.Query, &operation.Search{SMARTS: in.SMARTS}, pattern)
}
