package ged

import (
	"context"
	"errors"
	"time"
)

// Stop says why a result is not exact. It is empty where the result is exact, where the
// bounds answer the request (see [Options.Upper] and [Solver.Within]), and where a
// method promises no more than bounds.
type Stop string

// The reasons why a search ends before its result is exact.
const (
	StopTime        Stop = "time"        // the time was up, or the context's deadline came
	StopStates      Stop = "states"      // so many states were searched
	StopMemory      Stop = "memory"      // more memory would be needed than is allowed
	StopSize        Stop = "size"        // one state takes so long that no more are searched
	StopInterrupted Stop = "interrupted" // the context was cancelled
	StopRounding    Stop = "rounding"    // costs have no common unit, and rounding leaves the answer open
)

// Text says the reason as a clause about a search.
func (s Stop) Text() string {
	switch s {
	case StopTime:
		return "the time limit was reached"
	case StopStates:
		return "the limit of search states was reached"
	case StopMemory:
		return "it needs more memory than the solver may use"
	case StopSize:
		return "graphs of this size are only bounded"
	case StopInterrupted:
		return "it was interrupted"
	case StopRounding:
		return "it lies within the rounding of the costs"
	}
	return ""
}

// StoppedBy returns which limit a computation has come to that took so many states and
// so long, empty if none: for methods other than [Solver].
func StoppedBy(ctx context.Context, opt Options, states int64, elapsed time.Duration) Stop {
	end, limited := ctx.Deadline()
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return StopInterrupted
	case ctx.Err() != nil, limited && !time.Now().Before(end), opt.Time > 0 && elapsed >= opt.Time:
		return StopTime
	case opt.States > 0 && states >= opt.States:
		return StopStates
	}
	return ""
}

// why returns what ended the last search: each limit but time and the number of states says so itself where it
// does.
func (s *Solver) why(ctx context.Context, opt Options, elapsed time.Duration) Stop {
	b := &s.search.budget
	switch by := StoppedBy(ctx, opt, b.searched, elapsed); {
	case by == StopInterrupted:
		return by
	case b.by != "" && !b.Ended():
		return b.by
	case by == StopStates && !b.Ended():
		return by
	}
	return StopTime
}
