package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
)

// Info describes a collection of the service.
type Info struct {
	greed.Info
	Name     string `json:"name"`
	About    string `json:"about,omitempty"`
	Link     string `json:"link,omitempty" doc:"${info_link}"`
	Writable bool   `json:"writable"`
	// Generation counts the changes since the service began.
	Generation int64   `json:"generation"`
	Unreadable string  `json:"unreadable,omitempty" doc:"${info_unreadable}"`
	Budget     float64 `json:"max_time_limit" doc:"The most seconds that a request may ask for"`
}

type collectionsOutput struct {
	Creates bool `header:"Greed-Creates" doc:"Collections may be created here"`
	Body    []Info
}

func (s *Server) registerCollections(api huma.API) {
	operate(s, api, huma.Operation{
		OperationID: "listCollections", Method: http.MethodGet, Path: "/v1/collections", Summary: "The collections",
		Tags: []string{"collections"},
	}, toRead, func(context.Context, *struct{}) (*collectionsOutput, error) {
		out := &collectionsOutput{s.opt.Root != "", []Info{}}
		for _, name := range s.catalog.Load().names {
			out.Body = append(out.Body, s.describe(s.catalog.Load().by[name]))
		}
		return out, nil
	})
	reads(s, api, huma.Operation{
		OperationID: "getCollection", Path: "/v1/collections/{name}", Summary: "One collection",
		Tags: []string{"collections"},
	}, func(_ context.Context, sh *hosted, _ *ReadOf) (*Info, error) {
		info := s.describe(sh)
		return &info, nil
	})
}

// CreateRequest describes a new collection.
type CreateRequest struct {
	Models string `json:"models,omitempty" enum:"none,molecules" default:"none" doc:"${create_request_models}"`
	// Compared decides how graphs are read from now on: it cannot be changed.
	Compared []string `json:"compared,omitempty" enum:"charges,isotopes,hydrogens,stereochemistry" doc:"${compares}"`
	Forms    []string `json:"forms,omitempty" enum:"largest_fragment,neutralise,tautomers" doc:"${reads_in_forms}"`
}

type createInput struct {
	CollectionPath
	Body *CreateRequest
}

type dropInput struct {
	CollectionPath
	WriteCondition
}

// Dropped says that a collection is gone.
type Dropped struct {
	Name    string `json:"name"`
	Deleted bool   `json:"deleted"`
}

func (s *Server) registerCreate(api huma.API) {
	const path = "/v1/collections/{name}"
	answers(s, api, huma.Operation{
		OperationID: "createCollection", Method: http.MethodPut, Path: path, Summary: "Create an empty collection",
		Tags:          []string{"collections"},
		DefaultStatus: http.StatusCreated,
		Description: "Only where the service has a folder for new collections. The answer comes when the collection " +
			"is on the disk. The first graph decides whether its graphs are directed.",
	}, toWrite, func(ctx context.Context, in *createInput) (i Info, err error) {
		understood(ctx)
		var params CreateRequest
		if in.Body != nil {
			params = *in.Body
		}
		sh, err := s.create(ctx, in.Name, params)
		if err != nil {
			return i, err
		}
		return s.describe(sh), nil
	})
	inCollection(s, api, huma.Operation{
		OperationID: "dropCollection", Method: http.MethodDelete, Path: path,
		Summary: "Delete a collection with all its graphs", Tags: []string{"collections"},
		Errors: writeErrors, Description: "Only for collections in the folder for new collections. Requests that are " +
			"using the collection finish normally.",
	}, toWrite, func(ctx context.Context, sh *hosted, in *dropInput) (*body[Dropped], error) {
		return &body[Dropped]{Dropped{sh.Name, true}}, s.drop(ctx, sh, in.WriteCondition)
	})
}

func (s *Server) describe(sh *hosted) Info {
	return Info{
		Info: sh.Collection.Info(), Name: sh.Name, About: sh.About, Link: sh.Link,
		Writable:   sh.Writable && !sh.Collection.Several(), // whose refusal says what to change instead
		Generation: sh.generation.Load(), Unreadable: withoutFolder(sh.unreadable.text()),
		Budget: s.opt.Limits.Time.Seconds(),
	}
}

// Attributes are those of a collection's graphs, with their values.
type Attributes struct {
	Attributes []greed.AttributeSummary `json:"attributes" doc:"In the order of their names"`
	Seen       int                      `json:"seen" doc:"${attributes_seen}"`
	Of         int                      `json:"of" doc:"How many graphs there are"`
}

// AttributeValues are those of one attribute.
type AttributeValues struct {
	IDs    []string `json:"ids" doc:"The graphs; of a large collection, the first"`
	Values []any    `json:"values" doc:"The value of each; null where there is none"`
}

// Labels are those of a collection's graphs.
type Labels struct {
	Nodes []string `json:"nodes" doc:"Labels of nodes, in the order of their first occurrence"`
	Edges []string `json:"edges" doc:"Labels of edges, in the order of their first occurrence"`
}

const (
	attributeGraphs = 200_000 // that are looked at for attributes
	mostLabels      = 1000    // that are listed of nodes and of edges
)

type valuesInput struct {
	CollectionPath
	Attribute string `path:"attribute" doc:"The name of the attribute"`
}

func (s *Server) registerAttributes(api huma.API) {
	ofCollection(s, api, huma.Operation{
		OperationID: "listAttributes", Method: http.MethodGet, Path: "/v1/collections/{name}/attributes",
		Summary: "The attributes of a collection and their values", Tags: []string{"collections"},
	}, func(ctx context.Context, sh *hosted, _ *CollectionPath) (*Attributes, error) {
		return sh.attributes.get(ctx, sh, func() (*Attributes, error) {
			list, seen, err := sh.Collection.Attributes(ctx, attributeGraphs)
			return &Attributes{append([]greed.AttributeSummary{}, list...), seen, sh.Collection.Len()}, err
		})
	})
	ofCollection(s, api, huma.Operation{
		OperationID: "listAttributeValues", Method: http.MethodGet,
		Path:    "/v1/collections/{name}/attributes/{attribute}",
		Summary: "The values of an attribute", Tags: []string{"collections"}, Errors: []int{http.StatusConflict},
	}, func(ctx context.Context, sh *hosted, in *valuesInput) (*AttributeValues, error) {
		ids, values, err := sh.Collection.AttributeValues(ctx, in.Attribute, attributeGraphs)
		return &AttributeValues{append([]string{}, ids...), append([]any{}, values...)}, err
	})
	ofCollection(s, api, huma.Operation{
		OperationID: "listLabels", Method: http.MethodGet, Path: "/v1/collections/{name}/labels",
		Summary: "The labels of a collection's graphs", Tags: []string{"collections"},
	}, func(_ context.Context, sh *hosted, _ *CollectionPath) (*Labels, error) {
		vocab := sh.Collection.Vocabulary()
		l := &Labels{Nodes: []string{}, Edges: []string{}}
		for i := range min(vocab.Nodes()-1, mostLabels) {
			l.Nodes = append(l.Nodes, vocab.NodeText(graph.Label(i+1)))
		}
		for i := range min(vocab.Edges()-1, mostLabels) {
			l.Edges = append(l.Edges, vocab.EdgeText(graph.Label(i+1)))
		}
		return l, nil
	})
}
