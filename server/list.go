package server

import (
	"context"
	"encoding/base64"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
)

// Page is a part of the list of a collection's graphs.
type Page struct {
	Graphs []ListedGraph `json:"graphs" doc:"In the order of their ids, byte by byte"`
	Next   string        `json:"next,omitempty" doc:"The cursor of the next part; absent at the end"`
}

// ListedGraph is a graph in a list.
type ListedGraph struct {
	Record
	Nodes int `json:"nodes"`
	Edges int `json:"edges"`
}

type listInput struct {
	ReadOf
	Limit  int      `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many graphs at most"`
	Cursor string   `query:"cursor" doc:"The value of next in the previous part"`
	Filter []string `query:"filter,explode" maxItems:"20" doc:"Conditions on id, name and attributes, as in a search"`
	Whole  bool     `query:"whole" doc:"With attributes, nodes and edges"`
}

// mostSeen is how many graphs are looked at for a part: a filter may fit few.
const mostSeen = 100_000

func (s *Server) registerList(api huma.API) {
	reads(s, api, huma.Operation{
		OperationID: "listGraphs", Path: "/v1/collections/{name}/graphs",
		Summary: "The graphs of a collection, part by part",
		Tags:    []string{"graphs"}, Errors: []int{http.StatusConflict},
		Description: "Each answer has a cursor for the next part. A graph that is there from the first part to the " +
			"last is listed once, whatever changes meanwhile. A part may have fewer graphs than the limit, even " +
			"none, where graphs are large or a filter matches few.",
	}, s.list)
}

func (s *Server) list(ctx context.Context, sh *hosted, in *listInput) (*Page, error) {
	after, err := base64.RawURLEncoding.DecodeString(in.Cursor)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "the cursor is not one that was given as next")
	}
	filters, err := operation.Filters(in.Filter)
	if err == nil {
		err = sh.Collection.CheckFilters(filters)
	}
	if err != nil {
		return nil, explain(err)
	}
	page, account := &Page{Graphs: []ListedGraph{}}, s.accountOf(ctx)
	seen, size, last := 0, 0, ""
	for rec, err := range sh.Collection.After(string(after)) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, explain(err)
		}
		if len(page.Graphs) == in.Limit || seen == mostSeen || !account.holds(size, elementBytes) {
			page.Next = base64.RawURLEncoding.EncodeToString([]byte(last))
			break
		}
		seen++
		last = rec.ID
		if !search.Pass(&rec, filters) {
			continue
		}
		listed := ListedGraph{Record{ID: rec.ID, Name: plainName(rec.ID, rec.Name), SMILES: rec.SMILES}, rec.Graph.N(),
			rec.Graph.M()}
		if in.Whole {
			size += rec.Graph.N() + rec.Graph.M()
			listed.Attributes = rec.Attributes
			if listed.Graph, err = show(rec); err != nil {
				return nil, explain(err)
			}
		}
		page.Graphs = append(page.Graphs, listed)
	}
	return page, nil
}
