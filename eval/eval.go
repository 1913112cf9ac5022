// Package eval compares predicted distances with ground truth, which may be intervals: their
// errors, ranks and range searches, and for which pairs the errors are large.
package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// Input is predictions and what they are compared with.
type Input struct {
	Task      edit.Task
	Queries   []*graph.Graph
	Targets   []*graph.Graph
	Pairs     []truth.Pair
	Predicted []float64 // [len(Pairs)], not rounded
	// Both is how many graphs at the beginning of Queries and of Targets are the same: the
	// distance of two of them ranks either among the targets of the other, though it is one
	// pair. 0: each pair ranks its target.
	Both int
	// QueryCopies and TargetCopies mark the graphs that are isomorphic to one
	// that the model was trained on (see [Copies]); nil marks none. Figures are
	// then also given without the pairs that have one.
	QueryCopies, TargetCopies []bool
}

// Predict sets Predicted to the model's predictions for the pairs. It embeds every
// graph once, by the given number of workers.
func (in *Input) Predict(ctx context.Context, m *model.Model, workers int) error {
	zq, err := m.Embed(ctx, in.Queries, workers)
	if err != nil {
		return err
	}
	zt, err := m.Embed(ctx, in.Targets, workers)
	if err != nil {
		return err
	}
	n, dim := m.Norm(), m.Norm().Dim()
	in.Predicted = make([]float64, len(in.Pairs))
	for i, p := range in.Pairs {
		in.Predicted[i] = n.Distance(zq[int(p.Query)*dim:][:dim], zt[int(p.Target)*dim:][:dim])
	}
	return nil
}

// Evaluate computes all figures. It returns an error if there are no pairs, if
// the upper bound of a pair is infinite, or if a prediction is not finite.
func Evaluate(in Input) (*Report, error) {
	if len(in.Pairs) == 0 {
		return nil, fmt.Errorf("eval: there are no pairs")
	}
	if len(in.Predicted) != len(in.Pairs) {
		panic(fmt.Sprintf("eval: %d predictions for %d pairs", len(in.Predicted), len(in.Pairs)))
	}
	for i, p := range in.Pairs {
		if math.IsInf(p.Upper, 1) {
			return nil, fmt.Errorf("eval: pair %d, query %d and target %d, has no finite upper bound", i, p.Query,
				p.Target)
		}
		if d := in.Predicted[i]; math.IsNaN(d) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("eval: the prediction of pair %d, query %d and target %d, is %v", i, p.Query,
				p.Target, d)
		}
	}
	r := &Report{
		Task:    in.Task,
		All:     in.metrics(),
		Errors:  newGrid(in),
		Queries: distinct(in.Pairs, func(p truth.Pair) int32 { return p.Query }),
		Targets: distinct(in.Pairs, func(p truth.Pair) int32 { return p.Target }),
	}
	if in.QueryCopies == nil && in.TargetCopies == nil {
		return r, nil
	}
	rest := in.withoutCopies()
	r.Copies = &Copied{
		Queries: in.copies(in.QueryCopies, func(p truth.Pair) int32 { return p.Query }),
		Targets: in.copies(in.TargetCopies, func(p truth.Pair) int32 { return p.Target }),
	}
	if len(rest.Pairs) > 0 {
		m := rest.metrics()
		r.Copies.Without = &m
	}
	return r, nil
}

func (in Input) withoutCopies() Input {
	rest := in
	rest.Pairs, rest.Predicted = nil, nil
	for i, p := range in.Pairs {
		if in.QueryCopies != nil && in.QueryCopies[p.Query] || in.TargetCopies != nil && in.TargetCopies[p.Target] {
			continue
		}
		rest.Pairs = append(rest.Pairs, p)
		rest.Predicted = append(rest.Predicted, in.Predicted[i])
	}
	return rest
}

// Copies marks the graphs that are isomorphic to one of seen, [len(graphs)]. All
// share a vocabulary.
func Copies(graphs, seen []*graph.Graph) []bool {
	class := sample.Classes(append(append([]*graph.Graph(nil), seen...), graphs...))
	known := make(map[int]bool)
	for _, c := range class[:len(seen)] {
		known[c] = true
	}
	copies := make([]bool, len(graphs))
	for i, c := range class[len(seen):] {
		copies[i] = known[c]
	}
	return copies
}

// Join puts predictions in the order of the pairs, [len(pairs)]. Predictions of
// other pairs are left out. It returns a [MissingError] if a pair has none, and
// an error if it has two that differ.
func Join(pairs []truth.Pair, predictions []truth.Prediction) ([]float64, error) {
	type key struct{ query, target int32 }
	at := make(map[key]float64, len(predictions))
	for _, p := range predictions {
		k := key{p.Query, p.Target}
		if d, ok := at[k]; ok && d != p.Distance {
			return nil, fmt.Errorf("eval: query %d and target %d are predicted twice, as %v and %v", p.Query, p.Target,
				d, p.Distance)
		}
		at[k] = p.Distance
	}
	predicted := make([]float64, len(pairs))
	missing, first := 0, 0
	for i, p := range pairs {
		d, ok := at[key{p.Query, p.Target}]
		if !ok {
			if missing == 0 {
				first = i
			}
			missing++
		}
		predicted[i] = d
	}
	if missing > 0 {
		return nil, &MissingError{missing, len(pairs), pairs[first]}
	}
	return predicted, nil
}

// MissingError reports pairs that have no prediction.
type MissingError struct {
	Missing, Pairs int
	First          truth.Pair // that has none
}

// Error names the graphs by their positions.
func (e *MissingError) Error() string {
	return fmt.Sprintf("eval: %d of %d pairs have no prediction, the first of them query %d and target %d",
		e.Missing, e.Pairs, e.First.Query, e.First.Target)
}

func distinct(pairs []truth.Pair, side func(truth.Pair) int32) int {
	seen := make(map[int32]bool)
	for _, p := range pairs {
		seen[side(p)] = true
	}
	return len(seen)
}

// copies counts the graphs on one side of the pairs that are marked.
func (in Input) copies(marks []bool, side func(truth.Pair) int32) int {
	if marks == nil {
		return 0
	}
	seen := make(map[int32]bool)
	for _, p := range in.Pairs {
		if g := side(p); marks[g] {
			seen[g] = true
		}
	}
	return len(seen)
}

// Among returns the pairs whose queries and targets are among the given positions.
func Among(pairs []truth.Pair, queries, targets []int) []truth.Pair {
	set := func(positions []int) map[int32]bool {
		in := make(map[int32]bool, len(positions))
		for _, i := range positions {
			in[int32(i)] = true
		}
		return in
	}
	isQuery, isTarget := set(queries), set(targets)
	return slices.DeleteFunc(slices.Clone(pairs), func(p truth.Pair) bool {
		return !isQuery[p.Query] ||
			!isTarget[p.Target]
	})
}
