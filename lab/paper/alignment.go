package paper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/mip"
	"github.com/greedgraph/greed/report"
)

// Table I of the appendix: vectors find ten answers, and exact alignment is for these alone.

// What is timed.
const (
	retrieved    = "retrieval"
	alignedByUs  = "alignment by our solver"
	alignedByMIP = "alignment by MIP-F2"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b9)) }

func alignment() Experiment {
	exams := []string{"sed/pubmed", "sed/debian"}
	paper := map[string][2]float64{"sed/pubmed": {0.373, 52.8}}
	jobs := func(Settings) []job {
		var list []job
		for _, exam := range exams {
			list = append(list, job{Exam: exam, System: ourPaper}, job{Exam: exam, Kind: "alignment"})
		}
		return list
	}
	return Experiment{
		Name: "alignment", Title: "Alignment of the ten nearest", Where: "Table I", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "Processor seconds for a query", Columns: []string{"step", titles[exams[0]], titles[exams[1]]}}
			for i, what := range []string{retrieved, alignedByUs, alignedByMIP} {
				row := []report.Cell{report.Text(what)}
				for _, exam := range exams {
					c := report.Text(report.Absent)
					if out := r.of(job{Exam: exam, Kind: "alignment"}); out != nil {
						if x, ok := out.Numbers[what]; ok {
							c = report.Short(x)
							if p, ok := paper[exam]; ok && i != 1 {
								c = c.Beside(p[i/2])
							}
						}
					}
					row = append(row, c)
				}
				t.Rows = append(t.Rows, row)
			}
			t.Note = fmt.Sprintf("Alignment stops after %g s a pair; the paper's after 60 s. Retrieval scans up to 20,000 neighbourhoods that are embedded before. A line without figures needs a solver of integer programs, such as HiGHS, on PATH.", r.scale.Limit)
			return report.Section{Text: "GENN-A* would align the query with every neighbourhood. " + standIns, Blocks: []report.Block{{Table: t}, {Text: r.absences(jobs(r.scale))}}}
		},
	}
}

// measureAlignment times a search of ten and the alignment of its answers.
func measureAlignment(ctx context.Context, w *worker, j job) (*outcome, error) {
	e, err := w.examinee(ctx, j.Exam)
	if err != nil {
		return nil, err
	}
	neighbourhoods := e.neighbourhoods(newRand(w.Scale.Seed).Perm(e.whole.N())[:min(e.whole.N(), 20_000, cmp.Or(w.Scale.Neighbourhoods, e.whole.N()))])
	w.report("embedding neighbourhoods", 0, 0)
	f, err := newFinder(ctx, e.model, e.exam.Costs, neighbourhoods, w.Workers)
	if err != nil {
		return nil, err
	}
	queries := slices.Clone(e.exam.Sets[0].Input.Queries)
	queries = queries[:min(len(queries), 5, w.Scale.Queries)]
	for i, q := range queries {
		queries[i] = graph.In(e.whole.Vocabulary(), q) // the exam was read by itself
	}
	n := map[string]float64{}
	add := func(what string, f func() error) error {
		took, err := processor(f)
		n[what] += took.Seconds() / float64(len(queries))
		return err
	}
	integer, noSolver := mip.Find("")
	for i, q := range queries {
		w.report("queries", i, len(queries))
		var found []near
		err := add(retrieved, func() (err error) {
			found, err = f.nearest(ctx, q, 10)
			return err
		})
		if err != nil {
			return nil, err
		}
		err = add(alignedByUs, func() error {
			for _, t := range found {
				if _, err := f.Distance(ctx, q, t.graph, ged.Options{Time: seconds(w.Scale.Limit)}); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		if noSolver != nil {
			continue
		}
		err = add(alignedByMIP, func() error {
			for _, t := range found {
				p, err := edit.Price(edit.SED, e.exam.Costs, q, t.graph)
				if err == nil {
					_, err = integer.Compute(ctx, p, q, t.graph, ged.Options{Time: seconds(w.Scale.Limit)})
				}
				if err != nil && !errors.Is(err, mip.ErrSolver) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return &outcome{Numbers: n}, nil
}
