package paper

import (
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// Tables 3a and 3b: how long predictions take; and how long training takes.

func gedTimes() Experiment {
	return Experiment{
		Name: "ged-times", Title: "Time of predicting GED", Where: "Table 3a",
		jobs: jobsOf(gedExams, false),
		show: func(r results) report.Section { return times(r, gedExams, "") },
	}
}

func sedTimes() Experiment {
	return Experiment{
		Name: "sed-times", Title: "Time of predicting SED", Where: "Table 3b",
		jobs: jobsOf(sedExams, false),
		show: func(r results) report.Section { return times(r, sedExams, "") },
	}
}

const timesText = "Processor seconds of one core for 10,000 pairs of which nothing is known: both graphs are embedded, then the pair is predicted. The paper's times are of a GPU for neural systems. Below it, microseconds a pair when what a system can keep of each graph is kept."

func times(r results, exams []string, text string) report.Section {
	whole := r.systemTable("Seconds for 10,000 pairs", exams, false, published.Times(), func(_, exam string, out *outcome) report.Cell {
		s := out.Sets[errorSet(exam)]
		if s.Report == nil {
			return report.Text(report.Absent)
		}
		pairs := float64(s.metrics().Pairs)
		each := s.Score / pairs
		if s.Graphs > 0 {
			each += 2 * s.Embed / float64(s.Graphs)
		}
		return report.Short(10_000 * each)
	})
	kept := r.systemTable("Microseconds a pair, embeddings kept", exams, false, nil, func(_, exam string, out *outcome) report.Cell {
		s := out.Sets[errorSet(exam)]
		if s.Report == nil {
			return report.Text(report.Absent)
		}
		return report.Short(1e6 * s.Score / float64(s.metrics().Pairs))
	})
	markBest(whole, false, nil)
	markBest(kept, false, nil)
	if text != "" {
		text += "\n\n"
	}
	return report.Section{
		Text:   text + timesText,
		Blocks: []report.Block{{Table: whole}, {Table: kept}, {Text: r.absences(jobsOf(exams, false)(r.scale))}},
	}
}

func trainingTimes() Experiment {
	exams := append(append([]string(nil), gedExams...), sedExams...)
	return Experiment{
		Name: "training-times", Title: "Time of training", Where: "section 5",
		jobs: func(s Settings) []job { return append(jobsOf(gedExams, false)(s), jobsOf(sedExams, false)(s)...) },
		show: func(r results) report.Section {
			s := report.Section{Text: "Processor seconds, without the computation of the distances that are learnt from, and steps."}
			for _, list := range [][]string{exams[:len(gedExams)], exams[len(gedExams):]} {
				took := r.systemTable("Training, processor seconds: "+taskOf(list).String(), list, true, nil, func(_, _ string, out *outcome) report.Cell {
					if out.Parameters == 0 {
						return report.Text("none")
					}
					return report.Short(out.Trained)
				})
				steps := r.systemTable("Steps: "+taskOf(list).String(), list, true, nil, func(_, _ string, out *outcome) report.Cell {
					return report.Number(float64(out.Steps), 0)
				})
				size := r.systemTable("Numbers that are learnt: "+taskOf(list).String(), list, true, nil, func(_, _ string, out *outcome) report.Cell {
					return report.Number(float64(out.Parameters), 0)
				})
				s.Blocks = append(s.Blocks, report.Block{Table: took}, report.Block{Table: steps}, report.Block{Table: size})
			}
			return s
		},
	}
}
