package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/greedgraph/greed/edit"
)

// Report is all figures of an evaluation.
type Report struct {
	Task    edit.Task `json:"task"`
	Queries int       `json:"queries"` // different ones among the pairs
	Targets int       `json:"targets"`
	All     Metrics   `json:"all"`
	Copies  *Copied   `json:"copies,omitempty"` // if it was asked for
	Errors  Grid      `json:"errors"`
}

// Copied counts the graphs that are isomorphic to one that the model was trained
// on, and has the figures of the pairs without them.
type Copied struct {
	Queries int      `json:"queries"`
	Targets int      `json:"targets"`
	Without *Metrics `json:"without"` // nil if no pair is left
}

// WriteJSON writes the report as indented JSON; undefined figures are null.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteText writes the report as tables for people.
func (r *Report) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	sets := []*Metrics{&r.All}
	fmt.Fprintf(t, "%s of %d queries and %d targets\tall pairs", r.Task, r.Queries, r.Targets)
	if r.Copies != nil && r.Copies.Without != nil {
		sets = append(sets, r.Copies.Without)
		fmt.Fprint(t, "\twithout copies")
	}
	fmt.Fprintln(t)
	line := func(name string, value func(*Metrics) string) {
		fmt.Fprint(t, name)
		for _, m := range sets {
			fmt.Fprint(t, "\t", value(m))
		}
		fmt.Fprintln(t)
	}
	figure := func(name string, value func(*Metrics) Figure) {
		line(name, func(m *Metrics) string { return number(value(m)) })
	}
	line("pairs", func(m *Metrics) string { return fmt.Sprint(m.Pairs) })
	line("proven", func(m *Metrics) string { return percent(Figure(float64(m.Proven) / float64(m.Pairs))) })
	figure("RMSE", func(m *Metrics) Figure { return m.RMSE })
	figure("MSE", func(m *Metrics) Figure { return m.RMSE * m.RMSE })
	figure("MAE", func(m *Metrics) Figure { return m.MAE })
	figure("RMSE, proven pairs", func(m *Metrics) Figure { return m.ProvenRMSE })
	figure("MAE, proven pairs", func(m *Metrics) Figure { return m.ProvenMAE })
	figure("similarity MSE ×10⁻³", func(m *Metrics) Figure { return m.SimilarityMSE })
	figure("MAE after rounding", func(m *Metrics) Figure { return m.RoundedMAE })
	line("exact after rounding", func(m *Metrics) string { return percent(m.Rounded) })
	figure("Kendall's τ-b", func(m *Metrics) Figure { return m.Kendall })
	figure("Spearman's ρ", func(m *Metrics) Figure { return m.Spearman })
	precision := func(name string, lenient, strict func(*Metrics) Figure) {
		line(name+" (strict)", func(m *Metrics) string {
			if math.IsNaN(float64(lenient(m))) {
				return "-"
			}
			return number(lenient(m)) + " (" + number(strict(m)) + ")"
		})
	}
	precision("p@10", func(m *Metrics) Figure { return m.PrecisionAt10 },
		func(m *Metrics) Figure { return m.StrictPrecisionAt10 })
	precision("p@20", func(m *Metrics) Figure { return m.PrecisionAt20 },
		func(m *Metrics) Figure { return m.StrictPrecisionAt20 })
	figure("ten nearest among the first 50", func(m *Metrics) Figure { return m.TenAmong50 })
	figure("ten nearest among the first 200", func(m *Metrics) Figure { return m.TenAmong200 })
	for i, f := range RangeFractions() {
		line(fmt.Sprintf("range F1 at %g %%", 100*f),
			func(m *Metrics) string { return percent(m.Ranges[i].Standard.F1) })
	}
	for i, f := range RangeFractions() {
		line(fmt.Sprintf("range F1 at %g %%, rounded", 100*f),
			func(m *Metrics) string { return percent(m.Ranges[i].Rounded.F1) })
	}
	for i, radius := range NearRadii() {
		line(fmt.Sprintf("within %g: recall, precision, F1", radius), func(m *Metrics) string {
			x := m.Near[i].Standard
			return percent(x.Recall) + ", " + percent(x.Precision) + ", " + percent(x.F1)
		})
	}
	if r.Copies != nil {
		fmt.Fprintf(t, "copies of training graphs\tqueries %d, targets %d\n", r.Copies.Queries, r.Copies.Targets)
	}
	table(t, "nodes of the query", r.Errors.Sizes, r.Errors.BySize)
	table(t, "nodes of the target", r.Errors.Targets, r.Errors.ByTarget)
	table(t, "distance", r.Errors.Distances, r.Errors.ByDistance)
	table(t, "prediction", r.Errors.Predictions, r.Errors.ByPrediction)
	return t.Flush()
}

func table(w io.Writer, name string, axis Axis, cells []Cell) {
	fmt.Fprintf(w, "\n%s\tpairs\tRMSE\tMAE\tbias\n", name)
	for i, c := range cells {
		if c.Pairs == 0 {
			continue
		}
		from := axis.Start + float64(i)*axis.Width
		label := fmt.Sprintf("%.6g", from)
		if axis.Width != 1 {
			label = fmt.Sprintf("%.6g to <%.6g", from, from+axis.Width)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", label, c.Pairs, number(c.RMSE), number(c.MAE), number(c.Bias))
	}
}

func number(f Figure) string {
	if math.IsNaN(float64(f)) {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(f))
}

func percent(f Figure) string {
	if math.IsNaN(float64(f)) {
		return "-"
	}
	return fmt.Sprintf("%.2f %%", 100*float64(f))
}
