// Package ordered runs independent work on several goroutines and delivers the results in
// order, each as soon as those before it are there.
package ordered

import (
	"context"
	"sync"
)

// longest is how many items a worker takes at a time. It bounds what a result
// waits for the ones before it, and makes hand-overs rare where items are short.
const longest = 32

// chunk is the items from, from+1, ... in the hands of one worker.
type chunk[T any] struct {
	from, to int
	values   []T
	err      error
	done     chan struct{}
}

// Map calls work for every item 0..n-1 on as many goroutines as workers, and
// emit for every result, in the order of the items and on the caller's
// goroutine. The first error, of either, ends it and is returned; so is the
// context's error once the context ends, after which emit is not called again,
// so no result of work that was cut short is emitted. No goroutine is left when
// Map returns, and at most a few chunks of results wait for emit at a time.
//
// work receives the worker that it runs on, 0..workers-1. Map panics unless
// workers is at least 1.
func Map[T any](ctx context.Context, n, workers int,
	work func(ctx context.Context, worker, item int) (T, error), emit func(item int, value T) error,
) error {
	if workers < 1 {
		panic("ordered: fewer than 1 worker")
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()

	todo := make(chan *chunk[T])
	order := make(chan *chunk[T], 2*workers)
	size := min(max(n/(8*workers), 1), longest)
	wg.Go(func() {
		defer close(todo)
		defer close(order)
		for from := 0; from < n; from += size {
			c := &chunk[T]{from: from, to: min(from+size, n), done: make(chan struct{})}
			for _, out := range []chan *chunk[T]{order, todo} {
				select {
				case out <- c:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for worker := range workers {
		wg.Go(func() {
			for c := range todo {
				c.run(ctx, worker, work)
			}
		})
	}
	for c := range order {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for i, v := range c.values {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := emit(c.from+i, v); err != nil {
				return err
			}
		}
		if c.err != nil {
			return c.err
		}
	}
	return ctx.Err()
}

func (c *chunk[T]) run(ctx context.Context, worker int, work func(context.Context, int, int) (T, error)) {
	defer close(c.done)
	c.values = make([]T, 0, c.to-c.from)
	for i := c.from; i < c.to; i++ {
		v, err := work(ctx, worker, i)
		if err != nil {
			c.err = err
			return
		}
		c.values = append(c.values, v)
	}
}
