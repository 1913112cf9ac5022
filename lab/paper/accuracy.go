package paper

import (
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

// Tables 1b and 1c: how far predictions are off.

func gedAccuracy() Experiment {
	return Experiment{
		Name: "ged-accuracy", Title: "Accuracy of GED", Where: "Table 1b",
		jobs: jobsOf(gedExams, false),
		show: func(r results) report.Section { return accuracy(r, gedExams, "") },
	}
}

func sedAccuracy() Experiment {
	return Experiment{
		Name: "sed-accuracy", Title: "Accuracy of SED", Where: "Table 1c",
		jobs: jobsOf(sedExams, false),
		show: func(r results) report.Section { return accuracy(r, sedExams, standIns) },
	}
}

func accuracy(r results, exams []string, text string) report.Section {
	squared := r.systemTable("RMSE", exams, false, published.RMSE(), func(_, exam string, out *outcome) report.Cell {
		return report.Number(float64(out.Sets[errorSet(exam)].metrics().RMSE), 3)
	})
	mean := r.systemTable("MAE", exams, false, published.MAE(), func(_, exam string, out *outcome) report.Cell {
		return report.Number(float64(out.Sets[errorSet(exam)].metrics().MAE), 3)
	})
	markBest(squared, false, evaluatedAlike(exams, false))
	markBest(mean, false, evaluatedAlike(exams, false))
	mean.Note = slowNote(r.scale)
	return report.Section{
		Text:   text,
		Blocks: []report.Block{{Table: squared}, {Table: mean}, {Text: r.absences(jobsOf(exams, false)(r.scale))}},
		Facts:  r.circumstances(exams, errorSet),
	}
}
