package greed

import (
	"context"
	"fmt"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
)

// DistanceOptions say how [Distance] computes. The zero value means unit costs and
// 10 s.
type DistanceOptions struct {
	Costs *edit.Costs // nil: unit costs
	// Matrices, if not nil, are costs of this pair by element: of every node and edge,
	// and of every two of them. What they leave out has the costs above.
	Matrices *edit.Matrices
	// Time is the limit; 0 means 10 s, and [NoLimit] is none.
	Time time.Duration
	// Memory is how many bytes the solver may hold; 0 means 1 GiB.
	Memory int64
}

// Comparison is what is known of the distance of two graphs.
type Comparison struct {
	// Lower and Upper bound the distance, in the units of the costs; where they meet, Exact is
	// true.
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	Exact bool    `json:"exact"`
	// Stopped says why not.
	Stopped ged.Stop `json:"stopped,omitempty"`
	// Map gives for every query node its target node, or -1; the edits it implies
	// cost Upper.
	Map edit.NodeMap `json:"map"`
	// Edits are those edits, in an order in which they can be carried out.
	Edits []edit.Operation `json:"edits"`
}

// Distance computes the distance from q to t: exactly, or within bounds if time
// or memory end first. If the context ends before the distance is exact,
// Distance returns the context's error together with the bounds found so far. Other errors
// wrap [ErrNoGraph], [ErrDirection] or [edit.ErrCosts], or name a limit below 0.
func Distance(ctx context.Context, task Task, q, t *Graph, opt DistanceOptions) (Comparison, error) {
	if q == nil || t == nil {
		return Comparison{}, fmt.Errorf("distance: %w", ErrNoGraph)
	}
	switch {
	case opt.Time < 0:
		return Comparison{}, fmt.Errorf("distance: the time is %v: give a time above 0, or NoLimit", opt.Time)
	case opt.Memory < 0:
		return Comparison{}, fmt.Errorf("distance: the memory is %d bytes: give a number above 0, or 0 for 1 GiB", opt.Memory)
	}
	costs := edit.Uniform()
	if opt.Costs != nil {
		costs = *opt.Costs
	}
	if graph.Common(q.Vocabulary(), t.Vocabulary()) == nil {
		vocab := graph.NewVocabulary()
		q, t = graph.In(vocab, q), graph.In(vocab, t)
	}
	a, b := q, t
	if opt.Matrices != nil {
		var err error
		if a, b, costs, err = opt.Matrices.Label(q, t, costs); err != nil {
			return Comparison{}, err
		}
	}
	s, err := ged.NewSolver(task, costs)
	if err != nil {
		return Comparison{}, err
	}
	limits := ged.Options{Time: opt.Time, Memory: opt.Memory}
	switch opt.Time {
	case 0:
		limits.Time = search.DefaultTime
	case NoLimit:
		limits.Time = 0
	}
	r, err := s.Distance(ctx, a, b, limits)
	if err != nil {
		return Comparison{}, err
	}
	p, err := edit.Price(task, costs, a, b)
	if err != nil {
		return Comparison{}, err
	}
	path := edit.Edits(p, a, b, r.Map)
	if opt.Matrices != nil {
		path = edit.WithLabels(path, q, t)
	}
	c := Comparison{Lower: r.Lower, Upper: r.Upper, Exact: r.Exact, Stopped: r.Stopped, Map: r.Map, Edits: path}
	if !c.Exact {
		err = ctx.Err()
	}
	return c, err
}
