package greed

import (
	"context"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
)

// OptimalMaps returns the node maps that cost no more than a distance, at most most of them if that is
// above 0, in the order of the nodes that they take the query's nodes to, deletions last, and whether these
// are all. For every node in turn it asks the solver which partners leave the distance as it
// is, so each step leads to a map, however many maps do not. The time of the options is for all maps
// together; when it is up, those found are returned. When the context ends, its error is.
func OptimalMaps(ctx context.Context, s *ged.Solver, q, t *Graph, distance float64, opt ged.Options,
	most int) (maps []edit.NodeMap, all bool, err error) {
	e := enumeration{ctx: ctx, solver: s, q: q, t: t, distance: distance, opt: opt, most: most, all: true}
	if opt.Time > 0 {
		e.end = time.Now().Add(opt.Time)
	}
	e.opt.Upper, e.opt.Improved = 0, nil
	e.given = opt.Fixed
	e.sofar = make(edit.NodeMap, 0, q.N())
	e.used = make([]bool, t.N())
	err = e.from(0)
	return e.found, e.all, err
}

// enumeration goes through the node maps of least cost.
type enumeration struct {
	ctx      context.Context
	solver   *ged.Solver
	q, t     *Graph
	distance float64
	opt      ged.Options
	given    [][2]int // pairs that all maps have
	most     int
	end      time.Time // zero: none
	all      bool      // none was left out

	sofar edit.NodeMap // of the nodes so far
	used  []bool       // [target nodes]
	found []edit.NodeMap
}

// from maps the nodes from v on in all ways that reach the distance.
func (e *enumeration) from(v int) error {
	if v == e.q.N() {
		if e.most > 0 && len(e.found) == e.most {
			e.all = false
			return nil
		}
		e.found = append(e.found, slices.Clone(e.sofar))
		return nil
	}
	for w := range e.t.N() + 1 {
		if !e.all {
			return nil
		}
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
	e.opt.Fixed = append(e.opt.Fixed[:0:0], e.given...)
	for v, w := range e.sofar {
		for _, pair := range e.given {
			if pair[0] == v && pair[1] != w || w != edit.Deleted && pair[1] == w && pair[0] != v {
				return false, nil
			}
		}
		e.opt.Fixed = append(e.opt.Fixed, [2]int{v, w})
	}
	if !e.end.IsZero() {
		if e.opt.Time = time.Until(e.end); e.opt.Time <= 0 {
			e.all = false
			return false, nil
		}
	}
	r, err := e.solver.Within(e.ctx, e.q, e.t, e.distance, e.opt)
	if err == nil {
		err = e.ctx.Err()
	}
	within, known := r.Within(e.distance)
	e.all = e.all && known
	return within, err
}
