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
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
)

// checker solves pairs of one query and many targets on all cores, within one time
// budget.
type checker struct {
	pricing    *edit.Pricing
	query      *graph.Graph
	collection *Collection
	deadline   time.Time // zero if there is none
	memory     int64
	workers    int
	progress   func(Progress)

	mu     sync.Mutex
	best   *front
	radius float64       // of the present stage: up to it bounds are asked for
	part   time.Duration // the time left is divided by it
	states int64         // how many the solver takes up; 0 means as many as it needs
	same   *float64      // not nil: all candidates of the pass are asked whether they are nearer than this, or 0
	most   time.Duration // time for a pair
	tools  []*tools      // one for each worker
	found  int           // candidates so far
	calls  int           // of the solver
	solved int           // candidates whose distance was computed, or that the solver has worked on
	cut    bool          // a pair of this pass ran out of time
	copies copies        // of searches within a radius: what was decided
	first  error
}

// newChecker returns a checker for a search that began at the given time.
func newChecker(p *edit.Pricing, query *graph.Graph, in *Collection, opt Options, begin time.Time) *checker {
	c := &checker{pricing: p, query: query, collection: in, memory: opt.Memory, workers: opt.Workers, progress: opt.Progress, best: newFront(opt)}
	if c.workers == 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if opt.Time != NoLimit {
		c.deadline = begin.Add(opt.Time)
	}
	return c
}

// check solves candidates in their order and returns r with the best of them. It skips
// a candidate whose lower bound excludes it. If the context ends first, check returns
// its error together with what is known. With any other error there is no result.
func (c *checker) check(ctx context.Context, candidates []Answer, r *Result) (*Result, error) {
	begin := time.Now()
	err := c.run(ctx, candidates, math.Inf(1), true)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.fill(candidates)
	r.settle(candidates, c.best, byCounts)
	r.Stats.Calls = c.calls
	r.Check = time.Since(begin)
	if r.Proven() {
		return r, nil
	}
	return r, ctx.Err()
}

// fill gives bounds to candidates that were not reached in time, as long as answers are
// missing: it is always possible to delete the query and to insert the other graph.
func (c *checker) fill(candidates []Answer) {
	for i := range candidates {
		a := &candidates[i]
		if len(c.best.uppers) >= c.best.k {
			return
		}
		if a.Map != nil {
			continue
		}
		a.Map = make(edit.NodeMap, c.query.N())
		for v := range a.Map {
			a.Map[v] = edit.Deleted
		}
		a.Upper = edit.InducedCost(c.pricing, c.query, c.collection.Record(a.Position).Graph, a.Map)
		a.Lower = min(a.Lower, a.Upper)
		a.Exact = a.Lower == a.Upper
		c.best.replace(math.Inf(1), a.Upper)
	}
}

// run solves candidates in their order until none within the radius is open or time is
// up; of distances beyond the radius it only shows that they are. In the first
// pass every pair gets an equal, small share of the time, so that no hard pair starves
// the others and an interrupted search has bounds for all. Later passes give more time
// to open pairs. If more candidates will follow, there is one pass, which takes part of
// the time.
func (c *checker) run(ctx context.Context, candidates []Answer, radius float64, last bool) error {
	c.part, c.most, c.radius, c.found = 1, firstMost, beyond(radius), len(candidates)
	if !last {
		c.part = earlyPart
	}
	for {
		todo := c.open(candidates)
		if len(todo) == 0 || c.late() {
			return nil
		}
		if err := c.pass(ctx, candidates, todo); err != nil {
			return err
		}
		if !c.cut || !last {
			return nil // more time would not help
		}
		c.most = min(c.most, NoLimit/moreMost) * moreMost
	}
}

// The greatest time for a pair in the first pass, and the factor by which it grows from
// pass to pass. Solving a pair anew costs little beside that.
const (
	firstMost = time.Second
	moreMost  = 8
)

// guess finds a node map for every candidate with a few states of the decider or, where
// it does not take the pair, the solver. What it asks of a candidate rests on batches
// before, and not on what other workers have found meanwhile: the maps must be the same
// whatever the number of workers; see [checker.open].
func (c *checker) guess(ctx context.Context, candidates []Answer) error {
	c.part, c.most, c.states, c.radius, c.found = earlyPart, firstMost, guessStates, math.Inf(1), len(candidates)
	defer func() { c.states, c.same = 0, nil }()
	for from := 0; from < len(candidates); {
		to := min(from+max(guessBatch, c.best.k), len(candidates))
		batch := candidates[from:to]
		c.same = new(c.best.interest(math.Inf(1)))
		if err := c.pass(ctx, batch, c.open(batch)); err != nil {
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
// The order is what makes the answers the same whatever the number of workers. Of graphs
// as far away as the last of the k nearest, the first of it are answers ([front.pick]):
// workers take candidates in order, and leave one out only if k others are near enough,
// all of them before it. In the stages before, all candidates are asked the same, so that
// upper bounds do not depend on the workers either, unless a pair runs out of time.
func (c *checker) open(candidates []Answer) []int {
	byUpper := func(a, b Answer) int { return cmp.Compare(a.Upper, b.Upper) }
	if !slices.IsSortedFunc(candidates, byUpper) {
		slices.SortStableFunc(candidates, byUpper)
	}
	var todo []int
	for i := range candidates {
		if a := &candidates[i]; !a.Exact && c.asks(a) {
			todo = append(todo, i)
		}
	}
	return todo
}

// asks reports whether a may be an answer, as far as this stage asks.
func (c *checker) asks(a *Answer) bool { return a.Lower < c.radius && c.best.admits(a.Lower, a.Upper) }

// upper returns the distance from which on nothing is asked of a; 0 if there is none.
func (c *checker) upper(a *Answer) float64 {
	upper := c.best.interest(a.Upper)
	if math.IsInf(c.radius, 1) {
		return upper
	}
	return min(cmp.Or(upper, c.radius), c.radius)
}

func (c *checker) pass(ctx context.Context, candidates []Answer, todo []int) error {
	next := 0
	c.cut = false
	// take returns the next candidate that may still be an answer.
	take := func() (a *Answer, limit ged.Options) {
		c.mu.Lock()
		defer c.mu.Unlock()
		for ; next < len(todo) && c.first == nil && ctx.Err() == nil && !c.late(); next++ {
			if b := &candidates[todo[next]]; c.same != nil || c.asks(b) {
				next++
				limit = c.share(len(todo) - next + 1)
				limit.Upper = c.upper(b)
				if c.same != nil {
					limit.Upper = *c.same
				}
				limit.States = c.states
				return b, limit
			}
		}
		return nil, limit
	}
	work := func(t *tools) error {
		for a, limit := take(); a != nil; a, limit = take() {
			rec := c.collection.Record(a.Position)
			if c.best.k == 0 && c.copies.decided(rec.Graph, a, limit.Upper) {
				c.tell(rec.ID, a)
				continue
			}
			before := a.Upper
			enough, late := t.decide(ctx, c.query, rec.Graph, limit.Upper, within.Limits{
				States: min(decidingStates, cmp.Or(limit.States, decidingStates)),
				Stop:   stopAfter(limit.Time, func() bool { return ctx.Err() != nil }),
			}, a)
			solve := !enough && !late
			if solve {
				r, err := t.solver.Distance(ctx, c.query, rec.Graph, limit)
				if err != nil {
					return err
				}
				a.improve(r)
				late = !a.Exact && r.Elapsed >= limit.Time/2
			}
			c.mu.Lock()
			if solve || a.Exact {
				if !a.solved { // a later pass may try it again
					a.solved = true
					c.solved++
				}
				c.calls++
			}
			c.cut = c.cut || late
			c.best.replace(before, a.Upper)
			c.mu.Unlock()
			if c.best.k == 0 {
				c.copies.add(rec.Graph, a)
			}
			c.tell(rec.ID, a)
		}
		return nil
	}
	n := min(c.workers, len(todo))
	for len(c.tools) < n {
		t, err := newTools(c.pricing)
		if err != nil {
			return err
		}
		c.tools = append(c.tools, t)
	}
	var workers sync.WaitGroup
	for _, t := range c.tools[:n] {
		workers.Go(func() {
			if err := work(t); err != nil {
				c.mu.Lock()
				c.first = err
				c.mu.Unlock()
			}
		})
	}
	workers.Wait()
	if c.first != nil {
		return c.first
	}
	return ctx.Err()
}

// tell calls progress.
func (c *checker) tell(id string, a *Answer) {
	if c.progress != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.progress(Progress{c.found, c.solved, id, *a})
	}
}

// late reports whether time is up.
func (c *checker) late() bool { return !c.deadline.IsZero() && !time.Now().Before(c.deadline) }

// earlyPart is the part of the remaining time that each pass but the last takes.
const earlyPart = 4

// minimum is the time that the solver needs for its first bounds. A search may exceed
// its time by this much.
const minimum = time.Millisecond

// share returns the limits of the next of left pairs.
func (c *checker) share(left int) ged.Options {
	each := c.most
	if !c.deadline.IsZero() {
		each = min(each, time.Until(c.deadline)/c.part*time.Duration(c.workers)/time.Duration(max(left, c.workers)))
	}
	return ged.Options{Time: max(each, minimum), Memory: c.memory}
}
