package paper

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/method"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/sample"
)

// How the time of a pair grows with its graphs (the paper states it in its appendix, as a
// complexity, and in section 5.3).

func graphSizes() Experiment {
	j := job{Exam: "sed/pubmed", Kind: "graph sizes"}
	jobs := func(Settings) []job { return []job{{Exam: "sed/pubmed", System: ourPaper}, j} }
	return Experiment{
		Name: "graph-sizes", Title: "Time by size of the graphs", Where: "section 5.3 and the complexity analysis", jobs: jobs,
		show: func(r results) report.Section {
			s := report.Section{Text: "Parts of PubMed of so many nodes, and queries drawn from it. GREED embeds both graphs anew. BRANCH and the exact solver stop after a second a pair.", Blocks: []report.Block{{Text: r.absences(jobs(r.scale))}}}
			if out := r.of(j); out != nil {
				s.Blocks = append(out.Blocks, s.Blocks...)
			}
			return s
		},
	}
}

// measureGraphSizes times pairs of growing graphs.
func measureGraphSizes(ctx context.Context, w *worker, j job) (*outcome, error) {
	g, err := largeOf(j.Exam).read(w)
	if err != nil {
		return nil, err
	}
	m, err := w.fitted(ctx, j.Exam, ourPaper)
	if err != nil {
		return nil, err
	}
	costs := edit.Uniform().IgnoreEdgeLabels()
	exact, err := ged.NewSolver(edit.SED, costs)
	if err != nil {
		return nil, err
	}
	branch, err := method.Find("branch")
	if err != nil {
		return nil, err
	}
	second := ged.Options{Time: seconds(1)}
	ways := []struct {
		name string
		pair func(q, t *graph.Graph) error
	}{
		{"GREED", func(q, t *graph.Graph) error { _, err := m.Predict(q, t); return err }},
		{"BRANCH", func(q, t *graph.Graph) error {
			p, err := edit.Price(edit.SED, costs, q, t)
			if err == nil {
				_, err = branch.Compute(ctx, p, q, t, second)
			}
			return err
		}},
		{"exact solver", func(q, t *graph.Graph) error { _, err := exact.Distance(ctx, q, t, second); return err }},
	}
	each := min(5, w.Scale.Queries)
	time := func(p *report.Plot, x int, queries, targets []*graph.Graph) error {
		for k, way := range ways {
			w.report(p.Title+", "+way.name, x, 0)
			took, err := processor(func() error {
				for i := range queries {
					if err := way.pair(queries[i], targets[i]); err != nil {
						return err
					}
				}
				return ctx.Err()
			})
			if err != nil {
				return err
			}
			p.Series[k].Points = append(p.Series[k].Points, report.Point{X: float64(x), Y: took.Seconds() / float64(len(queries))})
		}
		return nil
	}
	plot := func(title, x string) *report.Plot {
		p := &report.Plot{Title: title, X: x, Y: "processor seconds a pair", LogX: true, LogY: true}
		for _, way := range ways {
			p.Series = append(p.Series, report.Series{Name: way.name})
		}
		return p
	}
	rng := newRand(w.Scale.Seed)
	part := func(n int) []*graph.Graph {
		var list []*graph.Graph
		for range each {
			nodes, _ := g.Neighbourhood(rng.IntN(g.N()), g.N(), n)
			list = append(list, g.Induced(nodes))
		}
		return list
	}
	draw := func(low, high int) ([]*graph.Graph, error) {
		drawn, err := sample.Queries(rng, sample.Whole{g}, sample.BFS{Depth: 5, Keep: 0.4}, sample.Limits{MinNodes: low, MaxNodes: high, MinEdges: 1}, each)
		var list []*graph.Graph
		for _, q := range drawn {
			list = append(list, q.Graph)
		}
		return list, err
	}
	byTarget := plot("Time by size of the target", "nodes of the target; queries have 10 to 12")
	queries, err := draw(10, 12)
	if err != nil {
		return nil, err
	}
	for _, n := range []int{20, 50, 100, 200, 500, 1000, 2000, 5000} {
		if n > w.Scale.Largest {
			break
		}
		if err := time(byTarget, n, queries, part(n)); err != nil {
			return nil, err
		}
	}
	byQuery := plot("Time by size of the query", "nodes of the query; targets have 200")
	for _, n := range []int{5, 10, 20, 40} {
		queries, err := draw(n, n+2)
		if err != nil {
			return nil, fmt.Errorf("queries of %d nodes: %w", n, err)
		}
		if err := time(byQuery, n, queries, part(200)); err != nil {
			return nil, err
		}
	}
	return &outcome{Blocks: []report.Block{{Plot: byTarget}, {Plot: byQuery}}}, nil
}
