package paper

import (
	"fmt"
	"math"
	"time"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/report"
)

// metrics returns the figures of a set, all undefined if there is none.
func (j evaluated) metrics() *eval.Metrics {
	if j.Report == nil {
		n := eval.Figure(math.NaN())
		return &eval.Metrics{
			RMSE: n, MAE: n, ProvenRMSE: n, ProvenMAE: n, SimilarityMSE: n, Rounded: n, RoundedMAE: n, Kendall: n, Spearman: n,
			PrecisionAt10: n, PrecisionAt20: n, StrictPrecisionAt10: n, StrictPrecisionAt20: n, LargestDistance: n,
		}
	}
	return &j.Report.All
}

// write writes the report of what is done.
func (o *Options) write(list []Experiment, r results, partly bool) error {
	d := &report.Document{
		Title: "The GREED paper's evaluation, repeated",
		Lead: "Every table and figure of Ranjan et al., GREED: A Neural Framework for Learning Graph Distance Functions (NeurIPS 2022), with the systems that it compares, on distances of today's exact solver. The paper's number is below ours where it has one.\n\n" +
			"GREED is the paper's configuration; greed's default is what greed train does unless noted otherwise. BRANCH and MIP-F2 predict the middle of their two bounds.",
		Facts: append(append(o.Scale.facts(), report.Machine()...), report.Fact{Name: "Written", Value: time.Now().UTC().Format("2006-01-02 15:04 MST")}),
	}
	done, all, spent := 0, 0, 0.0
	for _, j := range o.jobs(list) {
		all++
		if out := r.at[j.key(o.Scale)]; out != nil {
			done++
			spent += out.Seconds
		}
	}
	d.Facts = append(d.Facts, report.Fact{Name: "Time of all jobs", Value: seconds(spent).Round(time.Second).String()})
	if partly {
		d.Lead += fmt.Sprintf("\n\nUnfinished: %d of %d jobs are done. The same command continues.", done, all)
	}
	switch o.Scale.Name {
	case Quick().Name:
		d.Lead += "\n\nA quick run: trainings are far shorter than those of the paper, and a share of the pairs is evaluated. It shows that all works, not what each system can do."
	case Smoke().Name:
		d.Lead += "\n\nA smoke test: it shows that everything is there and runs. Its figures mean nothing."
	}
	for _, e := range list {
		s := e.show(r)
		s.Title = fmt.Sprintf("%s (%s)", e.Title, e.Where)
		d.Sections = append(d.Sections, s)
	}
	if err := d.WriteFile(o.folder("report.html")); err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	return nil
}
