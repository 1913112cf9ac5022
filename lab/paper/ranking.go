package paper

import (
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// Table 2: how well predictions order the targets of a query.

func gedRanking() Experiment {
	return Experiment{
		Name: "ged-ranking", Title: "Ranking by GED", Where: "Table 2a",
		jobs: jobsOf(gedExams, true),
		show: func(r results) report.Section { return ranking(r, gedExams, "") },
	}
}

func sedRanking() Experiment {
	return Experiment{
		Name: "sed-ranking", Title: "Ranking by SED", Where: "Table 2b",
		jobs: jobsOf(sedExams, true),
		show: func(r results) report.Section { return ranking(r, sedExams, standIns) },
	}
}

func ranking(r results, exams []string, text string) report.Section {
	tau := r.systemTable("Kendall's τ-b, mean over queries", exams, true, published.Kendall(), func(_, exam string, out *outcome) report.Cell {
		return report.Number(float64(out.Sets[rankSet(exam)].metrics().Kendall), 3)
	})
	ten := r.systemTable("Precision of the 10 nearest", exams, true, nil, func(_, exam string, out *outcome) report.Cell {
		return report.Number(float64(out.Sets[rankSet(exam)].metrics().PrecisionAt10), 3)
	})
	markBest(tau, true, evaluatedAlike(exams, true))
	markBest(ten, true, evaluatedAlike(exams, true))
	ten.Note = "Every target as near as the tenth nearest counts as a true neighbour. " + slowNote(r.scale)
	return report.Section{
		Text:   text,
		Blocks: []report.Block{{Table: tau}, {Table: ten}, {Text: r.absences(jobsOf(exams, true)(r.scale))}},
		Facts:  r.circumstances(exams, rankSet),
	}
}
