package train

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// Count makes the recipe one of an encoder that sees up to most counts of whole graphs, of
// which direct coordinates are direct, in place of rounds of message passing, which
// Config.Layers can add again. The readout is wide, which counts gain more by than states do, and
// weights decay faster, because nothing else keeps counts of few queries from being learnt by
// heart (docs/tried.md). It is for SED.
func (r *Recipe) Count(most, direct int) {
	r.Counts, r.Direct = most, direct
	r.Config.Layers, r.Config.Hidden, r.Options.Decay = 0, 256, 1
}

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
