package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

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

const (
	// openShare is the share of open pairs, whose bounds do not meet, above which it pays to
	// estimate their distances.
	openShare = 0.015
	// probes is the number of open pairs that are solved again, with probeStates times as
	// many states.
	probes, probeStates = 100, 10
)

// expect replaces the bounds of open pairs by a single value between them, the expected
// distance. Between loose bounds the loss is zero, so a model would predict the lower bounds
// of large graphs. A sample of the open pairs is solved with more states. The value is where
// these searches end on average, as a share of the way from the lower to the upper bound.
func (p Plan) expect(ctx context.Context, bounder truth.Bounder, graphs []*graph.Graph, pairs []truth.Pair) error {
	var open []int
	for i, pair := range pairs {
		if !pair.Exact() && !math.IsInf(pair.Upper, 1) {
			open = append(open, i)
		}
	}
	if bounder.Limits.States == 0 || float64(len(open)) < openShare*float64(len(pairs)) {
		return nil
	}
	rng := rand.New(rand.NewPCG(p.Seed, 0x1f83d9abfb41bd6b))
	var again []truth.Pair
	for _, k := range rng.Perm(len(open))[:min(probes, len(open))] {
		again = append(again, pairs[open[k]])
	}
	before := append([]truth.Pair(nil), again...)
	bounder.Limits.States *= probeStates
	bounder.Progress = func(t truth.Progress) { p.Progress(longer, t) }
	if err := p.bound(ctx, longer, bounder, graphs, again); err != nil {
		return err
	}
	reached, width := 0.0, 0.0
	for i, pair := range again {
		lower, upper := max(pair.Lower, before[i].Lower), min(pair.Upper, before[i].Upper)
		reached += (lower+upper)/2 - before[i].Lower
		width += before[i].Upper - before[i].Lower
	}
	share := reached / width
	p.Note(fmt.Sprintf("the exact distance of %.1f %% of the pairs is not known: it is taken to be %.0f %% of the way between their bounds, where longer searches end on average",
		100*float64(len(open))/float64(len(pairs)), 100*share))
	for _, i := range open {
		at := pairs[i].Lower + share*(pairs[i].Upper-pairs[i].Lower)
		pairs[i].Lower, pairs[i].Upper = at, at
	}
	return nil
}
