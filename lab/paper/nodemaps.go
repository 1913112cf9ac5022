package paper

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/assign"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/report"
)

// Which node goes where: node maps from the states of the nodes, against exact ones. The
// paper's model has these states but does not use them so.

func nodeMaps() Experiment {
	exams := []string{"ged/aids700nef", "ged/linux", "sed/aids"}
	jobs := func(Settings) []job {
		var list []job
		for _, exam := range exams {
			for _, system := range []string{ourPaper, ourDefault} {
				list = append(list, job{Exam: exam, System: system}, job{Exam: exam, Kind: "node maps", System: system})
			}
		}
		return list
	}
	columns := []string{"cost of the map, mean", "exact distance, mean", "maps that are optimal, %", "nodes as in the exact map, %", "cost of a map by labels alone, mean"}
	return Experiment{
		Name: "node-maps", Title: "Node maps from node embeddings", Where: "the appendix on alignment", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "Node maps", Columns: append([]string{"collection"}, columns...)}
			s := report.Section{Text: "Nodes are assigned so that the ℓ2 distances of their states after all rounds are least. An exact map is one of several of the same cost, so that few agree with a given one by node. A map by labels alone assigns nodes with equal labels in order."}
			for _, exam := range exams {
				for _, system := range []string{ourPaper, ourDefault} {
					name := titles[exam] + map[string]string{ourPaper: ", GREED", ourDefault: ", greed's default"}[system]
					row := []report.Cell{report.Text(name)}
					out := r.of(job{Exam: exam, Kind: "node maps", System: system})
					for _, c := range columns {
						x := math.NaN()
						if out != nil {
							x = out.Numbers[c]
						}
						row = append(row, report.Number(x, 2))
					}
					t.Rows = append(t.Rows, row)
					if out != nil && system == ourPaper {
						s.Blocks = append(s.Blocks, out.Blocks...)
					}
				}
			}
			s.Blocks = append([]report.Block{{Table: t}}, s.Blocks...)
			s.Blocks = append(s.Blocks, report.Block{Text: r.absences(jobs(r.scale))})
			return s
		},
	}
}

// measureNodeMaps compares maps of some pairs.
func measureNodeMaps(ctx context.Context, w *worker, j job) (*outcome, error) {
	m, err := w.fitted(ctx, j.Exam, j.System)
	if err != nil {
		return nil, err
	}
	x, err := w.open(j.Exam)
	if err != nil {
		return nil, err
	}
	solver, err := ged.NewSolver(x.Task, x.Costs)
	if err != nil {
		return nil, err
	}
	in := x.Set(errorSet(j.Exam)).Input
	pairs := in.Pairs[:min(len(in.Pairs), 25*w.Scale.Queries)]
	sum := make(map[string]float64)
	var blocks []report.Block
	nodes := 0.0
	for i, p := range pairs {
		w.report("pairs", i, len(pairs))
		q, t := in.Queries[p.Query], in.Targets[p.Target]
		guess, err := mapByStates(m, q, t)
		if err != nil {
			return nil, err
		}
		r, err := solver.Distance(ctx, q, t, ged.Options{Time: seconds(1)})
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		price, err := edit.Price(x.Task, x.Costs, q, t)
		if err != nil {
			return nil, err
		}
		cost := edit.InducedCost(price, q, t, guess)
		sum["cost of the map, mean"] += cost
		sum["exact distance, mean"] += r.Upper
		sum["cost of a map by labels alone, mean"] += edit.InducedCost(price, q, t, mapByLabels(q, t))
		if cost == r.Upper {
			sum["maps that are optimal, %"] += 100
		}
		for v := range guess {
			nodes++
			if guess[v] == r.Map[v] {
				sum["nodes as in the exact map, %"] += 100
			}
		}
		if i < 2 {
			what := report.Mapping{Sub: x.Task == edit.SED}
			blocks = append(blocks,
				report.Block{Scene: report.PairScene(fmt.Sprintf("%s, pair %d: by node embeddings, cost %g", titles[j.Exam], i+1, cost), q, t, guess, what)},
				report.Block{Scene: report.PairScene(fmt.Sprintf("%s, pair %d: exact, cost %g", titles[j.Exam], i+1, r.Upper), q, t, r.Map, what)})
		}
	}
	for name := range sum {
		if name == "nodes as in the exact map, %" {
			sum[name] /= math.Max(1, nodes)
		} else {
			sum[name] /= float64(len(pairs))
		}
	}
	return &outcome{Numbers: sum, Blocks: blocks}, nil
}

// mapByStates assigns nodes so that the sum of the distances of their states is least. All
// nodes of the smaller graph are mapped.
func mapByStates(m *model.Model, q, t *graph.Graph) (edit.NodeMap, error) {
	zq, width, err := m.EmbedNodes(q)
	if err != nil {
		return nil, err
	}
	zt, _, err := m.EmbedNodes(t)
	if err != nil {
		return nil, err
	}
	swapped := q.N() > t.N()
	rows, columns, a, b := q.N(), t.N(), zq, zt
	if swapped {
		rows, columns, a, b = columns, rows, b, a
	}
	cost := make([]float64, rows*columns)
	for i := range rows {
		for k := range columns {
			d := 0.0
			for c := range width {
				x := float64(a[i*width+c] - b[k*width+c])
				d += x * x
			}
			cost[i*columns+k] = math.Sqrt(d)
		}
	}
	var s assign.Solver
	never := slices.Repeat([]float64{math.Inf(1)}, rows)
	s.Solve(cost, never, make([]float64, columns))
	out := make(edit.NodeMap, q.N())
	for v := range out {
		out[v] = edit.Deleted
	}
	for i := range rows {
		if swapped {
			out[s.Row[i]] = i
		} else {
			out[i] = int(s.Row[i])
		}
	}
	return out, nil
}

// mapByLabels maps nodes with equal labels in their order, then what is left.
func mapByLabels(q, t *graph.Graph) edit.NodeMap {
	out := make(edit.NodeMap, q.N())
	used := make([]bool, t.N())
	for v := range out {
		out[v] = edit.Deleted
	}
	for _, same := range []bool{true, false} {
		for v := range out {
			for w := range used {
				if out[v] == edit.Deleted && !used[w] && (!same || q.Label(v) == t.Label(w)) {
					out[v], used[w] = w, true
				}
			}
		}
	}
	return out
}
