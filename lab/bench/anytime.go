package bench

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
)

// anytimeStates are the limits of search states at which the solver is compared with
// App-BMao.
var anytimeStates = [...]int64{10, 30, 100}

// anytimePairs is the number of pairs of the anytime rows.
const anytimePairs = 10_000

// anytimeRows compare answers of interrupted searches with exact ones.
func anytimeRows() []row {
	costs := edit.Uniform().IgnoreEdgeLabels()
	var rows []row
	for _, c := range []struct {
		collection string
		published  float64 // MAE of App-BMao with 100 states
	}{{"aids700nef", 0.052}, {"linux", 0.011}} {
		about := fmt.Sprintf("GED, %d random pairs of test × train, upper bound against exact", anytimePairs)
		add := func(name string, mae figure, solve func() (solver, error)) {
			rows = append(rows, row{
				name: "anytime/" + c.collection + "/" + name, about: about, runs: fastRuns,
				figures: []figure{mae, micros(), microsUsed(), proven()},
				prepare: func(ctx context.Context, x *lab) (pass, error) {
					pairs, err := x.withDistances(ctx, c.collection, costs)
					if err != nil {
						return nil, err
					}
					s, err := solve()
					return solveAll(pairs, s), err
				},
			})
		}
		for _, width := range []int{10, 30, 100} {
			mae := meanError()
			if width == 100 {
				mae = mae.to(Published, c.published)
			}
			add(fmt.Sprintf("app-bmao:%d", width), mae, func() (solver, error) { return appBMao(edit.GED, costs, width), nil })
		}
		for _, states := range anytimeStates {
			add(fmt.Sprintf("states:%d", states), meanError(), func() (solver, error) {
				return exactSolver(edit.GED, costs, ged.Options{States: states})
			})
		}
	}
	return rows
}

// withDistances returns random pairs of a benchmark with their distances. It leaves out
// pairs that are not solved within the budget.
func (x *lab) withDistances(ctx context.Context, name string, costs edit.Costs) ([]pair, error) {
	if pairs, ok := x.exact[name]; ok {
		return pairs, nil
	}
	test, train, err := x.benchmark(name)
	if err != nil {
		return nil, err
	}
	drawn, err := x.random(test, train, anytimePairs, anyPair)
	if err != nil {
		return nil, err
	}
	solve, err := exactSolver(edit.GED, costs, ged.Options{Time: budget})
	if err != nil {
		return nil, err
	}
	var pairs []pair
	for _, p := range drawn {
		r, err := solve(ctx, p.q, p.t)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if p.exact = r.Upper; r.Exact {
			pairs = append(pairs, p)
		}
	}
	x.exact[name] = pairs
	return pairs, nil
}
