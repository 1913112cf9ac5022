package model

import (
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// AverageUnknown sets the rows of unknown labels in all tables to the mean of
// the rows of known labels, weighted by how often they occur in graphs, which
// share one vocabulary. It is the last step of training.
func (m *Model) AverageUnknown(graphs []*graph.Graph) {
	if len(graphs) == 0 {
		return
	}
	rows := m.Rows(graphs[0].Vocabulary())
	nodes := make([]int, m.encoder.pre.Rows)
	var edges []int
	if m.meta.Config.Conv == GINE {
		edges = make([]int, m.encoder.layers[0].edges.Rows)
	}
	for _, g := range graphs {
		var b nn.Batch
		b.Reset()
		b.Add(g, rows)
		for _, row := range b.Node {
			nodes[row]++
		}
		if edges != nil {
			for _, row := range b.Edge {
				edges[row]++
			}
		}
	}
	m.average(m.encoder.pre, nodes, 1)
	for _, l := range m.encoder.layers {
		if l.edges == nil {
			continue
		}
		if m.meta.Training.Directed {
			m.average(l.edges, edges, 2)
		} else {
			m.average(l.edges, edges, 1)
		}
	}
}

// average sets each of the first unknown rows of table to the weighted mean of
// the other rows that are a multiple of unknown away.
func (m *Model) average(table *nn.Param, count []int, unknown int) {
	values, c := m.params.Value(table), table.Cols
	for u := range unknown {
		sum := make([]float64, c)
		total := 0
		for row := u + unknown; row < table.Rows; row += unknown {
			for j := range sum {
				sum[j] += float64(count[row]) * float64(values[row*c+j])
			}
			total += count[row]
		}
		for j := range sum {
			if total > 0 {
				values[u*c+j] = float32(sum[j] / float64(total))
			}
		}
	}
}
