package paper

import (
	"context"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/vectorindex"
)

// examinee is our model of a large graph's collection, and the graph.
type examinee struct {
	large
	whole *graph.Graph
	model *model.Model
	exam  *bench.Exam
}

func (w *worker) examinee(ctx context.Context, exam string) (examinee, error) {
	e := examinee{large: largeOf(exam)}
	var err error
	if e.whole, err = e.read(w); err != nil {
		return e, err
	}
	if e.model, err = w.fitted(ctx, exam, ourPaper); err != nil {
		return e, err
	}
	e.exam, err = w.open(exam)
	return e, err
}

// finder finds the graphs that a model predicts to be nearest to a query, and computes how
// near they are.
type finder struct {
	model  *model.Model
	graphs []*graph.Graph
	index  vectorindex.Index
	*ged.Solver
}

func newFinder(ctx context.Context, m *model.Model, costs edit.Costs, graphs []*graph.Graph, workers int) (*finder, error) {
	vectors, err := m.Embed(ctx, graphs, workers)
	if err != nil {
		return nil, err
	}
	index, err := vectorindex.NewFlat(m.Norm(), vectors)
	if err != nil {
		return nil, err
	}
	solver, err := ged.NewSolver(edit.SED, costs)
	return &finder{m, graphs, index, solver}, err
}

// near is a graph and its predicted distance.
type near struct {
	graph    *graph.Graph
	distance float64
}

func (f *finder) nearest(ctx context.Context, q *graph.Graph, k int) ([]near, error) {
	z, err := f.model.Embed(ctx, []*graph.Graph{q}, 1)
	if err != nil {
		return nil, err
	}
	found, err := f.index.KNN(ctx, []vectorindex.Query{{Vector: z}}, k)
	if err != nil {
		return nil, err
	}
	var list []near
	for _, h := range found[0].Hits {
		list = append(list, near{f.graphs[h.Position], h.Distance})
	}
	return list, nil
}
