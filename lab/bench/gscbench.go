package bench

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// GSC is the protocol of GSCBench: of isomorphic graphs only the first is kept, parts have 80, 4
// and 16 % of these, and every test graph is paired with all others, each pair once.
type GSC struct {
	Costs   edit.Costs
	Seed    uint64 // of the split; GSCBench has 1729, 3407 and 9679
	Few     int    // learn from so many pairs, spread evenly over the graphs; 0: from the plan's
	Steps   int
	Pairs   int // of the plan at most
	Workers int
}

// Parts returns the graphs to train on, to validate with and to test, and how many copies are
// left out.
func (o GSC) Parts(graphs []*graph.Graph) (learn, check, test []*graph.Graph, copies int) {
	var kept []*graph.Graph
	seen := make(map[int]bool)
	for i, class := range sample.Classes(graphs) {
		if !seen[class] {
			seen[class] = true
			kept = append(kept, graphs[i])
		}
	}
	parts := make([][]*graph.Graph, 3)
	for p, at := range sample.Split(kept, []float64{0.80, 0.04, 0.16}, o.Seed) {
		for _, i := range at {
			parts[p] = append(parts[p], kept[i])
		}
	}
	return parts[0], parts[1], parts[2], len(graphs) - len(kept)
}

// Train returns a model of graphs.
func (o GSC) Train(ctx context.Context, graphs []*graph.Graph) (*model.Model, error) {
	learn, check, _, _ := o.Parts(graphs)
	r := train.DefaultRecipe(edit.GED, o.Costs, learn)
	r.Options.Steps, r.Passes, r.Plan.Pairs = o.Steps, 0, o.Pairs
	r.Options.Workers, r.Plan.Workers = o.Workers, o.Workers
	if o.Few == 0 {
		return train.Fit(ctx, learn, check, r)
	}
	n := len(learn)
	data := train.Data{Graphs: slices.Concat(learn, check), Learnt: learn, Unseen: check}
	bounder := truth.Bounder{Task: edit.GED, Costs: o.Costs, Limits: r.Plan.Solver, Workers: o.Workers}
	fill := func(pairs []truth.Pair) (blocks []train.Block, err error) {
		err = bounder.BoundAll(ctx, data.Graphs, data.Graphs, pairs)
		for _, p := range pairs {
			blocks = append(blocks, train.Block{
				Queries: []int32{p.Query}, Targets: []int32{p.Target}, Lower: []float32{float32(p.Lower)}, Upper: []float32{float32(p.Upper)},
			})
		}
		return blocks, err
	}
	var err error
	if data.Train, err = fill(evenPairs(rand.New(rand.NewPCG(o.Seed, 0)), n, o.Few)); err != nil {
		return nil, err
	}
	across := truth.AllPairs(len(check), n)
	for i := range across {
		across[i].Query += int32(n)
	}
	if data.Valid, err = fill(across); err != nil {
		return nil, err
	}
	return train.FitData(ctx, data, r)
}

// Evaluate evaluates a model on the test graphs of a collection, by exact distances or, where a
// second does not do, by bounds. The distance of two test graphs ranks each for the other.
func (o GSC) Evaluate(ctx context.Context, m *model.Model, graphs []*graph.Graph) (*eval.Report, error) {
	learn, check, test, _ := o.Parts(graphs)
	in := eval.Input{Task: edit.GED, Queries: slices.Concat(test, check, learn), Both: len(test)}
	in.Targets, in.Pairs = in.Queries, truth.PairsOnce(len(test), len(in.Queries))
	bounder := truth.Bounder{Task: edit.GED, Costs: o.Costs, Limits: ged.Options{Time: time.Second}, Workers: o.Workers}
	if err := bounder.BoundAll(ctx, in.Queries, in.Targets, in.Pairs); err != nil {
		return nil, err
	}
	if err := in.Predict(ctx, m, o.Workers); err != nil {
		return nil, err
	}
	return eval.Evaluate(in)
}

// evenPairs draws count different pairs of n graphs, or all if there are fewer. It prefers
// graphs in no pair yet, then those in the fewest. The pairs for a smaller count are the
// first of those for a larger one.
func evenPairs(rng *rand.Rand, n, count int) []truth.Pair {
	var pairs []truth.Pair
	degree := make([]int, n)
	paired := make(map[[2]int]bool)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for len(pairs) < min(count, n*(n-1)/2) {
		rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(degree[a], degree[b]) })
		next := func() (a, b int) {
			for i, a := range order {
				for _, b := range order[i+1:] {
					if !paired[[2]int{min(a, b), max(a, b)}] {
						return a, b
					}
				}
			}
			panic("bench: all pairs are drawn")
		}
		a, b := next()
		a, b = min(a, b), max(a, b)
		paired[[2]int{a, b}] = true
		degree[a]++
		degree[b]++
		pairs = append(pairs, truth.NewPair(a, b))
	}
	return pairs
}
