package paper

import (
	"math"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// Figures 4a to 4h: F1 of range search by the radius.

func ranges() Experiment {
	exams := append(append([]string(nil), sedExams...), gedExams...)
	jobs := func(s Settings) []job { return append(jobsOf(sedExams, false)(s), jobsOf(gedExams, false)(s)...) }
	return Experiment{
		Name: "ranges", Title: "Range search", Where: "Figures 4a to 4h", jobs: jobs,
		show: func(r results) report.Section {
			s := report.Section{Text: "F1 by the definition of the paper's code; the radius is a share of the largest distance. " + standIns}
			for _, exam := range exams {
				s.Blocks = append(s.Blocks, report.Block{Plot: rangePlot(r, exam)})
			}
			return s
		},
	}
}

func rangePlot(r results, exam string) *report.Plot {
	p := &report.Plot{Title: "Range search, " + titles[exam], X: "radius, % of the largest distance", Y: "F1, %"}
	for _, c := range contenders(taskOf([]string{exam})) {
		out := r.of(jobOf(exam, c.name))
		if out == nil || c.ranksOnly {
			continue
		}
		s := report.Series{Name: c.title}
		for i, f1 := range out.Sets[rankSet(exam)].PaperF1 {
			if f1 := float64(f1); !math.IsNaN(f1) {
				s.Points = append(s.Points, report.Point{X: 100 * eval.RangeFractions()[i], Y: 100 * f1})
			}
		}
		p.Series = append(p.Series, s)
	}
	if paper := published.Notebook(exam).Ranges; !math.IsNaN(paper[0]) {
		s := report.Series{Name: "GREED in the paper", Dashed: true}
		for i, f := range eval.RangeFractions() {
			s.Points = append(s.Points, report.Point{X: 100 * f, Y: 100 * paper[i]})
		}
		p.Series = append(p.Series, s)
	}
	return p
}
