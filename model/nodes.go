package model

import (
	"fmt"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/nn"
)

// EmbedNodes returns the states of the nodes of g before pooling: those of all rounds,
// concatenated, [g.N(), width], row v for node v. Nodes that an automorphism exchanges have
// equal rows. The width does not depend on the graph.
func (m *Model) EmbedNodes(g *graph.Graph) (rows []float32, width int, err error) {
	if g.Directed() != m.meta.Training.Directed {
		return nil, 0, fmt.Errorf("%w: the model was trained on %s graphs, this one is %s",
			ErrMismatch, direction(m.meta.Training.Directed), direction(g.Directed()))
	}
	d := m.desks.Get().(*desk)
	defer m.desks.Put(d)
	d.batch.Reset()
	g = fewLabels([]*graph.Graph{g})[0]
	d.batch.Add(g, m.Rows(g.Vocabulary()))
	d.tape.Reset()
	states := m.encoder.rounds(d.tape, &d.batch, func(linear, *nn.Var) {}, nil)
	for _, s := range states {
		width += s.Cols
	}
	rows = make([]float32, g.N()*width)
	for i, v := range d.batch.Order() {
		at := rows[int(v)*width:]
		for _, s := range states {
			at = at[copy(at, s.Value[i*s.Cols:(i+1)*s.Cols]):]
		}
	}
	return rows, width, nil
}
