package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"
)

// grace is how long work may take to end after its client has left.
const grace = 50 * time.Millisecond

// outcome is the result of work.
type outcome[T any] struct {
	value T
	err   error
}

// withPermit runs work of the exact solver when there is a permit for it, and returns its
// result.
func withPermit[T any](ctx context.Context, s *Server, work func(context.Context) (T, error)) (T, error) {
	var value T
	err := holdingPermit(ctx, s, work, func(v T, _ func()) error {
		value = v
		return nil
	})
	return value, err
}

// holdingPermit runs work of the exact solver when there is a permit for it, and then give with
// its result, in the goroutine of the caller, which still has the permit and may leave it
// early. If the client leaves, the permit is free within grace, whether or not the work has
// ended by then. As many pieces of work may run on without a permit as there are permits. A
// result that can be closed is closed when nobody takes it.
func holdingPermit[T any](ctx context.Context, s *Server, work func(context.Context) (T, error),
	give func(value T, leave func()) error) error {
	understood(ctx) // it waits for the solver now
	begin := time.Now()
	out, err := s.solver.enterAs(ctx, traceOf(ctx).client, s.opt.Limits.SolverShare)
	s.metrics.stage("wait", time.Since(begin))
	if err != nil {
		return err
	}
	s.accountOf(ctx).pause(begin)
	leave := sync.OnceFunc(out)
	done := make(chan outcome[T], 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() {
			if p := recover(); p != nil {
				err := &panicError{p, debug.Stack()}
				s.opt.Log.Error("panic", "request", traceOf(ctx).id, "panic", p, "stack", string(err.stack))
				done <- outcome[T]{err: err}
			}
		}()
		v, err := work(ctx)
		done <- outcome[T]{v, err}
	}()
	taken := func(o outcome[T]) error {
		defer leave()
		if errors.Is(o.err, context.Canceled) {
			return cmp.Or(context.Cause(ctx), o.err)
		}
		if o.err != nil {
			return o.err
		}
		return give(o.value, leave)
	}
	select {
	case o := <-done:
		return taken(o)
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return taken(o)
	case <-time.After(grace):
	}
	if s.stragglers.Add(1) <= int64(s.opt.Limits.Solver) {
		leave()
	}
	go func() {
		<-ended
		leave()
		s.stragglers.Add(-1)
		o := <-done
		if c, ok := any(o.value).(io.Closer); ok && o.err == nil {
			_ = c.Close()
		}
	}()
	return context.Cause(ctx)
}

// panicError is a panic of work.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string { return fmt.Sprint("panic: ", p.value) }
