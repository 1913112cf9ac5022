package ged

import (
	"context"
	"time"
)

// defaultMemory is the memory that a search may hold unless told otherwise.
const defaultMemory = 1 << 30

// budget says when a search must stop.
type budget struct {
	deadline time.Time // zero: none
	states   int64     // 0: none
	memory   int64
}

func newBudget(opt Options, start time.Time) budget {
	b := budget{states: opt.States, memory: opt.Memory}
	if opt.Time > 0 {
		b.deadline = start.Add(opt.Time)
	}
	if b.memory <= 0 {
		b.memory = defaultMemory
	}
	return b
}

// spent tells whether the search must stop, given the states so far. It looks
// at the clock, so it is not for every state.
func (b *budget) spent(ctx context.Context, states int64) bool {
	if b.states > 0 && states >= b.states || ctx.Err() != nil {
		return true
	}
	return !b.deadline.IsZero() && !time.Now().Before(b.deadline)
}
