package train

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// Count changes the recipe to an encoder on up to most counts of whole graphs, with direct
// coordinates (Config.Direct), in place of message passing, which Config.Layers can add
// again. The readout is wide, from which counts gain more than states do. Weight decay is
// stronger, because nothing else prevents overfitting to counts that few queries have
// (docs/tried-learning.md). Batches are larger and the rate is lower than for message passing, because
// the noise of the steps was more of the error than what counts leave out. It is for SED.
func (r *Recipe) Count(most, direct int) {
	r.Counts, r.Direct = most, direct
	r.Config.Layers, r.Config.Hidden = 0, 256
	r.Options.Graphs, r.Options.Rate, r.Options.Decay = 384, 5e-4, 1
}

// tallies returns what a model of the recipe counts: what occurs in its training queries.
// Under a hinge, what only targets have does not matter.
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
