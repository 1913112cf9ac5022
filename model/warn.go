package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Names of the metrics in [Metadata], which are of held-out graphs.
const (
	MetricRMSE  = "rmse"
	MetricMAE   = "mae"
	MetricScore = "score" // what models are chosen by: errors weighed as in training
)

// Warnings describes for people how a query differs from the training graphs: in labels that
// they do not have, or in size. Predictions are then less reliable than the model's metrics
// suggest.
func (m *Model) Warnings(q *graph.Graph) []string {
	warnings := m.LabelWarnings(q)
	low, high := m.meta.Training.MinNodes, m.meta.Training.MaxNodes
	if m.meta.Task == edit.SED {
		low, high = m.meta.Training.MinQueryNodes, m.meta.Training.MaxQueryNodes
	}
	if n := q.N(); n < low || n > high {
		warnings = append(warnings, fmt.Sprintf("the query has %d nodes, the model was trained on %d to %d", n, low,
			high))
	}
	return warnings
}

// LabelWarnings is what [Model.Warnings] says of labels, here of several graphs together. It is also meant for targets.
func (m *Model) LabelWarnings(graphs ...*graph.Graph) (warnings []string) {
	own := m.meta.Vocabulary
	nodes, edges := make(map[string]bool), make(map[string]bool)
	for _, g := range graphs {
		vocab := g.Vocabulary()
		for _, l := range g.Labels() {
			if text := vocab.NodeText(l); l == graph.Wildcard {
				nodes["any (*)"] = true
			} else if _, ok := own.FindNode(text); !ok {
				nodes[text] = true
			}
		}
		if m.meta.Config.Conv != GINE {
			continue
		}
		for e := range g.Edges() {
			if text := vocab.EdgeText(e.Label); e.Label == graph.Wildcard {
				edges["any (*)"] = true
			} else if _, ok := own.FindEdge(text); !ok {
				edges[text] = true
			}
		}
	}
	if len(nodes) > 0 {
		warnings = append(warnings, "the model has not seen the node labels "+join(nodes)+
			"; predictions treat them as "+
			"average ones")
	}
	if len(edges) > 0 {
		warnings = append(warnings, "the model has not seen the edge labels "+join(edges)+
			"; predictions treat them as "+
			"average ones")
	}
	return warnings
}

func join(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
