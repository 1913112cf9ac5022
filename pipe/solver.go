package pipe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/mcs"
)

// solver computes distances of one kind for one goroutine.
type solver interface {
	Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error)
}

// kind says which distance is meant. Its JSON form is also its name among the
// solvers that are kept.
type kind struct {
	Task  edit.Task       `json:"task"`
	Costs json.RawMessage `json:"costs,omitempty"`
	// IgnoreEdgeLabels makes relabelling edges free.
	IgnoreEdgeLabels bool `json:"ignore_edge_labels,omitempty"`
}

// costs reads the costs: a name, or an object, where weights that are not given
// are 1.
func (k *kind) costs() (edit.Costs, error) {
	costs := edit.Uniform()
	var name string
	switch {
	case json.Unmarshal(k.Costs, &name) == nil:
		named, known := edit.Named(name)
		if !known {
			return costs, fmt.Errorf("%w: there are none called %q, but %s", edit.ErrCosts, name, strings.Join(edit.Names(), ", "))
		}
		costs = named
	case len(k.Costs) > 0:
		d := json.NewDecoder(bytes.NewReader(k.Costs))
		d.DisallowUnknownFields()
		if err := d.Decode(&costs); err != nil {
			return costs, fmt.Errorf("%w: %w", edit.ErrCosts, err)
		}
		if _, err := d.Token(); err != io.EOF {
			return costs, fmt.Errorf("%w: more text after the JSON object", edit.ErrCosts)
		}
	}
	if k.IgnoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	return costs, costs.Check()
}

func (k *kind) newSolver() (solver, error) {
	costs, err := k.costs()
	if err != nil {
		return nil, err
	}
	if k.Task == edit.MCS {
		if len(k.Costs) > 0 {
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
