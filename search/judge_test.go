package search_test

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// rounding is how far sums of costs may differ that add the same in another order.
const rounding = 1e-9

// judge returns an error if r, the result of a search for q, says what is not true. truth
// has the distances of all graphs in the scope of the search by their ids, which differ.
func judge(r *search.Result, in *search.Collection, q *graph.Graph, radius *float64, truth map[string]float64) error {
	told := make(map[string]bool)
	check := func(a *search.Answer) error {
		rec := in.Record(a.Position)
		d, ok := truth[rec.ID]
		switch {
		case !ok:
			return fmt.Errorf("%s is not in the scope of the search", rec.ID)
		case told[rec.ID]:
			return fmt.Errorf("%s is there twice", rec.ID)
		case a.Lower > d+rounding || a.Upper < d-rounding:
			return fmt.Errorf("%s lies at %v, not between %v and %v", rec.ID, d, a.Lower, a.Upper)
		case a.Exact != (a.Lower == a.Upper):
			return fmt.Errorf("%s between %v and %v: exact %v", rec.ID, a.Lower, a.Upper, a.Exact)
		}
		told[rec.ID] = true
		if a.Map == nil {
			return nil
		}
		if cost := edit.InducedCost(r.Pricing, q, rec.Graph, a.Map); math.Abs(cost-a.Upper) > rounding {
			return fmt.Errorf("the map of %s costs %v, not %v", rec.ID, cost, a.Upper)
		}
		return nil
	}
	far, inexact := math.Inf(1), 0
	if radius != nil {
		far = *radius + rounding
	}
	for i := range r.Answers {
		a := &r.Answers[i]
		if err := check(a); err != nil {
			return fmt.Errorf("answer %d: %w", i, err)
		}
		if a.Map == nil || a.Upper > far {
			return fmt.Errorf("answer %d: up to %v away, or without a map", i, a.Upper)
		}
		if !a.Exact {
			inexact++
		}
	}
	if inexact != r.Inexact {
		return fmt.Errorf("%d answers are inexact, said are %d", inexact, r.Inexact)
	}
	if r.K > 0 && len(r.Answers) == r.K {
		far = min(far, r.Answers[r.K-1].Upper-rounding)
	}
	for i := range r.Missing {
		a := &r.Missing[i]
		if err := check(a); err != nil {
			return fmt.Errorf("missing %d: %w", i, err)
		}
		if i > 0 && a.Lower < r.Missing[i-1].Lower {
			return fmt.Errorf("missing %d: not in the order of lower bounds", i)
		}
	}
	excluded := 0
	for _, e := range r.Stats.Excluded {
		excluded += e.Graphs
	}
	if open := len(r.Missing) + r.Unreached + len(r.Answers); excluded+open > r.Stats.Graphs {
		return fmt.Errorf("of %d graphs %d are excluded, and %d are answers or may be", r.Stats.Graphs, excluded, open)
	}
	if !r.Complete {
		return nil
	}
	nearer := 0
	for id, d := range truth {
		if d <= far && !told[id] {
			nearer++
		}
	}
	if nearer > r.Unreached {
		return fmt.Errorf("%d graphs may be answers, %d others are", len(r.Missing)+r.Unreached, nearer)
	}
	return nil
}

// countdown is a context that ends after it was asked some number of times whether it has.
type countdown struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

// newCountdown returns a context that ends at the given question.
func newCountdown(questions int64) *countdown {
	c := &countdown{Context: context.Background(), done: make(chan struct{})}
	c.left.Store(questions)
	return c
}

// Err tells whether c has ended, which counts as a question.
func (c *countdown) Err() error {
	left := c.left.Add(-1)
	if left > 0 {
		return nil
	}
	if left == 0 {
		close(c.done)
	}
	return context.Canceled
}

// Done returns a channel that is closed when c ends.
func (c *countdown) Done() <-chan struct{} { return c.done }

// Ended reports whether c has ended, which does not count.
func (c *countdown) Ended() bool { return c.left.Load() <= 0 }
