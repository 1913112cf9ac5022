package paper

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
	"github.com/greedgraph/greed/lab/published"
	"github.com/greedgraph/greed/report"
)

func isSED(exam string) bool { return strings.HasPrefix(exam, "sed/") }

// contender is a system in a table.
type contender struct {
	name, title string
	ranksOnly   bool
	searches    bool
}

// contenders returns our two systems and all others that have the task.
func contenders(task edit.Task) []contender {
	list := []contender{{ourPaper, "GREED", false, false}, {ourDefault, "greed's default", false, false}}
	for _, i := range baseline.Systems() {
		if i.Does(task) {
			list = append(list, contender{i.Name, i.Title, i.RanksOnly, i.Searches})
		}
	}
	return list
}

func taskOf(exams []string) edit.Task {
	if isSED(exams[0]) {
		return edit.SED
	}
	return edit.GED
}

// jobOf returns the job that has a system's predictions on a collection.
func jobOf(exam, system string) job {
	if exam == "sed/groups" {
		exam = "sed/aids"
	}
	return job{Exam: exam, System: system}
}

// errorSet and rankSet name the pairs on which errors and ranks are evaluated.
func errorSet(exam string) string {
	switch {
	case exam == "sed/groups":
		return groupSet
	case isSED(exam):
		return bench.Random
	}
	return bench.TestTrain
}

func rankSet(exam string) string {
	if exam == "sed/groups" || !isSED(exam) {
		return errorSet(exam)
	}
	return bench.Ranking
}

// jobsOf returns the jobs of all systems on the collections.
func jobsOf(exams []string, ranks bool) func(Settings) []job {
	return func(Settings) []job {
		var list []job
		for _, exam := range exams {
			for _, c := range contenders(taskOf(exams)) {
				if ranks || !c.ranksOnly {
					list = append(list, jobOf(exam, c.name))
				}
			}
		}
		return list
	}
}

// shown returns the systems that have rows in a table.
func shown(exams []string, ranks bool) []contender {
	return slices.DeleteFunc(contenders(taskOf(exams)), func(c contender) bool { return c.ranksOnly && !ranks })
}

// evaluatedAlike returns the rows of systems that are evaluated on all pairs.
func evaluatedAlike(exams []string, ranks bool) []int {
	var rows []int
	for i, c := range shown(exams, ranks) {
		if !c.searches {
			rows = append(rows, i)
		}
	}
	return rows
}

// systemTable shows a number of every system on every collection, beside the paper's.
func (r results) systemTable(title string, exams []string, ranks bool, paper published.Table, cell func(system, exam string, out *outcome) report.Cell) *report.Table {
	t := &report.Table{Title: title, Columns: []string{"system"}}
	for _, exam := range exams {
		t.Columns = append(t.Columns, titles[exam])
	}
	for _, c := range shown(exams, ranks) {
		row := []report.Cell{report.Text(c.title)}
		for _, exam := range exams {
			text := report.Text(report.Absent)
			if out := r.of(jobOf(exam, c.name)); out != nil {
				text = cell(c.name, exam, out)
			}
			row = append(row, text.Beside(paper.At(c.name, exam)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// absences says why cells are empty: which jobs have no outcome, by the reason.
func (r results) absences(jobs []job) string {
	var reasons []string
	of := make(map[string][]string)
	for _, j := range jobs {
		out := r.at[j.key(r.scale)]
		if out == nil || out.Failed == "" {
			continue
		}
		if of[out.Failed] == nil {
			reasons = append(reasons, out.Failed)
		}
		what := j.String()
		if strings.Contains(out.Failed, notThere) {
			what = titles[j.Exam]
		}
		if !slices.Contains(of[out.Failed], what) {
			of[out.Failed] = append(of[out.Failed], what)
		}
	}
	var list []string
	for _, reason := range reasons {
		list = append(list, strings.Join(of[reason], ", ")+": "+reason+".")
	}
	if len(list) == 0 {
		return ""
	}
	return "Left out. " + strings.Join(list, " ")
}

// circumstances says by what the cells of a table were measured: pairs, how many of them
// are proven, and the hash of their distances.
func (r results) circumstances(exams []string, set func(string) string) []report.Fact {
	var facts []report.Fact
	for _, exam := range exams {
		out := r.of(jobOf(exam, ourPaper))
		if out == nil {
			continue
		}
		s, ok := out.Sets[set(exam)]
		if !ok {
			continue
		}
		m := s.Report.All
		facts = append(facts, report.Fact{Name: titles[exam], Value: fmt.Sprintf("%d pairs to learn from; evaluated on %d pairs of %d queries, %.4g %% proven; ground truth %s", out.Learnt, m.Pairs, s.Report.Queries, 100*float64(m.Proven)/float64(m.Pairs), s.Truth[:16])})
	}
	return facts
}

// standIns says what takes the place of collections that are not there.
const standIns = "WordNet and Debian stand in for DBLP and Amazon, which are not here: the paper's figures of those are not shown beside theirs."

func slowNote(s Settings) string {
	return fmt.Sprintf("Systems that search each pair anew are evaluated on at most %d pairs, and not marked as the best.", s.SlowPairs)
}
