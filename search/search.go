// Package search answers: which graphs of a collection are nearest to a query
// graph, or contain it most nearly. Vectors of a model find candidates, the
// exact solver checks them, and the edits explain them; without a model,
// provable lower bounds and the solver answer alone.
package search

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/index"
	"github.com/greedgraph/greed/model"
)

// Search finds the graphs nearest to q, whose labels are numbered by the
// collection's vocabulary or an extension of it. When the context ends before the answers are proven it returns its
// error, and with it what is known by then; before anything is, a nil result.
func (c *Collection) Search(ctx context.Context, q *graph.Graph, opt Options) (*Result, error) {
	begin := time.Now()
	if graph.Common(c.vocab, q.Vocabulary()) == nil {
		panic("search: query and collection of different vocabularies")
	}
	opt, err := opt.complete()
	if err != nil {
		return nil, err
	}
	if err := c.checkQuery(q); err != nil {
		return nil, err
	}
	opt.Keep = c.keep(opt)
	e, modelled := c.engines[opt.Task]
	modelled = modelled && !opt.NoModel
	costs, err := chooseCosts(e.model, modelled, opt.Costs)
	if err != nil {
		return nil, err
	}
	if !modelled && opt.Mode == Predicted {
		return nil, fmt.Errorf("search: %w for %v is attached, so nothing can be predicted: train one with greed train, or ask for proven answers", ErrNoModel, opt.Task)
	}
	r := &Result{Mode: opt.Mode, K: opt.K, Costs: costs, Model: modelled}
	if opt.Mode != Predicted || opt.Keep == nil {
		r.Stats.Graphs = c.kept(opt)
	}
	var priced []*graph.Graph
	if costs.Nodes != nil || costs.Edges != nil { // tables must have all labels
		priced = append(priced, q)
		w, err := c.witness()
		if err != nil {
			return nil, err
		}
		if w != nil {
			priced = append(priced, w)
		}
	}
	if r.Pricing, err = edit.Price(opt.Task, costs, priced...); err != nil {
		return nil, err
	}
	var list []Answer
	if modelled {
		list, err = c.byModel(ctx, q, opt, e, r)
	} else {
		list, err = c.byBound(q, opt, r)
	}
	if err != nil {
		return nil, err
	}
	r.Stats.Candidates = len(list)
	r.Complete = len(list) == r.Stats.Graphs
	if opt.Mode == Predicted {
		r.Answers, r.Complete = list, false
		return r, nil
	}
	ck := newChecker(r.Pricing, q, c, opt, begin)
	return r, ck.check(ctx, list, r)
}

func chooseCosts(m *model.Model, modelled bool, asked *edit.Costs) (edit.Costs, error) {
	switch {
	case !modelled && asked == nil:
		return edit.Uniform(), nil
	case !modelled:
		return *asked, nil
	case asked != nil && !reflect.DeepEqual(*asked, m.Metadata().Costs):
		return edit.Costs{}, fmt.Errorf("search: %w: train a model for these costs with greed train, or search without a model (NoModel, --no-model)", ErrCosts)
	}
	return m.Metadata().Costs, nil
}

// candidatesPer is how many candidates are checked for each answer wanted:
// the prediction orders graphs nearly, not exactly.
const candidatesPer = 20

// byModel returns candidates in the order of their predicted distance.
func (c *Collection) byModel(ctx context.Context, q *graph.Graph, opt Options, e engine, r *Result) ([]Answer, error) {
	r.Warnings = e.model.Warnings(q)
	begin := time.Now()
	// A model translates a whole vocabulary: here only the labels of the query.
	z, err := e.model.Embed(ctx, []*graph.Graph{graph.In(graph.NewVocabulary(), q)}, 1)
	if err != nil {
		return nil, err
	}
	r.Embed = time.Since(begin)
	begin = time.Now()
	hits, err := e.find(ctx, z, opt, c.Positions())
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(hits))
	for i, h := range hits {
		d := h.Distance
		answers[i] = Answer{Position: h.Position, Predicted: &d, Upper: math.Inf(1)}
	}
	if opt.Mode != Predicted {
		b := bounder{c, bound.NewFilter(r.Pricing), bound.Sign(q)}
		for i := range answers {
			if answers[i].Lower, err = b.lower(answers[i].Position); err != nil {
				return nil, err
			}
		}
	}
	r.Scan = time.Since(begin)
	return answers, nil
}

// find returns what a search looks at of the graphs at n positions, those
// predicted to be nearest first.
func (e *engine) find(ctx context.Context, z []float32, opt Options, n int) ([]index.Hit, error) {
	most, within := n, math.Inf(1)
	switch opt.Mode {
	case Predicted:
		if opt.K > 0 {
			most = opt.K
		}
		within = opt.radius()
	case Checked:
		if opt.K > 0 {
			most = candidatesPer * opt.K
		}
		// The model errs to both sides; what it puts a little beyond the
		// radius may lie within.
		within = opt.radius() + 4*e.model.Metadata().Metrics[model.MetricRMSE]
	}
	query := []index.Query{{Vector: z, Keep: opt.Keep}}
	if opt.K == 0 && !math.IsInf(within, 1) {
		found, err := e.index.Range(ctx, query, within)
		if err != nil {
			return nil, err
		}
		return found[0].Hits, nil
	}
	found, err := e.index.KNN(ctx, query, most)
	if err != nil {
		return nil, err
	}
	hits := found[0].Hits
	for len(hits) > 0 && hits[len(hits)-1].Distance > within {
		hits = hits[:len(hits)-1]
	}
	return hits, nil
}

// byBound returns all graphs in the order of a provable lower bound.
func (c *Collection) byBound(q *graph.Graph, opt Options, r *Result) ([]Answer, error) {
	begin := time.Now()
	answers := make([]Answer, 0, c.Len())
	b := bounder{c, bound.NewFilter(r.Pricing), bound.Sign(q)}
	for i := range c.Positions() {
		if opt.Keep == nil || opt.Keep(i) {
			lower, err := b.lower(i)
			if err != nil {
				return nil, err
			}
			answers = append(answers, Answer{Position: i, Lower: lower, Upper: math.Inf(1)})
		}
	}
	sortBy(answers, func(a *Answer) float64 { return a.Lower })
	r.Scan = time.Since(begin)
	return answers, nil
}

// keep returns which graphs a search is limited to, nil for all.
func (c *Collection) keep(opt Options) func(position int) bool {
	if c.deleted == 0 && len(opt.Filters) == 0 {
		return opt.Keep
	}
	return func(position int) bool {
		if c.Deleted(position) || opt.Keep != nil && !opt.Keep(position) {
			return false
		}
		if len(opt.Filters) == 0 {
			return true
		}
		about := c.About(position)
		for _, f := range opt.Filters {
			if !f.Match(&about) {
				return false
			}
		}
		return true
	}
}

// kept returns the number of graphs that a search is limited to.
func (c *Collection) kept(opt Options) int {
	if opt.Keep == nil {
		return c.Positions()
	}
	n := 0
	for i := range c.Positions() {
		if opt.Keep(i) {
			n++
		}
	}
	return n
}
