package search

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// checker solves pairs of one query and many targets on all cores within one
// time budget, which the pairs still to come share evenly.
type checker struct {
	pricing  *edit.Pricing
	query    *graph.Graph
	deadline time.Time // zero: none
	workers  int

	mu    sync.Mutex
	left  int
	first error
}

func newChecker(p *edit.Pricing, query *graph.Graph, opt Options) *checker {
	c := &checker{pricing: p, query: query, workers: opt.Workers}
	if c.workers <= 0 {
		c.workers = runtime.GOMAXPROCS(0)
	}
	if opt.Time > 0 {
		c.deadline = time.Now().Add(opt.Time)
	}
	return c
}

// run solves the targets that next names until it says there are no more, and
// hands every result to done; both are called by one goroutine at a time.
// count is about how many there will be.
func (c *checker) run(ctx context.Context, count int, target func(i int) *graph.Graph, next func() (i int, ok bool), done func(i int, r ged.Result)) error {
	c.left = count
	var workers sync.WaitGroup
	for range min(c.workers, count) {
		workers.Go(func() {
			solver, err := ged.NewSolver(c.pricing.Task(), c.pricing.Costs())
			for err == nil {
				c.mu.Lock()
				i, ok := next()
				limit := c.share()
				ok = ok && c.first == nil && ctx.Err() == nil
				c.mu.Unlock()
				if !ok {
					return
				}
				var r ged.Result
				r, err = solver.Distance(ctx, c.query, target(i), limit)
				c.mu.Lock()
				c.left--
				if err == nil {
					done(i, r)
				}
				c.mu.Unlock()
			}
			c.mu.Lock()
			c.first = err
			c.mu.Unlock()
		})
	}
	workers.Wait()
	if c.first != nil {
		return c.first
	}
	return ctx.Err()
}

// minimum is what the solver needs for its first bounds; it is given even when
// the budget is spent, so that every answer has bounds.
const minimum = time.Millisecond

// share returns the limits of the next pair.
func (c *checker) share() ged.Options {
	if c.deadline.IsZero() {
		return ged.Options{}
	}
	each := time.Until(c.deadline) * time.Duration(c.workers) / time.Duration(max(c.left, c.workers))
	return ged.Options{Time: max(each, minimum)}
}
