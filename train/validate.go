package train

import (
	"context"
	"fmt"
	"math"

	"github.com/greedgraph/greed/graph"
)

// validate computes the error of the averaged weights on the validation blocks and keeps them
// if they are the best so far.
func (t *Trainer) validate(ctx context.Context) (Metrics, error) {
	flat := t.model.Params().Flat()
	live := append([]float32(nil), flat...)
	copy(flat, t.state.average)
	if t.strange {
		t.model.AverageUnknown(t.data.Learnt)
	}
	m, err := t.measure(ctx, t.data.Valid)
	copy(flat, live)
	if err != nil {
		return m, err
	}
	if math.IsNaN(m.RMSE) || math.IsInf(m.RMSE, 0) {
		return m, fmt.Errorf("step %d: validation error %v: %w", t.state.step, m.RMSE, ErrDiverged)
	}
	if m.Score < t.state.metrics.Score { // as norms are chosen: see errorOf
		t.state.metrics = m
		t.state.best = append(t.state.best[:0], t.state.average...)
		t.state.since = 0
	} else {
		t.state.since++
	}
	return m, nil
}

// hasStrange reports whether a validation graph has a label that the model does not know.
func (t *Trainer) hasStrange() bool {
	for _, b := range t.data.Valid {
		for _, id := range b.graphs() {
			g := t.data.Graphs[id]
			for _, l := range g.Labels() {
				if l != graph.Wildcard && t.rows.Node[l] == 0 {
					return true
				}
			}
			for e := range g.Edges() {
				if e.Label != graph.Wildcard && len(t.rows.Edge) > 0 && t.rows.Edge[e.Label] == 0 {
					return true
				}
			}
		}
	}
	return false
}

// measure returns the errors of the model's current weights on blocks.
func (t *Trainer) measure(ctx context.Context, blocks []Block) (Metrics, error) {
	row := make(map[int32]int)
	var graphs []*graph.Graph
	for _, b := range blocks {
		for _, id := range b.graphs() {
			if _, ok := row[id]; !ok {
				row[id] = len(graphs)
				graphs = append(graphs, t.data.Graphs[id])
			}
		}
	}
	z, err := t.model.Embed(ctx, graphs, t.opt.Workers)
	if err != nil {
		return Metrics{}, err
	}
	n, dim := t.model.Norm(), t.model.Norm().Dim()
	var squares, sizes, weighed, weights float64
	pairs := 0
	for _, b := range blocks {
		for i, q := range b.Queries {
			zq := z[row[q]*dim:][:dim]
			for j, x := range b.Targets {
				k := i*len(b.Targets) + j
				if math.IsNaN(float64(b.Lower[k])) {
					continue
				}
				d := n.Distance(zq, z[row[x]*dim:][:dim])
				e := float64(intervalError(float32(d), b.Lower[k], b.Upper[k]))
				squares += e * e
				sizes += math.Abs(e)
				pairs++
				low, high, weight := t.sampler.near.Goal(b.Lower[k], b.Upper[k])
				weighed += float64(weight) * math.Abs(float64(intervalError(float32(d), low, high)))
				weights += float64(weight)
			}
		}
	}
	return Metrics{RMSE: math.Sqrt(squares / float64(pairs)), MAE: sizes / float64(pairs), Score: weighed / weights},
		nil
}
