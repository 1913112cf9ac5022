package paper

import (
	"fmt"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/report"
)

// Figure 3 and the heat maps of the appendix: errors by size of the query and distance.

func heatMaps() Experiment {
	exams := append(append([]string(nil), sedExams...), gedExams...)
	return Experiment{
		Name: "heat-maps", Title: "Errors by size and distance", Where: "Figure 3 and the heat maps of the appendix",
		jobs: func(s Settings) []job { return append(jobsOf(sedExams, false)(s), jobsOf(gedExams, false)(s)...) },
		show: func(r results) report.Section {
			s := report.Section{Text: "RMSE by size of the query and distance, where there are pairs. " + standIns}
			for _, exam := range exams {
				s.Blocks = append(s.Blocks, maps(r, exam)...)
			}
			return s
		},
	}
}

func maps(r results, exam string) []report.Block {
	var list []report.Block
	for _, c := range contenders(taskOf([]string{exam})) {
		out := r.of(jobOf(exam, c.name))
		if out == nil || c.ranksOnly || out.Sets[errorSet(exam)].Report == nil {
			continue
		}
		list = append(list, report.Block{Table: heat(titles[exam]+": "+c.title, &out.Sets[errorSet(exam)].Report.Errors)})
	}
	return list
}

// heat has the RMSE by size of the query and distance.
func heat(title string, g *eval.Grid) *report.Table {
	t := &report.Table{Title: title, Columns: []string{"nodes of the query, distance"}}
	for i := range g.Distances.Bins {
		t.Columns = append(t.Columns, fmt.Sprintf("%.4g", g.Distances.Label(i)))
	}
	for i, cells := range g.Cells {
		row := []report.Cell{report.Text(fmt.Sprintf("%.4g", g.Sizes.Label(i)))}
		for _, c := range cells {
			row = append(row, report.Number(float64(c.RMSE), 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
