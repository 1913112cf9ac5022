package search

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// verifier bounds and solves pairs of one query and many targets on all cores, within one
// time budget. It does so in passes; see [pass].
type verifier struct {
	pricing    *edit.Pricing
	unit       edit.Unit // of all bounds
	query      *graph.Graph
	numbered   *asNumbered
	collection *Collection
	deadline   time.Time // zero if there is none
	memory     int64
	workers    int
	progress   func(Progress)
	tools      []*tools // one for each worker
	copies     copies   // of searches within a radius: what was decided

	mu     sync.Mutex // of what follows
	best   *topK
	found  int // candidates so far
	calls  int // of the solver
	solved int // candidates whose distance was computed, or that the solver has worked on
}

// newVerifier returns a verifier for a search that began at the given time.
func newVerifier(p *edit.Pricing, query *graph.Graph, in *Collection, opt Options, begin time.Time) *verifier {
	u, numbered := p.Unit(edit.MostElements), in.asNumbered(query)
	v := &verifier{pricing: p, unit: u, query: query, numbered: numbered, collection: in, memory: opt.Memory,
		workers: opt.Workers, progress: opt.Progress, best: newTopK(opt, u, ranker{numbered, opt.Task})}
	v.workers = cmp.Or(v.workers, runtime.GOMAXPROCS(0))
	if opt.Time != NoLimit {
		v.deadline = begin.Add(opt.Time)
	}
	return v
}

// release hands on the memory of the deciders.
func (v *verifier) release() {
	for _, t := range v.tools {
		if t.decider != nil {
			v.collection.deciders.Put(t.decider)
		}
	}
}

// check verifies candidates in their order and returns r with the best of them. It skips
// a candidate whose lower bound excludes it. If the context ends first, check returns
// its error together with what is known. With any other error there is no result.
func (v *verifier) check(ctx context.Context, candidates []candidate, r *Result) (*Result, error) {
	begin := time.Now()
	err := v.solve(ctx, candidates, math.Inf(1), true)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	v.fill(candidates)
	r.conclude(candidates, v, byCounts, 0)
	r.Check = time.Since(begin)
	if r.Proven() {
		return r, nil
	}
	return r, ctx.Err()
}

// fill gives bounds to candidates that were not reached in time, as long as answers are
// missing: it is always possible to delete the query and to insert the other graph.
// The time is up then, so their graphs are not read unless costs depend on labels, and it ends after a while: the
// others then are missing.
func (v *verifier) fill(candidates []candidate) {
	var none edit.NodeMap // shared by all
	begin := time.Now()
	for i := range candidates {
		if i%fillBatch == fillBatch-1 && time.Since(begin) > fillTime {
			return
		}
		k := &candidates[i]
		if len(v.best.best) >= v.best.k {
			return
		}
		if k.Map != nil {
			continue
		}
		if none == nil {
			none = slices.Repeat(edit.NodeMap{edit.Deleted}, v.query.N())
		}
		k.improve(ged.Result{Map: none, Upper: v.unit.Sum(v.replaced(k.Position))})
		v.best.replace(k, math.Inf(1))
	}
}

// fillTime is how long fill may take, and fillBatch how many candidates it goes on with between two looks at the
// clock.
const (
	fillTime  = 20 * time.Millisecond
	fillBatch = 64
)

// replaced returns the cost of deleting the query and inserting the graph at a position.
func (v *verifier) replaced(position int) float64 {
	p, q := v.pricing, v.query
	if c := p.Costs(); c.Nodes != nil || c.Edges != nil {
		t := v.collection.Record(position).Graph
		// As InducedCost does, which would look for rings that cost nothing here.
		total := 0.0
		for _, l := range q.Labels() {
			total += p.NodeDelete(l)
		}
		for _, l := range t.Labels() {
			total += p.NodeInsert(l)
		}
		for e := range q.Edges() {
			total += p.EdgeDelete(e.Label)
		}
		for e := range t.Edges() {
			total += p.EdgeInsert(e.Label)
		}
		return total
	}
	t := v.collection.Signature(position)
	return float64(q.N())*p.NodeDelete(0) + float64(t.Nodes())*p.NodeInsert(0) + float64(q.M())*p.EdgeDelete(0) +
		float64(t.Edges())*p.EdgeInsert(0)
}

// solve verifies candidates in their order until none within the radius is open or time is
// up; of distances beyond the radius it only shows that they are. In the first
// pass every pair gets an equal, small share of the time, so that no hard pair starves
// the others and an interrupted search has bounds for all. Later passes give more time
// to open pairs. If more candidates will follow, there is one pass, which takes part of
// the time.
func (v *verifier) solve(ctx context.Context, candidates []candidate, radius float64, last bool) error {
	v.found = len(candidates)
	e := effort{radius: v.unit.Above(radius), most: firstMost, part: 1}
	if !last {
		e.part = earlyPart
	}
	for {
		todo := v.open(candidates, e.radius)
		if len(todo) == 0 || v.late() {
			return nil
		}
		cut, err := v.pass(ctx, candidates, todo, e)
		if err != nil || !cut || !last { // without a cut, more time would not help
			return err
		}
		e.most = min(e.most, NoLimit/moreMost) * moreMost
	}
}

// The greatest time for a pair in the first pass, and the factor by which it grows from
// pass to pass. Solving a pair anew costs little beside that.
const (
	firstMost = time.Second
	moreMost  = 8
)

// earlyPart is the part of the remaining time that each pass but the last takes.
const earlyPart = 4

// guess finds a node map for every candidate with a few states of the decider or, where
// it does not take the pair, the solver. What it decides about a candidate depends on batches
// before, and not on what other workers have found meanwhile: the maps must be the same
// whatever the number of workers; see [verifier.open].
func (v *verifier) guess(ctx context.Context, candidates []candidate) error {
	v.found = len(candidates)
	for from := 0; from < len(candidates); {
		to := min(from+max(guessBatch, v.best.k), len(candidates))
		batch := candidates[from:to]
		e := effort{
			radius: math.Inf(1), most: firstMost, part: earlyPart, states: guessStates,
			alike: true, upper: v.best.limit(),
		}
		if _, err := v.pass(ctx, batch, v.open(batch, e.radius), e); err != nil {
			return err
		}
		from = to
	}
	return nil
}

const (
	// guessStates is how many states of the solver a guess takes. They improve the first
	// node map by exchanges.
	guessStates = 2
	guessBatch  = 8
)

// open sorts the candidates by their upper bounds, and returns those within the radius
// that may be answers and are not solved.
//
// Which of them are answers depends on distances and ranks alone, not on the order.
func (v *verifier) open(candidates []candidate, radius float64) []int {
	byUpper := func(a, b candidate) int { return cmp.Compare(a.Upper, b.Upper) }
	if !slices.IsSortedFunc(candidates, byUpper) {
		slices.SortStableFunc(candidates, byUpper)
	}
	var todo []int
	for i := range candidates {
		if k := &candidates[i]; !k.Exact && k.Lower < radius && v.best.admits(k) {
			todo = append(todo, i)
		}
	}
	return todo
}

// late reports whether time is up.
func (v *verifier) late() bool { return !v.deadline.IsZero() && !time.Now().Before(v.deadline) }
