package search

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/greedgraph/greed/graph"
)

// proof is a search that accounts for every graph. It starts with a small radius: distances
// found there may reduce the radius that has to be searched.
type proof struct {
	k          int
	step       float64 // least amount by which the radius grows
	first      float64 // the first radius
	chosen     bool    // a model has chosen the candidates
	sure       bool    // the k nearest so far are most likely the answers
	generator  *generator
	verifier   *verifier
	candidates []candidate
}

// newProof returns the proof of a search that begins with the candidates given, which a
// model has chosen if chosen is true.
func newProof(c *Collection, q *graph.Graph, opt Options, v *verifier, given []candidate, chosen bool) *proof {
	step := cheapest(v.pricing.Costs())
	return &proof{
		k: opt.K, step: step, first: firstEdits * step, chosen: chosen,
		generator: newGenerator(c, q, opt, v, given), verifier: v, candidates: given,
	}
}

// run solves what may be an answer and returns r with the answers. If the context ends
// first, run returns its error together with what is known. With any other error there
// is no result.
func (p *proof) run(ctx context.Context, r *Result) (*Result, error) {
	begin := time.Now()
	g, v := p.generator, p.verifier
	defer func() { g.in.Rest(len(p.candidates)) }()
	var err error
	switch {
	case p.k == 0:
	case p.chosen:
		err = p.nearest(ctx)
	default:
		err = p.guess(ctx, r.Stats.Graphs)
	}
	for solved := -1.0; err == nil && !v.late(); {
		need := v.best.reach()
		if solved >= need {
			break
		}
		solved = p.next(solved, need, g.visited == r.Stats.Graphs)
		g.look(ctx, solved, true)
		err = p.solve(ctx, solved, solved == need)
	}
	// Graphs that were not reached in time are open unless counts exclude them.
	if late := err != nil || v.late(); late && !g.all {
		p.reserve(ctx, r.Stats.Graphs)
		g.count()
	}
	reach := v.best.reach()
	g.look(ctx, reach, false)
	p.take(reach, math.MaxInt)
	if err == nil {
		err = v.solve(ctx, p.candidates, math.Inf(1), true)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	v.fill(p.candidates)
	excluded := g.excluded + len(g.pending)
	r.Stats.exclude(byCounts, r.Stats.Graphs-excluded-g.counted-len(p.candidates))
	r.Stats.exclude(byBranches, excluded)
	r.conclude(p.candidates, v, byBranches, g.least)
	r.unreached(g.nearest, g.counted)
	r.Stats.Candidates = r.Stats.Graphs
	r.Complete = true
	r.Scan += g.spent
	r.Check = time.Since(begin) - g.spent
	if r.Proven() {
		return r, nil
	}
	return r, ctx.Err()
}

// reserve gives bounds to the candidates with the least bounds, of so many graphs, if fewer than the
// answers wanted were reached in time. It looks no farther than for these.
func (p *proof) reserve(ctx context.Context, graphs int) {
	g, v := p.generator, p.verifier
	if len(v.best.best) >= p.k {
		return
	}
	for g.looked < v.best.reach() && g.visited < graphs && len(g.pending) < p.k {
		g.look(ctx, p.wider(v.best.reach()), false)
	}
	p.candidates = append(p.candidates, g.take(v.best.reach(), p.k)...)
	v.fill(p.candidates)
}

// solve verifies the graphs generated within a radius. last says that there will be no others.
//
// Where all within a radius are wanted and time is limited, it takes no more of them at a time than can be
// given the least time each, so that those that time does not reach are no candidates. Bounds on the
// rest are what their counts and branches say.
func (p *proof) solve(ctx context.Context, radius float64, last bool) (err error) {
	g, v := p.generator, p.verifier
	most := math.MaxInt
	if p.k == 0 && !g.all && !v.deadline.IsZero() {
		most = max(leastTaken, 2*v.workers*int(time.Until(v.deadline)/minimum))
	}
	for {
		from := len(p.candidates)
		p.take(radius, most)
		v.found = len(p.candidates) + len(g.pending)
		if most > len(p.candidates)-from || from == 0 && len(g.pending) == 0 { // that is all
			return v.solve(ctx, p.candidates, radius, last)
		}
		if err := v.solve(ctx, p.candidates[from:], radius, false); err != nil || v.late() {
			return err
		}
		most *= 2
	}
}

// leastTaken is the least number of graphs that are verified at a time, if there are as many.
const leastTaken = 1 << 13

// take makes candidates of the graphs generated within a radius, so many at most.
func (p *proof) take(radius float64, most int) {
	p.candidates = append(p.candidates, p.generator.take(radius, most)...)
}

// next returns the radius to search next. A search for the nearest decides for every graph
// first whether it lies within a small radius and then, of those that do not, within radii
// that grow by two edits or a quarter. An edit more takes three times as much, but where it is one
// too many only until enough answers are found.
func (p *proof) next(radius, need float64, all bool) float64 {
	if p.k == 0 || p.sure || all && math.IsInf(need, 1) {
		return need
	}
	return min(need, max(p.first, radius+leastEdits*p.step, radius*growth))
}

const (
	// firstEdits is the number of edits of the first radius where a model has chosen the candidates.
	firstEdits = 7
	// leastEdits is the least number of edits by which a radius grows.
	leastEdits = 2
	// growth is the least factor by which a radius grows. It matters most where one edit is
	// far cheaper than the others.
	growth = 1.25
)

// wider returns the radius in which to look next where a few graphs are enough.
func (p *proof) wider(need float64) float64 {
	looked := p.generator.looked + p.step
	return min(need, max(firstLook*p.step, looked+p.step, looked*growth))
}

// firstLook is the number of edits of the first such radius.
const firstLook = 4

// guess finds node maps of the candidates with the least bounds, of so many graphs. Their
// costs are upper bounds, so that the search for the nearest begins with a small radius. What bounds say
// of the k-th, and an edit more, is the first: the k-th distance is mostly one edit or two above its bound.
func (p *proof) guess(ctx context.Context, graphs int) error {
	g, v := p.generator, p.verifier
	enough := guessed * p.k
	need := v.best.reach()
	for g.looked < need && g.visited < graphs && len(g.pending) < enough && ctx.Err() == nil && !v.late() {
		g.look(ctx, p.wider(need), true)
	}
	p.candidates = append(p.candidates, g.take(math.Inf(1), enough)...)
	err := v.guess(ctx, p.candidates)
	if len(p.candidates) >= p.k {
		lowers := make([]float64, len(p.candidates))
		for i := range p.candidates {
			lowers[i] = p.candidates[i].Lower
		}
		slices.Sort(lowers)
		p.first = lowers[p.k-1] + p.step
	}
	return err
}

// nearest finds the nearest of the candidates that a model has chosen, in its order. It is
// sure of them where none is among the half predicted to be farther: then hardly one is
// beyond those.
func (p *proof) nearest(ctx context.Context) error {
	v := p.verifier
	n := len(p.candidates)
	if n <= p.k {
		return nil
	}
	half := p.candidates[n/2].Predicted
	var err error
	for solved := -1.0; err == nil && solved < v.best.reach() && !v.late(); {
		solved = p.next(solved, v.best.reach(), false)
		err = v.solve(ctx, p.candidates, solved, false)
	}
	answers, _ := v.best.pick(p.candidates)
	p.sure = len(answers) == p.k && !slices.ContainsFunc(answers, func(a Answer) bool {
		return !a.Exact || half != nil && a.Predicted != nil && *a.Predicted > *half
	})
	return err
}

// guessed is the number of candidates that guess prices for each answer wanted.
const guessed = 8
