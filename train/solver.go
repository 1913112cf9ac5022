package train

import (
	"context"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/truth"
)

// The time per search state grows with the cells of a pair: the nodes of the query times
// those of the target.
const (
	// fullCells is the number of cells up to which a pair gets all states of the plan. Larger
	// pairs get proportionally fewer.
	fullCells = 250
	// coarseCells is the number of cells from which on a pair gets only the bounds of its
	// label multisets, because the first state of a search would take seconds.
	coarseCells = 100_000
)

// solverName identifies [newSolver] in journals.
const solverName = "states by size"

// newSolver returns a solver that takes about the same time for every pair, however large its
// graphs are.
func newSolver(task edit.Task, costs edit.Costs) (truth.Solver, error) {
	s, err := truth.NewSolver(task, costs)
	return fair{s}, err
}

type fair struct{ truth.Solver }

// Distance computes bounds of the distance under limits that depend on the pair's size.
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

// workOf estimates the work behind a result, in search states of a pair of small graphs,
// which take about a microsecond each. It adds the states, which take longer in large pairs,
// and the initial bounds, whose time grows with the power 3/2 of the cells (10 × 5,000 nodes
// take 0.1 s).
func workOf(q, t *graph.Graph, r ged.Result) int64 {
	cells := cellsOf(q, t)
	if cells >= coarseCells {
		return 100 + int64(q.N()+t.N()+q.M()+t.M())/10
	}
	return 1 + r.States*max(fullCells, cells)/fullCells + int64(math.Pow(float64(cells), 1.5))/100
}
