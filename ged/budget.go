package ged

import (
	"context"
	"time"

	"github.com/greedgraph/greed/internal/clock"
)

// defaultMemory is the memory that a search may hold unless told otherwise.
const defaultMemory = 1 << 30

// budget says when a computation must stop.
type budget struct {
	clock.Clock
	states   int64 // 0: none
	searched int64 // states so far
	memory   int64
	by       Stop // the limit that ended the search, where what is left of others would not say
}

func newBudget(ctx context.Context, opt Options, start time.Time) budget {
	b := budget{Clock: clock.New(ctx, start, opt.Time), states: opt.States, memory: opt.Memory}
	if b.memory <= 0 {
		b.memory = defaultMemory
	}
	return b
}

// halt says which limit ends the search. The first that ended it counts.
func (b *budget) halt(by Stop) {
	if b.by == "" {
		b.by = by
	}
}

// spent reports whether the search must stop. It looks at the clock, which is too slow for
// every state of the plain search.
func (b *budget) spent() bool {
	return b.states > 0 && b.searched >= b.states || b.Look()
}

// pay counts work as so many states. It reports whether the limit leaves so many.
func (b *budget) pay(states int) bool {
	if b.states > 0 && b.searched+int64(states) > b.states {
		return false
	}
	b.searched += int64(states)
	return true
}
