package paper

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/report"
)

// Figure A of the appendix: a functional group and the molecules that the model finds
// nearest to containing it.

func matches() Experiment {
	jobs := func(Settings) []job {
		return []job{{Exam: "sed/aids", System: ourDefault}, {Exam: "sed/aids", Kind: "matches", System: ourDefault}}
	}
	return Experiment{
		Name: "matches", Title: "What is found", Where: "Figure A", jobs: jobs,
		show: func(r results) report.Section {
			s := report.Section{Text: "Functional groups, and the molecules that the default model predicts to be nearest to containing them. Numbers tell which atom is which; dashed red is missing from the molecule, pale is the rest of it."}
			if out := r.of(jobs(r.scale)[1]); out != nil {
				s.Blocks = out.Blocks
			}
			s.Blocks = append(s.Blocks, report.Block{Text: r.absences(jobs(r.scale))})
			return s
		},
	}
}

// measureMatches finds the five nearest of some groups.
func measureMatches(ctx context.Context, w *worker, j job) (*outcome, error) {
	m, err := w.fitted(ctx, j.Exam, j.System)
	if err != nil {
		return nil, err
	}
	x, err := bench.OpenExam("sed/groups", w.Data, w.Splits, 1)
	if err != nil {
		return nil, err
	}
	in := x.Set(bench.Ranking).Input
	f, err := newFinder(ctx, m, x.Costs, in.Targets, w.Workers)
	if err != nil {
		return nil, err
	}
	out := new(outcome)
	for i, q := range in.Queries[:min(3, len(in.Queries))] {
		found, err := f.nearest(ctx, q, 5)
		if err != nil {
			return nil, err
		}
		for rank, t := range found {
			r, err := f.Distance(ctx, q, t.graph, ged.Options{Time: seconds(1)})
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			title := fmt.Sprintf("group %d, rank %d: SED %g, predicted %.1f", i+1, rank+1, r.Upper, t.distance)
			out.Blocks = append(out.Blocks, report.Block{Scene: report.PairScene(title, q, t.graph, r.Map, report.Mapping{Sub: true})})
		}
	}
	return out, nil
}
