package ged

import (
	"context"
	"time"
)

// defaultMemory is the memory that a search may hold unless told otherwise.
const defaultMemory = 1 << 30

// budget says when a computation must stop. Loops over much data spend it by what
// they do, in units of about a nanosecond, so that set-up, bounds and heuristics
// of large graphs end in time, and not only the search. A nil budget never ends.
type budget struct {
	ctx      context.Context
	deadline time.Time // zero: none
	states   int64     // 0: none
	memory   int64
	left     int // units until the next look at the clock
	over     bool
	end      time.Time // deadline of the whole while a share of it is spent
}

// lookEvery is how many units pass between two looks at the clock.
const lookEvery = 1 << 14

func newBudget(ctx context.Context, opt Options, start time.Time) budget {
	b := budget{ctx: ctx, states: opt.States, memory: opt.Memory, left: lookEvery}
	if opt.Time > 0 {
		b.deadline = start.Add(opt.Time)
	}
	if end, ok := ctx.Deadline(); ok && (b.deadline.IsZero() || end.Before(b.deadline)) {
		b.deadline = end
	}
	if b.memory <= 0 {
		b.memory = defaultMemory
	}
	return b
}

// spend reports whether time is up, now that so much more has been done.
func (b *budget) spend(work int) bool {
	if b == nil {
		return false
	}
	if b.left -= work; b.left < 0 {
		return b.look()
	}
	return b.over
}

// ended reports whether time was up at the last look.
func (b *budget) ended() bool { return b != nil && b.over }

// look looks at the clock and at the context.
func (b *budget) look() bool {
	b.left = lookEvery
	if !b.over {
		b.over = b.ctx.Err() != nil || !b.deadline.IsZero() && !time.Now().Before(b.deadline)
	}
	return b.over
}

// share lets only a part of the time left be spent, until whole is called. Without a
// deadline it changes nothing.
func (b *budget) share(part float64) {
	b.end = b.deadline
	if !b.deadline.IsZero() && !b.over {
		left := time.Until(b.deadline)
		b.deadline = b.deadline.Add(-time.Duration((1 - part) * float64(left)))
	}
}

// whole lets all of the time be spent, and reports whether the part given by share
// is.
func (b *budget) whole() bool {
	over := b.over
	b.deadline, b.over = b.end, false
	if over {
		b.look()
	}
	return over
}

// affords reports whether so much work, which cannot be broken off, takes less
// than half of the time that is left.
func (b *budget) affords(work int64) bool {
	return b.deadline.IsZero() || time.Duration(2*work) < time.Until(b.deadline)
}

// spent tells whether the search must stop, given the states so far. It looks at
// the clock, so it is not for every state.
func (b *budget) spent(states int64) bool {
	return b.states > 0 && states >= b.states || b.look()
}
