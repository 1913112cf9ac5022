package mip

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// Solvers work with tolerances of about 10⁻⁶; what they say is believed no
// further than this.
const (
	integrality = 1e-5
	precision   = 1e-6
)

// variableBytes is what one variable of a program takes here; solvers need more.
const variableBytes = 256

// Compute bounds the distance from q to t under the prices p, which must cover
// the labels of both; without a time limit the answer is exact. Time in opt
// limits the solver, GLPK in whole seconds; Memory limits the size of the program
// written, beyond which there is an error; States do not apply. If
// the solver is stopped before it has a solution, the bounds are 0 and the cost
// of deleting everything. Bounds of unfinished runs are good to a relative 10⁻⁶,
// which an integer distance rounds away.
//
// Every solution is checked: that it is integral, that it is a node map, and
// that the map costs what the solver says. The error wraps [ErrSolver],
// [ErrNotIntegral], [ErrWrongAnswer], [ged.ErrVocabulary] or [ged.ErrDirection].
func (s Solver) Compute(ctx context.Context, p *edit.Pricing, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	start := time.Now()
	if graph.Common(q.Vocabulary(), t.Vocabulary()) == nil {
		return ged.Result{}, fmt.Errorf("mip: %w", ged.ErrVocabulary)
	}
	if q.Directed() != t.Directed() {
		return ged.Result{}, fmt.Errorf("mip: %w", ged.ErrDirection)
	}
	variables := int64(q.N())*int64(t.N()) + int64(q.M())*int64(t.M())
	if limit := cmp.Or(opt.Memory, 1<<30); variables*variableBytes > limit {
		return ged.Result{}, fmt.Errorf("mip: a program of %d variables exceeds the memory limit of %d bytes", variables, limit)
	}
	g := NewProgram(p, q, t)
	a := answer{optimal: true, found: true, values: make([]float64, len(g.pairs))}
	if !g.trivial() {
		var err error
		if a, err = s.solve(ctx, g, opt.Time); err != nil {
			return ged.Result{}, err
		}
	}
	r, err := g.result(a)
	if err != nil {
		return ged.Result{}, fmt.Errorf("mip: %s: %w", s.Name, err)
	}
	r.Elapsed = time.Since(start)
	if !r.Exact {
		r.Stopped = cmp.Or(ged.StoppedBy(ctx, opt, 0, r.Elapsed), ged.StopTime) // GLPK counts whole seconds
	}
	return r, nil
}

// result turns an answer into bounds and a map, or says what is wrong with it.
func (g *Program) result(a answer) (ged.Result, error) {
	m, err := g.nodeMap(a)
	if err != nil {
		return ged.Result{}, err
	}
	r := ged.Result{Upper: edit.InducedCost(g.pricing, g.q, g.t, m), Map: m}
	if a.found {
		// Short of the optimum, edges may be left unmapped that the node map
		// maps, which only makes it cheaper.
		said := g.constant + a.objective
		tolerance := precision * (1 + math.Abs(said))
		if r.Upper > said+tolerance || a.optimal && r.Upper < said-tolerance {
			return ged.Result{}, fmt.Errorf("%w: the node map costs %v, the objective says %v", ErrWrongAnswer, r.Upper, said)
		}
	}
	if a.optimal {
		r.Lower, r.Exact = r.Upper, true
		return r, nil
	}
	bound := g.constant + a.bound
	if bound > r.Upper+precision*(1+r.Upper) {
		return ged.Result{}, fmt.Errorf("%w: lower bound %v above a solution of cost %v", ErrWrongAnswer, bound, r.Upper)
	}
	bound -= precision * (1 + math.Abs(bound))
	if g.integral {
		bound = math.Ceil(bound)
	}
	r.Lower = min(max(0, bound), r.Upper)
	r.Exact = r.Lower == r.Upper
	return r, nil
}

// nodeMap reads the map off the variables x; without a solution, it deletes all.
func (g *Program) nodeMap(a answer) (edit.NodeMap, error) {
	m := make(edit.NodeMap, g.q.N())
	for i := range m {
		m[i] = edit.Deleted
	}
	if !a.found {
		return m, nil
	}
	for v, x := range a.values {
		if d := math.Abs(x - math.Round(x)); !(d <= integrality) || math.Round(x) != 0 && math.Round(x) != 1 {
			return nil, fmt.Errorf("%w: %s is %v", ErrNotIntegral, g.variable(v), x)
		}
		if v >= len(g.node) || math.Round(x) == 0 {
			continue
		}
		i, k := v/g.t.N(), v%g.t.N()
		if m[i] != edit.Deleted {
			return nil, fmt.Errorf("%w: query node %d is mapped to %d and %d", ErrWrongAnswer, i, m[i], k)
		}
		m[i] = k
	}
	if err := m.Check(g.q, g.t); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrWrongAnswer, err)
	}
	return m, nil
}

// variable returns the name of the variable at a position of the objective.
func (g *Program) variable(v int) string {
	if v < len(g.node) {
		return xName(v/g.t.N(), v%g.t.N())
	}
	return g.pairs[v-len(g.node)].String()
}
