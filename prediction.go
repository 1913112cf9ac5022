package greed

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/truth"
)

// PredictionOptions say how the distances of pairs are predicted.
type PredictionOptions struct {
	// Raw predicts the norm of the difference of the vectors itself. It obeys the triangle inequality;
	// predictions within bounds may not.
	Raw bool
	// States, if not 0, keeps predictions within what the solver proves in so many search states, too.
	States  int64
	Workers int // pairs at a time; 0: one per core
}

// Predictor predicts the distances of queries and targets from their vectors. Predictions are kept within
// bounds that labels, degrees and branches prove.
type Predictor struct {
	graphs  [2][]*Graph
	vectors [2][]float32
	bounds  [2]bound.Signatures
	norm    norm.Norm
	filter  *bound.Filter // nil: predictions are left as they are
	states  int64
	solver  truth.Bounder
}

// NewPredictor embeds queries and targets, which share a vocabulary. There are no bounds where the model is
// of common subgraphs, nor where its costs have no price for a label. The error is the context's, or the model cannot
// embed a graph.
func NewPredictor(ctx context.Context, m *model.Model, queries, targets []*Graph,
	opt PredictionOptions) (*Predictor, error) {
	meta := m.Metadata()
	p := &Predictor{
		graphs: [2][]*Graph{queries, targets}, norm: m.Norm(), states: opt.States,
		solver: truth.Bounder{
			Task: meta.Task, Costs: meta.Costs, Limits: ged.Options{States: opt.States}, Workers: opt.Workers,
		},
	}
	pricing, err := edit.Price(meta.Task, meta.Costs, append(queries[:len(queries):len(queries)], targets...)...)
	if err == nil && !opt.Raw {
		p.filter = bound.NewFilter(pricing)
	}
	for side, list := range p.graphs {
		if p.vectors[side], err = m.Embed(ctx, list, opt.Workers); err != nil {
			return nil, err
		}
		for _, g := range list {
			if p.filter == nil {
				break
			}
			p.bounds[side].Append(g)
		}
	}
	return p, nil
}

// Predict appends the predicted distances of pairs of positions to a list. Where the options have states it fills in
// the bounds of the pairs. The error is the context's or the solver's.
func (p *Predictor) Predict(ctx context.Context, list []float64, pairs []truth.Pair) ([]float64, error) {
	if p.states > 0 {
		if err := p.solver.BoundAll(ctx, p.graphs[0], p.graphs[1], pairs); err != nil {
			return list, err
		}
	}
	dim := p.norm.Dim()
	for i, pair := range pairs {
		if i%1024 == 0 && ctx.Err() != nil {
			return list, ctx.Err()
		}
		q, t := int(pair.Query), int(pair.Target)
		d := p.norm.Distance(p.vectors[0][q*dim:][:dim], p.vectors[1][t*dim:][:dim])
		if p.filter != nil {
			d = p.filter.Clip(d, p.bounds[0].At(q), p.bounds[1].At(t))
		}
		if p.states > 0 {
			d = min(max(d, pair.Lower), pair.Upper)
		}
		list = append(list, d)
	}
	return list, nil
}
