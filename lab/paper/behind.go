package paper

import (
	"fmt"
	"math"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// What our two systems reach beside the paper's GREED, with every figure that is worse.

func behind() Experiment {
	exams := append(append([]string(nil), gedExams...), sedExams...)
	systems := []string{ourPaper, ourDefault}
	jobs := func(Settings) (list []job) {
		for _, exam := range exams {
			for _, system := range systems {
				list = append(list, jobOf(exam, system))
			}
		}
		return list
	}
	return Experiment{
		Name: "behind", Title: "Where we are behind the paper", Where: "Tables 1 and 2, Figure 4", jobs: jobs,
		show: func(r results) report.Section {
			t := &report.Table{Title: "Figures worse than the paper's", Columns: []string{"collection", "system", "figure", "ours", "the paper's"}}
			compared := 0
			for _, exam := range exams {
				for _, c := range contenders(taskOf([]string{exam}))[:len(systems)] {
					out := r.of(jobOf(exam, c.name))
					if out == nil {
						continue
					}
					for _, f := range figuresOf(exam, out) {
						if math.IsNaN(f.paper) || math.IsNaN(f.ours) {
							continue
						}
						if compared++; f.worse() {
							t.Rows = append(t.Rows, []report.Cell{
								report.Text(titles[exam]), report.Text(c.title), report.Text(f.name), report.Number(f.ours, 3), report.Number(f.paper, 3),
							})
						}
					}
				}
			}
			s := report.Section{Text: fmt.Sprintf("Of %d figures of our two systems that the paper has of GREED, %d are worse. What has no outcome yet is not counted.", compared, len(t.Rows))}
			if len(t.Rows) > 0 {
				s.Blocks = []report.Block{{Table: t}}
			}
			s.Blocks = append(s.Blocks, report.Block{Text: r.absences(jobs(r.scale))})
			return s
		},
	}
}

// figure is a number of ours and of the paper's GREED.
type figure struct {
	name        string
	ours, paper float64
	greater     bool // is better
}

func (f figure) worse() bool {
	if f.greater {
		return f.ours < f.paper
	}
	return f.ours > f.paper
}

// figuresOf returns what a system has on a collection, beside the paper's GREED.
func figuresOf(exam string, out *outcome) []figure {
	errors, ranks := out.Sets[errorSet(exam)].metrics(), out.Sets[rankSet(exam)].metrics()
	list := []figure{
		{"RMSE", float64(errors.RMSE), published.RMSE().At(published.GREED, exam), false},
		{"MAE", float64(errors.MAE), published.MAE().At(published.GREED, exam), false},
		{"Kendall's τ-b", float64(ranks.Kendall), published.Kendall().At(published.GREED, exam), true},
	}
	paper := published.Notebook(exam).Ranges
	for i, f1 := range out.Sets[rankSet(exam)].PaperF1 {
		name := fmt.Sprintf("F1 within %g %%", 100*eval.RangeFractions()[i])
		list = append(list, figure{name, float64(f1), paper[i], true})
	}
	return list
}
