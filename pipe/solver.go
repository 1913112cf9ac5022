package pipe

import (
	"context"
	"encoding/json"
	"math"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
)

// solver computes distances of one kind for one goroutine.
type solver interface {
	Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error)
}

// kind says which distance is meant. Its JSON form is also its name among the
// solvers that are kept.
type kind struct {
	Task edit.Task `json:"task"`
	operation.Priced
}

func (k *kind) costs() (edit.Costs, error) { return k.Or(edit.Uniform()) }

func (k *kind) newSolver() (solver, error) {
	costs, err := k.costs()
	if err != nil {
		return nil, err
	}
	if k.Task == edit.MCS {
		if !k.Costs.IsZero() {
			return nil, wrongValue("costs: common subgraphs have none")
		}
		return common{mcs.Options{IgnoreEdgeLabels: costs.Edges == nil && costs.EdgeSubstitute == 0}}, nil
	}
	return ged.NewSolver(k.Task, costs)
}

// symmetric reports whether the distance is surely the same both ways.
func (k *kind) symmetric() bool {
	costs, err := k.costs()
	return err == nil && (k.Task == edit.MCS || k.Task == edit.GED && costs.Nodes == nil && costs.Edges == nil &&
		costs.NodeInsert == costs.NodeDelete && costs.EdgeInsert == costs.EdgeDelete)
}

// common computes the distance of maximum common subgraphs.
type common struct{ opt mcs.Options }

func (c common) Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	o := c.opt
	o.Time, o.States = opt.Time, opt.States
	r, err := mcs.Largest(ctx, q, t, o)
	larger := max(q.N(), t.N())
	out := ged.Result{
		Lower: float64(larger - r.Upper), Upper: float64(larger - r.Size), Exact: r.Exact,
		Map: r.Map, States: r.States, Elapsed: r.Elapsed,
	}
	if !r.Exact {
		out.Stopped = ged.StoppedBy(ctx, opt, r.States, r.Elapsed)
	}
	return out, err
}

// solvers keeps those of the last kind, for their memory.
type solvers struct {
	mu   sync.Mutex
	kind string
	idle []solver
}

// take returns a solver of each of n goroutines; give returns them.
func (s *solvers) take(k *kind, n int) (list []solver, give func(), err error) {
	name, err := json.Marshal(k)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	if s.kind == string(name) {
		few := min(n, len(s.idle))
		list = append(list, s.idle[len(s.idle)-few:]...)
		s.idle = s.idle[:len(s.idle)-few]
	}
	s.mu.Unlock()
	for len(list) < n {
		one, err := k.newSolver()
		if err != nil {
			return nil, nil, err
		}
		list = append(list, one)
	}
	return list, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.kind != string(name) {
			s.kind, s.idle = string(name), nil
		}
		s.idle = append(s.idle, list...)
	}, nil
}

// within is what is known of a distance and a threshold.
const (
	no byte = iota
	yes
	unknown
)

func withinTau(r ged.Result, tau float64) byte {
	is, known := r.Within(tau)
	switch {
	case !known:
		return unknown
	case is:
		return yes
	}
	return no
}

// measure computes one pair: the distance or, of a finite tau, only whether it
// is at most tau.
func measure(ctx context.Context, s solver, q, t *graph.Graph, opt ged.Options, tau float64) (ged.Result, error) {
	if g, ok := s.(*ged.Solver); ok && !math.IsInf(tau, 0) {
		return g.Within(ctx, q, t, tau, opt)
	}
	return s.Distance(ctx, q, t, opt)
}
