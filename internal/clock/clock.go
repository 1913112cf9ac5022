// Package clock tells long computations when to stop. Every computation reports its work to
// a [Clock], loop or not, so that setting up a large problem and bounding it stop in time too.
package clock

import (
	"context"
	"time"
)

// Clock is time that can be spent. The zero value and nil never end. It is not safe
// for concurrent use.
type Clock struct {
	ctx      context.Context
	deadline time.Time // zero: none
	whole    time.Time // deadline, while a share of the time is spent
	left     int       // units until the next look at the time
	over     bool
}

// interval is how many units pass between two looks at the time.
const interval = 1 << 14

// New returns a clock that ends limit after start (0: never), or when ctx ends.
func New(ctx context.Context, start time.Time, limit time.Duration) Clock {
	c := Clock{ctx: ctx, left: interval}
	if limit > 0 {
		c.deadline = start.Add(limit)
	}
	if end, ok := ctx.Deadline(); ok && (c.deadline.IsZero() || end.Before(c.deadline)) {
		c.deadline = end
	}
	return c
}

// Spend reports whether time is up, now that so much more has been done, in units
// of about a nanosecond.
func (c *Clock) Spend(work int) bool {
	if c == nil {
		return false
	}
	if c.left -= work; c.left < 0 {
		return c.Look()
	}
	return c.over
}

// Ended reports whether time was up at the last look.
func (c *Clock) Ended() bool { return c != nil && c.over }

// Look looks at the time and at the context, and reports whether time is up.
func (c *Clock) Look() bool {
	if c == nil || c.ctx == nil {
		return false
	}
	c.left = interval
	if !c.over {
		c.over = c.ctx.Err() != nil || !c.deadline.IsZero() && !time.Now().Before(c.deadline)
	}
	return c.over
}

// Affords reports whether so much work, which cannot be broken off, takes less than
// half of the time that is left.
func (c *Clock) Affords(work int64) bool {
	return c == nil || c.deadline.IsZero() || time.Duration(2*work) < time.Until(c.deadline)
}

// Deadline returns the time at which c ends, zero if it has none.
func (c *Clock) Deadline() time.Time { return c.deadline }

// Share lets only a part of the time left be spent, until [Clock.Whole] is called.
// Without a deadline it changes nothing.
func (c *Clock) Share(part float64) {
	c.whole = c.deadline
	if !c.deadline.IsZero() && !c.over {
		left := time.Until(c.deadline)
		c.deadline = c.deadline.Add(-time.Duration((1 - part) * float64(left)))
	}
}

// Whole lets all of the time be spent again, and reports whether the share is.
func (c *Clock) Whole() bool {
	over := c.over
	c.deadline, c.over = c.whole, false
	if over {
		c.Look()
	}
	return over
}
