package pipe

import (
	"context"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// optimalMaps returns all node maps that cost no more than the given distance, in
// the order of the nodes that they take the query's nodes to, deletions last. For
// every node in turn it asks the solver which partners leave the distance as it
// is, so each step leads to a map, however many maps do not. When the context or
// the time of a single question ends, it returns the context's error or those
// found.
func optimalMaps(ctx context.Context, s *ged.Solver, q, t *graph.Graph, distance float64, opt ged.Options) ([]edit.NodeMap, error) {
	e := enumeration{ctx: ctx, solver: s, q: q, t: t, tau: distance, opt: opt}
	e.opt.Upper = 0
	e.roots = opt.Fixed
	e.sofar = make(edit.NodeMap, 0, q.N())
	e.used = make([]bool, t.N())
	err := e.from(0)
	return e.found, err
}

type enumeration struct {
	ctx    context.Context
	solver *ged.Solver
	q, t   *graph.Graph
	tau    float64
	opt    ged.Options
	roots  [][2]int

	sofar edit.NodeMap // of the nodes so far
	used  []bool       // [target nodes]
	found []edit.NodeMap
}

// from maps the nodes from v on in all ways that reach the distance.
func (e *enumeration) from(v int) error {
	if v == e.q.N() {
		e.found = append(e.found, slices.Clone(e.sofar))
		return nil
	}
	for w := range e.t.N() + 1 {
		if w == e.t.N() {
			w = edit.Deleted
		} else if e.used[w] {
			continue
		}
		e.sofar = append(e.sofar, w)
		possible, err := e.possible()
		if err == nil && possible {
			if w != edit.Deleted {
				e.used[w] = true
			}
			err = e.from(v + 1)
			if w != edit.Deleted {
				e.used[w] = false
			}
		}
		e.sofar = e.sofar[:v]
		if err != nil {
			return err
		}
	}
	return nil
}

// possible reports whether some map of the distance begins like this one.
func (e *enumeration) possible() (bool, error) {
	e.opt.Fixed = append(e.opt.Fixed[:0:0], e.roots...)
	for v, w := range e.sofar {
		for _, root := range e.roots {
			if (root[0] == v) != (root[1] == w) {
				return false, nil
			}
		}
		e.opt.Fixed = append(e.opt.Fixed, [2]int{v, w})
	}
	r, err := e.solver.Within(e.ctx, e.q, e.t, e.tau, e.opt)
	if err == nil {
		err = e.ctx.Err()
	}
	within, _ := r.Within(e.tau)
	return within, err
}
