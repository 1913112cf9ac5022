package truth

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// Bounder computes bounds of the distances of many pairs.
type Bounder struct {
	Task   edit.Task
	Costs  edit.Costs
	Limits ged.Options // of one pair
	// Workers is the number of pairs that are solved at a time; 0: one per core.
	// Bounds do not depend on it unless Limits has a time.
	Workers int
	// Progress, if not nil, is called a few times a second and at the end, by one
	// goroutine at a time.
	Progress func(Progress)
	// Method names the solver that NewSolver makes. Both are empty for
	// [NewSolver].
	Method    string
	NewSolver func(edit.Task, edit.Costs) (Solver, error)
}

// Progress says how many pairs are done.
type Progress struct {
	Done, Total int           // pairs
	Open        int           // pairs done whose bounds do not meet
	Elapsed     time.Duration // since this run began
	Left        time.Duration // by the mean speed of this run; 0 if unknown
}

// BoundAll fills in the bounds of all pairs of queries and targets, which share
// a vocabulary. If the context ends it returns the context's error; pairs not
// reached keep the bounds they had. An error of the solver names the pair; a pair of positions
// that have no graphs is an error before any is solved.
func (l Bounder) BoundAll(ctx context.Context, queries, targets []*graph.Graph, pairs []Pair) error {
	w := work{Bounder: l, queries: queries, targets: targets, pairs: pairs, todo: []span{{0, len(pairs)}}}
	return w.run(ctx, func() sink { return nil })
}

// sink is given the node maps of one worker; nil drops them. The bounds are in
// the pairs already.
type sink interface {
	put(at int, m edit.NodeMap) error
	close() error
}

// work is the pairs at the positions todo, whose bounds are to be computed.
type work struct {
	Bounder
	queries, targets []*graph.Graph
	pairs            []Pair
	todo             []span
	queue            queue
	done, open       atomic.Int64
}

func (w *work) run(ctx context.Context, newSink func() sink) error {
	w.Workers = cmp.Or(w.Workers, runtime.GOMAXPROCS(0))
	if w.Workers < 0 {
		panic(fmt.Sprintf("truth: %d workers", w.Workers))
	}
	for i, p := range w.pairs {
		if !has(w.queries, p.Query) || !has(w.targets, p.Target) {
			return fmt.Errorf("truth: pair %d is of query %d and target %d, but there are %d and %d graphs", i, p.Query,
				p.Target, len(w.queries), len(w.targets))
		}
	}
	done, open := len(w.pairs), CountOpen(w.pairs)
	for _, s := range w.todo {
		done -= s.end - s.begin
		open -= CountOpen(w.pairs[s.begin:s.end])
	}
	w.queue = newQueue(w.todo, w.Workers)
	stop := w.report(done, open)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	for range w.Workers {
		group.Go(func() error { return w.worker(ctx, newSink()) })
	}
	return group.Wait()
}

func has(graphs []*graph.Graph, at int32) bool {
	return at >= 0 && int(at) < len(graphs) && graphs[at] != nil
}

func (w *work) worker(ctx context.Context, out sink) (err error) {
	solver, err := w.solver()
	if err != nil {
		return err
	}
	if out != nil {
		defer func() {
			if e := out.close(); err == nil {
				err = e
			}
		}()
	}
	for s := w.queue.take(); s.begin < s.end; s = w.queue.take() {
		for i := s.begin; i < s.end; i++ {
			p := &w.pairs[i]
			r, err := solver.Distance(ctx, w.queries[p.Query], w.targets[p.Target], w.Limits)
			if err != nil {
				return fmt.Errorf("truth: pair %d, query %d and target %d: %w", i, p.Query, p.Target, err)
			}
			if ctx.Err() != nil && !r.Exact {
				return ctx.Err() // bounds of a search cut short by it are worth less than a later run's
			}
			p.Lower, p.Upper = r.Lower, r.Upper
			w.done.Add(1)
			if !r.Exact {
				w.open.Add(1)
			}
			if out != nil {
				if err := out.put(i, r.Map); err != nil {
					return err
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

func (w *work) solver() (Solver, error) {
	if w.NewSolver != nil {
		return w.NewSolver(w.Task, w.Costs)
	}
	return NewSolver(w.Task, w.Costs)
}

// CountOpen returns how many pairs have bounds that do not meet.
func CountOpen(pairs []Pair) int {
	open := 0
	for _, p := range pairs {
		if !p.Exact() {
			open++
		}
	}
	return open
}

// reportEvery is the time between reports of progress.
const reportEvery = 250 * time.Millisecond

// report calls Progress now and then until the function it returns is called,
// which reports a last time. Before this run that many pairs were done and, of
// these, open.
func (w *work) report(doneBefore, openBefore int) (stop func()) {
	if w.Progress == nil {
		return func() {}
	}
	begin := time.Now()
	report := func() {
		done := int(w.done.Load())
		p := Progress{Done: doneBefore + done, Total: len(w.pairs), Open: openBefore + int(w.open.Load()),
			Elapsed: time.Since(begin)}
		if done > 0 {
			p.Left = time.Duration(float64(p.Elapsed) / float64(done) * float64(p.Total-p.Done))
		}
		w.Progress(p)
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticks := time.NewTicker(reportEvery)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				report()
			case <-quit:
				report()
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}
