package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
)

// Attributes are those of a collection's graphs, with their values.
type Attributes struct {
	Attributes []greed.AttributeSummary `json:"attributes" doc:"In the order of their names"`
	Seen       int                      `json:"seen" doc:"How many graphs were examined; of a large collection, the first"`
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
		OperationID: "listAttributeValues", Method: http.MethodGet, Path: "/v1/collections/{name}/attributes/{attribute}",
		Summary: "The values of an attribute", Tags: []string{"collections"},
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
