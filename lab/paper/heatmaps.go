package paper

import "github.com/greedgraph/greed/report"

// Figure 3 and the heat maps of the appendix: errors by size of the query and distance.

func heatMaps() Experiment {
	exams := append(append([]string(nil), sedExams...), gedExams...)
	return Experiment{
		Name: "heat-maps", Title: "Errors by size and distance", Where: "Figure 3 and the heat maps of the appendix",
		jobs: func(s Settings) []job { return append(jobsOf(sedExams, false)(s), jobsOf(gedExams, false)(s)...) },
		show: func(r results) report.Section {
			s := report.Section{Text: "Darker is a greater RMSE, by one scale for all systems on a collection, which ends at four times the mean error of GREED. " + standIns}
			for _, exam := range exams {
				s.Blocks = append(s.Blocks, maps(r, exam)...)
			}
			return s
		},
	}
}

func maps(r results, exam string) []report.Block {
	var list []report.Block
	most := 0.0
	for _, c := range contenders(taskOf([]string{exam})) {
		out := r.of(jobOf(exam, c.name))
		if out == nil || c.ranksOnly || out.Sets[errorSet(exam)].Report == nil {
			continue
		}
		h := out.Sets[errorSet(exam)].Report.Errors.Heat(titles[exam] + ": " + c.title)
		if most == 0 {
			most = 4 * float64(out.Sets[errorSet(exam)].metrics().RMSE)
		}
		h.Most = most
		list = append(list, report.Block{Heat: h})
	}
	return list
}
