package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// filterAndVerify is the plain search that the cascade replaces. It bounds every graph
// by labels and degrees, and solves those that remain in the order of their bounds, on
// one core.
func (c *contest) filterAndVerify(ctx context.Context, q *graph.Graph, opt search.Options) (*search.Result, error) {
	deadline := time.Now().Add(opt.Time)
	p, err := edit.Price(opt.Task, *opt.Costs)
	if err != nil {
		return nil, err
	}
	solver, err := ged.NewSolver(opt.Task, *opt.Costs)
	if err != nil {
		return nil, err
	}
	f, sign := bound.NewFilter(p), bound.Sign(q)
	type candidate struct {
		position int
		lower    float64
	}
	var list []candidate
	total := 0
	for position := range c.collection.Live() {
		total++
		lower := f.Lower(sign, c.signs[position])
		if opt.Radius == nil || lower <= *opt.Radius {
			list = append(list, candidate{position, lower})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return int(a.lower - b.lower) })
	r := &search.Result{Complete: true, K: opt.K, Costs: *opt.Costs}
	limit := math.Inf(1) // from this distance on, a graph is not an answer
	if opt.Radius != nil {
		limit = *opt.Radius + 1e-6
	}
	for _, x := range list {
		if x.lower >= limit {
			break
		}
		bounds := ged.Options{Time: time.Until(deadline)}
		if bounds.Time <= 0 {
			r.Complete = false
			break
		}
		if !math.IsInf(limit, 1) {
			bounds.Upper = limit
		}
		d, err := solver.Distance(ctx, q, c.collection.Record(x.position).Graph, bounds)
		if err != nil {
			return nil, err
		}
		r.Stats.Calls++
		if d.Upper < limit {
			r.Answers = append(r.Answers, search.Answer{Position: x.position, Lower: d.Lower, Upper: d.Upper, Exact: d.Exact})
		}
		if !d.Exact && d.Lower < limit {
			r.Inexact++
		}
		if opt.K > 0 && len(r.Answers) >= opt.K {
			slices.SortStableFunc(r.Answers, func(a, b search.Answer) int { return int(a.Upper - b.Upper) })
			r.Answers = r.Answers[:opt.K]
			limit = r.Answers[opt.K-1].Upper
		}
	}
	r.Stats.Excluded = []search.Excluded{{Bound: "labels and degrees", Graphs: total - r.Stats.Calls}}
	return r, ctx.Err()
}
