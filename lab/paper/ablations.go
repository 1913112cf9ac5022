package paper

import (
	"fmt"
	"math"

	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// The ablations of the appendix: what changes when a part of the model is another.

// ablation shows the RMSE of variants of the paper's network. Names are those of tables, by
// variant.
func ablation(name, title, where string, variants []string, names map[string]string) Experiment {
	variants = append([]string{baseline.Unchanged}, variants...)
	jobs := func(s Settings) []job {
		var list []job
		for _, exam := range s.Ablated {
			for _, v := range variants {
				list = append(list, job{Exam: exam, System: ourPaper, Variant: v})
			}
		}
		return list
	}
	return Experiment{
		Name: name, Title: title, Where: where, jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "RMSE, " + title, Columns: []string{"variant"}}
			for _, exam := range r.scale.Ablated {
				t.Columns = append(t.Columns, titles[exam])
			}
			for _, v := range variants {
				row := []report.Cell{report.Text(names[v])}
				for _, exam := range r.scale.Ablated {
					x := math.NaN()
					if out := r.of(job{Exam: exam, System: ourPaper, Variant: v}); out != nil {
						x = float64(out.Sets[errorSet(exam)].metrics().RMSE)
					}
					row = append(row, report.Number(x, 3).Beside(published.Ablations().At(v, exam)))
				}
				t.Rows = append(t.Rows, row)
			}
			markBest(t, false, nil)
			return report.Section{Blocks: []report.Block{{Table: t}, {Text: r.absences(jobs(r.scale))}}, Facts: r.circumstances(r.scale.Ablated, errorSet)}
		},
	}
}

func convolutions() Experiment {
	return ablation("convolutions", "Convolutions", "Table E", []string{baseline.GCN, baseline.SAGE, baseline.GAT},
		map[string]string{baseline.Unchanged: "GIN (the paper's)", baseline.GCN: "GCN", baseline.SAGE: "GraphSAGE", baseline.GAT: "GAT"})
}

func pools() Experiment {
	return ablation("pools", "Pools", "Table F", []string{baseline.MaxPool, baseline.MeanPool, baseline.AttentionPool},
		map[string]string{baseline.Unchanged: "sum (the paper's)", baseline.MaxPool: "max", baseline.MeanPool: "mean", baseline.AttentionPool: "attention"})
}

func preMLP() Experiment {
	return ablation("pre-mlp", "Pre-MLP", "Table G", []string{baseline.NoPre}, map[string]string{baseline.Unchanged: "with pre-MLP (the paper's)", baseline.NoPre: "without"})
}

// Figures 4i to 4k and the figure of GED in the appendix: the siamese architecture and the
// norm, by the number of pairs to learn from.
func volume() Experiment {
	variants := []string{baseline.Unchanged, baseline.MLP, baseline.Dual}
	names := map[string]string{baseline.Unchanged: "GREED", baseline.MLP: "GREED-NN", baseline.Dual: "GREED-Dual"}
	jobs := func(s Settings) []job {
		var list []job
		for _, exam := range s.Ablated {
			for _, v := range variants {
				for _, n := range s.Volumes {
					list = append(list, job{Exam: exam, System: ourPaper, Variant: v, Pairs: n})
				}
			}
		}
		return list
	}
	return Experiment{
		Name: "volume", Title: "Siamese encoder and norm, by the number of pairs to learn from", Where: "Figures 4i to 4k, and the figure of GED in the appendix",
		jobs: jobs,
		show: func(r results) report.Section {
			var s report.Section
			for _, exam := range r.scale.Ablated {
				p := &report.Plot{Title: "Accuracy by training pairs, " + titles[exam], X: "pairs to learn from", Y: "RMSE", LogX: true}
				for _, v := range variants {
					line := report.Series{Name: names[v]}
					for _, n := range r.scale.Volumes {
						if out := r.of(job{Exam: exam, System: ourPaper, Variant: v, Pairs: n}); out != nil {
							line.Points = append(line.Points, report.Point{X: float64(out.Learnt), Y: float64(out.Sets[errorSet(exam)].metrics().RMSE)})
						}
					}
					p.Series = append(p.Series, line)
				}
				for _, v := range []string{baseline.Unchanged, baseline.MLP} {
					if paper, ok := published.Volumes()[exam][v]; ok {
						line := report.Series{Name: names[v] + " in the authors' notebooks", Dashed: true}
						for i, n := range []float64{1000, 10_000, 100_000} {
							if !math.IsNaN(paper[i]) {
								line.Points = append(line.Points, report.Point{X: n, Y: paper[i]})
							}
						}
						p.Series = append(p.Series, line)
					}
				}
				s.Blocks = append(s.Blocks, report.Block{Plot: p})
			}
			s.Blocks = append(s.Blocks, report.Block{Text: r.absences(jobs(r.scale))})
			return s
		},
	}
}

// Table 4a: queries unlike those in training.
func distributions() Experiment {
	exams := []string{"sed/pubmed", "sed/citeseer"}
	return Experiment{
		Name: "distributions", Title: "Queries of other distributions", Where: "Table 4a",
		jobs: jobsOf(exams, false),
		show: func(r results) report.Section {
			s := report.Section{Text: "Trained on queries of a breadth-first search. Walks are as long as the mean diameter of those. The paper's third collection, Amazon, is not here."}
			for _, exam := range exams {
				t := &report.Table{Title: "RMSE by distribution of the queries, " + titles[exam], Columns: []string{"system", "breadth-first search", bench.Walks, bench.Restarts, bench.Shadow}}
				for _, c := range contenders(taskOf(exams)) {
					if c.ranksOnly {
						continue
					}
					row := []report.Cell{report.Text(c.title)}
					for _, set := range []string{bench.Random, bench.Walks, bench.Restarts, bench.Shadow} {
						row = append(row, r.errorOf(jobOf(exam, c.name), set, paperQuery(c.name, exam, set)))
					}
					t.Rows = append(t.Rows, row)
				}
				markBest(t, false, nil)
				s.Blocks = append(s.Blocks, report.Block{Table: t})
			}
			return s
		},
	}
}

// Table 4b: larger queries than those in training.
func querySizes() Experiment {
	exams := []string{"sed/pubmed", "sed/citeseer"}
	larger := func(exam string) job { return job{Exam: exam, System: ourPaper, Variant: largerQueries} }
	return Experiment{
		Name: "query-sizes", Title: "Larger queries", Where: "Table 4b",
		jobs: func(s Settings) []job {
			list := jobsOf(exams, false)(s)
			for _, exam := range exams {
				list = append(list, larger(exam))
			}
			return list
		},
		show: func(r results) report.Section {
			s := report.Section{Text: "GREED-50 is trained on queries of up to 50 nodes, all others on queries of up to 25. The paper's MIP-F2 has 60 s a pair."}
			for _, exam := range exams {
				paper := published.UnseenQueries(exam)
				t := &report.Table{Title: "RMSE by size of the queries, " + titles[exam], Columns: []string{"system", bench.UpTo50, bench.From25}}
				t.Rows = append(t.Rows, []report.Cell{
					report.Text("GREED-50"),
					r.errorOf(larger(exam), bench.UpTo50, paper.LargerUpTo50), r.errorOf(larger(exam), bench.From25, paper.LargerFrom25),
				})
				for _, c := range contenders(taskOf(exams)) {
					if c.ranksOnly {
						continue
					}
					row := []report.Cell{report.Text(c.title)}
					for _, set := range []string{bench.UpTo50, bench.From25} {
						row = append(row, r.errorOf(jobOf(exam, c.name), set, paperQuery(c.name, exam, set)))
					}
					t.Rows = append(t.Rows, row)
				}
				markBest(t, false, nil)
				s.Blocks = append(s.Blocks, report.Block{Table: t})
			}
			return s
		},
	}
}

// errorOf returns the RMSE of a job on a set beside the paper's.
func (r results) errorOf(j job, set string, paper float64) report.Cell {
	x := math.NaN()
	if out := r.of(j); out != nil {
		x = float64(out.Sets[set].metrics().RMSE)
	}
	return report.Number(x, 3).Beside(paper)
}

func paperQuery(system, exam, set string) float64 {
	switch {
	case set == bench.Random:
		return published.RMSE().At(system, exam)
	case system == ourPaper:
		return bench.PublishedUnseen(exam, set)
	}
	return math.NaN()
}

// Table H: maximum common subgraphs.
func common() Experiment {
	exams := []string{"mcs/aids700nef", "mcs/linux", "mcs/imdb"}
	jobs := func(Settings) []job {
		var list []job
		for _, exam := range exams {
			for _, system := range []string{ourPaper, ourDefault} {
				list = append(list, job{Exam: exam, System: system})
			}
		}
		return list
	}
	return Experiment{
		Name: "mcss", Title: "Maximum common subgraphs", Where: "Table H", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "RMSE of common subgraphs", Columns: []string{"system", titles[exams[0]], titles[exams[1]], titles[exams[2]]}}
			for _, system := range []string{ourPaper, ourDefault} {
				row := []report.Cell{report.Text(map[string]string{ourPaper: "GREED with an MLP", ourDefault: "greed's default"}[system])}
				for _, exam := range exams {
					row = append(row, r.errorOf(job{Exam: exam, System: system}, bench.TestTrain, published.Common().At(system, exam)))
				}
				t.Rows = append(t.Rows, row)
			}
			markBest(t, false, nil)
			var facts []report.Fact
			for _, exam := range exams {
				if out := r.of(job{Exam: exam, System: ourPaper}); out != nil {
					s := out.Sets[bench.TestTrain]
					facts = append(facts, report.Fact{Name: titles[exam], Value: fmt.Sprintf("%d pairs, ground truth %s", s.metrics().Pairs, s.Truth[:16])})
				}
			}
			return report.Section{
				Text:   "Learnt is the number of nodes of the larger graph that are not in the largest common induced subgraph, and the error is in nodes. The paper does not say how it normalises its similarity, so that its numbers may be of another one.",
				Blocks: []report.Block{{Table: t}, {Text: r.absences(jobs(r.scale))}}, Facts: facts,
			}
		},
	}
}
