package train

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// tallies returns what a model of the recipe counts: what occurs in the queries that it
// learns from. Under a hinge, what a target has beyond any query does not matter.
func tallies(data Data, r Recipe) []nn.Tally {
	var queries []*graph.Graph
	seen := make([]bool, len(data.Graphs))
	for _, b := range data.Train {
		for _, q := range b.Queries {
			if !seen[q] {
				seen[q] = true
				queries = append(queries, data.Graphs[q])
			}
		}
	}
	return nn.Tallies(queries, describe(data, r).Rows(data.Graphs[0].Vocabulary()), r.Counts)
}
