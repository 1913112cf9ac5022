package model

import (
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// AverageUnknown sets the rows of unknown labels in all tables to the mean of the rows of
// known labels, weighted by their frequency in graphs, which share one vocabulary. It sets
// the rows of feature values that do not occur to the previous row, such as that of the next
// lower degree. It is the last step of training.
func (m *Model) AverageUnknown(graphs []*graph.Graph) {
	if len(graphs) == 0 {
		return
	}
	rows := m.Rows(graphs[0].Vocabulary())
	rows.Counts, rows.Alone = nil, false // counts have no rows
	nodes := make([]int, m.meta.Vocabulary.Nodes())
	var edges []int
	if layers := m.encoder.layers; len(layers) > 0 && layers[0].edges != nil {
		edges = make([]int, layers[0].edges.Rows)
	}
	var local [][]int // by feature and row
	for _, f := range nn.Features() {
		local = append(local, make([]int, f.Rows()))
	}
	var b nn.Batch
	for _, g := range graphs {
		b.Reset()
		b.Add(g, rows)
		for _, row := range b.Node {
			nodes[row]++
		}
		for f, list := range b.Local {
			for _, row := range list {
				local[f][row]++
			}
		}
		if edges != nil {
			for _, row := range b.Edge {
				edges[row]++
			}
		}
	}
	unknown := 1
	if m.meta.Training.Directed {
		unknown = 2
	}
	if m.encoder.pre != nil {
		m.average(m.encoder.pre, nodes, 1)
	}
	for f, table := range m.encoder.features {
		m.carry(table, local[f])
	}
	for _, l := range m.encoder.layers {
		if l.edges != nil {
			m.average(l.edges, edges, unknown)
		}
	}
}

// average sets row u of table, for each u below unknown, to the weighted mean of the rows
// u+unknown, u+2·unknown and so on.
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

// carry sets each row of table that does not occur to the row before it, and the leading ones
// to the first that occurs.
func (m *Model) carry(table *nn.Param, count []int) {
	from := slices.IndexFunc(count, func(n int) bool { return n > 0 })
	if from < 0 {
		return
	}
	values, c := m.params.Value(table), table.Cols
	for row, n := range count {
		if n > 0 {
			from = row
		}
		copy(values[row*c:][:c], values[from*c:][:c])
	}
}
