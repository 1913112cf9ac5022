package operation

import (
	greed "github.com/greedgraph/greed"
)

// Vectors asks for the graphs of a collection whose vectors are nearest to others.
type Vectors struct {
	Compared
	Vectors [][]float32 `json:"vectors,omitempty" maxItems:"100" doc:"Or these vectors, with as many coordinates as the embedding has"`
	K       *int        `json:"k,omitempty" minimum:"1" doc:"Maximum number of answers to each query; by default 10, or all within the radius if one is given"`
	Radius  *float64    `json:"radius,omitempty" minimum:"0" doc:"Only answers within this distance; with k, the nearest of them"`
	Filter  []string    `json:"filter,omitempty" maxItems:"20" doc:"Only graphs whose id, name or attributes match, as in a search"`
}

// Compared says which vectors are compared.
type Compared struct {
	Like      []string `json:"like,omitempty" sep:"none" maxItems:"100" placeholder:"ID" doc:"Compare the vector of this graph of the collection; may be repeated"`
	Embedding string   `json:"embedding,omitempty" placeholder:"NAME" doc:"The embedding whose vectors are compared, where there are several"`
}

// Resolve returns the options of the search, or an [Error] that names a field.
func (r *Vectors) Resolve(allowed Limits) (opt greed.VectorOptions, err error) {
	s := Search{K: r.K, Radius: r.Radius, Matching: Matching{Filter: r.Filter}}
	found, err := s.Resolve(allowed)
	switch {
	case err != nil:
		return opt, err
	case (len(r.Like) == 0) == (len(r.Vectors) == 0):
		return opt, wrong("like", "give like or vectors: the ids of graphs, or vectors")
	}
	return greed.VectorOptions{
		Like: r.Like, Vectors: r.Vectors, Embedding: r.Embedding, K: found.K, Radius: found.Radius, Filters: found.Filters,
	}, nil
}
