package train

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

// The time of a search state grows with the cells of a pair: nodes of the query
// times nodes of the target.
const (
	// fullCells is up to how many cells a pair gets all the states of the plan;
	// larger pairs get as much fewer.
	fullCells = 250
	// coarseCells is from how many cells on a pair gets the bounds of its label
	// multisets, without a search, whose first state would take seconds.
	coarseCells = 250_000
)

// solverName names [newSolver] in journals.
const solverName = "states by size"

// newSolver returns a solver that no pair holds for much longer than others,
// however large its graphs are.
func newSolver(task edit.Task, costs edit.Costs) (truth.Solver, error) {
	s, err := truth.NewSolver(task, costs)
	return fair{s}, err
}

type fair struct{ truth.Solver }

// Distance bounds the distance under limits that depend on the pair's size.
func (s fair) Distance(ctx context.Context, q, t *graph.Graph, opt ged.Options) (ged.Result, error) {
	switch cells := cellsOf(q, t); {
	case cells >= coarseCells:
		opt.Memory = 1
	case cells > fullCells && opt.States > 0:
		opt.States = max(1, opt.States*fullCells/cells)
	}
	return s.Solver.Distance(ctx, q, t, opt)
}

func cellsOf(q, t *graph.Graph) int64 { return int64(q.N()) * int64(t.N()) }

// workOf returns what a result has cost, in states of a pair of 100 cells; the
// first state stands for setting up the search as well.
func workOf(q, t *graph.Graph, r ged.Result) int64 {
	if cells := cellsOf(q, t); cells < coarseCells {
		return 1 + r.States*max(100, cells)/100
	}
	return 100 + int64(q.N()+t.N()+q.M()+t.M())/10
}
