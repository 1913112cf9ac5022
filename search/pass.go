package search

import (
	"cmp"
	"context"
	"math"
	"sync"
	"time"

	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/within"
	"github.com/greedgraph/greed/graph"
)

// effort is what a pass has to decide about each candidate and may spend on it.
type effort struct {
	radius float64       // of farther graphs only that they are
	most   time.Duration // for a pair
	part   time.Duration // the pass takes the time left divided by it
	states int64         // that the solver takes up; 0: as many as it needs
	// alike decides the same about all candidates: whether they are nearer than upper, or if that
	// is 0 how near they are. Otherwise the others determine what is decided about each.
	alike bool
	upper float64
}

// asks reports whether a pass has to decide anything about k.
func (e *effort) asks(k *candidate, best *topK) bool {
	return e.alike || k.Lower < e.radius && best.admits(k)
}

// limit returns the distance from which on nothing need be decided about k; 0 if there is none.
func (e *effort) limit(k *candidate, best *topK) float64 {
	if e.alike {
		return e.upper
	}
	upper := best.interest(k)
	if math.IsInf(e.radius, 1) {
		return upper
	}
	return min(cmp.Or(upper, e.radius), e.radius)
}

// pass looks at candidates[i] for each i in todo, once and in this order, and reports
// whether one of them ran out of time.
func (v *verifier) pass(ctx context.Context, candidates []candidate, todo []int, e effort) (cut bool, err error) {
	n := min(v.workers, len(todo))
	for len(v.tools) < n {
		t, err := newTools(v.pricing, v.collection.deciders)
		if err != nil {
			return false, err
		}
		v.tools = append(v.tools, t)
	}
	next := 0
	// take returns the next candidate that may still be an answer.
	take := func() (*candidate, ged.Options) {
		v.mu.Lock()
		defer v.mu.Unlock()
		for ; next < len(todo) && err == nil && ctx.Err() == nil && !v.late(); next++ {
			if k := &candidates[todo[next]]; e.asks(k, v.best) {
				next++
				return k, ged.Options{
					Time: v.share(e, len(todo)-next+1), Memory: v.memory, States: e.states, Upper: e.limit(k, v.best),
				}
			}
		}
		return nil, ged.Options{}
	}
	var workers sync.WaitGroup
	for _, t := range v.tools[:n] {
		workers.Go(func() {
			for k, limit := take(); k != nil; k, limit = take() {
				late, failed := v.verify(ctx, t, k, limit)
				v.mu.Lock()
				cut = cut || late && v.best.nearer(k.Lower) // what is only as near is tried once
				err = cmp.Or(err, failed)
				v.mu.Unlock()
			}
		})
	}
	workers.Wait()
	return cut, cmp.Or(err, ctx.Err())
}

// minimum is the time that the solver needs for its first bounds. A search may exceed
// its time by this much.
const minimum = time.Millisecond

// share returns the time of the next of left pairs.
func (v *verifier) share(e effort, left int) time.Duration {
	each := e.most
	if !v.deadline.IsZero() {
		each = min(each, time.Until(v.deadline)/e.part*time.Duration(v.workers)/time.Duration(max(left, v.workers)))
	}
	return max(each, minimum)
}

// verify improves the bounds of k as far as the limits require, and reports whether time ended
// before.
func (v *verifier) verify(ctx context.Context, t *tools, k *candidate, limit ged.Options) (late bool, err error) {
	before := k.Upper
	if t.matches(v.query, k) {
		t.match(ctx, v.query, v.collection.Graph(k.Position, &t.scratch), k)
		if k.Exact || limit.Upper > 0 && k.Lower >= limit.Upper { // sooner than a copy is found
			v.done(k, before, false)
			return false, nil
		}
	}
	g := v.collection.Graph(k.Position, new(graph.Scratch)) // which copies and the solver may keep
	var hash uint64
	kept := v.best.k == 0
	if kept {
		if hash = hashOf(g); v.copies.decided(g, hash, k, limit.Upper) {
			v.report(k)
			return false, nil
		}
	}
	enough, late := t.decide(ctx, v.query, g, limit.Upper, within.Limits{
		States: min(decidingStates, cmp.Or(limit.States, decidingStates)),
		Stop:   stopAfter(limit.Time, func() bool { return ctx.Err() != nil }),
	}, k)
	called := !enough && !late
	if called {
		r, err := t.solver.Distance(ctx, v.query, g, limit)
		if err != nil {
			return false, err
		}
		k.improve(r)
		late = !k.Exact && r.Elapsed >= limit.Time/2
	}
	v.done(k, before, called)
	if kept {
		v.copies.add(g, hash, k)
	}
	return late, nil
}

// done records what was proven of k, whose upper bound was before, and whether the solver was called.
func (v *verifier) done(k *candidate, before float64, called bool) {
	v.mu.Lock()
	if called || k.Exact {
		if k.by != solving { // a later pass may try it again
			k.seen(solving)
			v.solved++
		}
		v.calls++
	}
	v.best.replace(k, before)
	v.mu.Unlock()
	v.report(k)
}

// report calls progress.
func (v *verifier) report(k *candidate) {
	if v.progress == nil {
		return
	}
	id := v.collection.ID(k.Position)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.progress(Progress{v.found, v.solved, id, k.Answer})
}
