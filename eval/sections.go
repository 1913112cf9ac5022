package eval

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/truth"
)

// Shown says how [Report.Sections] shows pairs.
type Shown struct {
	// QueryName and TargetName name graphs by their position; nil names positions.
	QueryName, TargetName func(int) string
	// Map returns a node map to draw a pair with, such as that of the exact solver. If it
	// is nil, no pairs are drawn.
	Map func(q, t *graph.Graph) (edit.NodeMap, error)
	// EdgeLabels says that labels of edges count.
	EdgeLabels bool
}

const (
	mostPoints = 2000 // of a cloud, spread over all pairs
	worstPairs = 6    // that are drawn
)

// Sections shows the report of the same input as parts of a document: all figures,
// predictions against the truth, errors by distance and size, and the worst pairs.
func (r *Report) Sections(in Input, show Shown) ([]report.Section, error) {
	sections := []report.Section{
		{Title: "Figures", Text: meanings, Blocks: []report.Block{{Table: r.Table()}, {Table: r.RangeTable()},
			{Table: r.NearTable()}}},
		{Title: "Searches for what is near", Text: nearMeaning, Blocks: []report.Block{{Plot: r.nearPlot()}}},
		{Title: "Where the errors are", Blocks: []report.Block{
			{Plot: in.Cloud("Predicted against true", mostPoints)},
			{Plot: errorPlot("Error by distance", "true distance", r.Errors.Distances, r.Errors.ByDistance)},
			{Plot: errorPlot("Error by prediction", "predicted distance", r.Errors.Predictions, r.Errors.ByPrediction)},
			{Plot: errorPlot("Error by size of the query", "nodes of the query", r.Errors.Sizes, r.Errors.BySize)},
			{Plot: errorPlot("Error by size of the target", "nodes of the target", r.Errors.Targets,
				r.Errors.ByTarget)},
		}},
	}
	if show.Map == nil {
		return sections, nil
	}
	worst := report.Section{Title: "The worst pairs", Text: worstText(in.Task)}
	for _, i := range in.worst(worstPairs) {
		scene, err := in.scene(i, show)
		if err != nil {
			return nil, err
		}
		worst.Blocks = append(worst.Blocks, report.Block{Scene: scene})
	}
	return append(sections, worst), nil
}

const meanings = "A prediction between the bounds of a pair has no error; outside, its error is the distance to the " +
	"nearer bound. Ranks are means over queries. A range holds the pairs within a share of the largest distance."

func worstText(task edit.Task) string {
	text := "Nodes with the same number are mapped to each other by a node map that attains the upper bound. Dashed " +
		"red is deleted, green inserted, amber relabelled."
	if task == edit.SED {
		text = "Nodes with the same number are mapped to each other by a node map that attains the upper bound. " +
			"Dashed red " +
			"is missing from the target, amber is relabelled, and pale is the rest of the target, which costs nothing."
	}
	return text
}

// Table has the figures, with those without copies of training graphs if they are known.
func (r *Report) Table() *report.Table {
	t := &report.Table{Title: "Errors and ranks", Columns: []string{"figure", "all pairs"}}
	sets := []*Metrics{&r.All}
	if r.Copies != nil && r.Copies.Without != nil {
		sets = append(sets, r.Copies.Without)
		t.Columns = append(t.Columns, "without copies of training graphs")
	}
	row := func(name string, decimals int, of func(*Metrics) float64) {
		cells := []report.Cell{report.Text(name)}
		for _, m := range sets {
			cells = append(cells, report.Number(of(m), decimals))
		}
		t.Rows = append(t.Rows, cells)
	}
	row("pairs", 0, func(m *Metrics) float64 { return float64(m.Pairs) })
	row("proven, %", 2, func(m *Metrics) float64 { return 100 * float64(m.Proven) / float64(m.Pairs) })
	row("MSE", 3, func(m *Metrics) float64 { return float64(m.RMSE) * float64(m.RMSE) })
	row("RMSE", 3, func(m *Metrics) float64 { return float64(m.RMSE) })
	row("MAE", 3, func(m *Metrics) float64 { return float64(m.MAE) })
	row("RMSE, proven pairs", 3, func(m *Metrics) float64 { return float64(m.ProvenRMSE) })
	row("MAE, proven pairs", 3, func(m *Metrics) float64 { return float64(m.ProvenMAE) })
	row("similarity MSE ×10⁻³", 3, func(m *Metrics) float64 { return float64(m.SimilarityMSE) })
	row("MAE after rounding", 3, func(m *Metrics) float64 { return float64(m.RoundedMAE) })
	row("exact after rounding, %", 2, func(m *Metrics) float64 { return 100 * float64(m.Rounded) })
	row("Kendall's τ-b", 3, func(m *Metrics) float64 { return float64(m.Kendall) })
	row("Spearman's ρ", 3, func(m *Metrics) float64 { return float64(m.Spearman) })
	row("p@10", 3, func(m *Metrics) float64 { return float64(m.PrecisionAt10) })
	row("p@10, strict", 3, func(m *Metrics) float64 { return float64(m.StrictPrecisionAt10) })
	row("ten nearest among the first 50", 3, func(m *Metrics) float64 { return float64(m.TenAmong50) })
	row("ten nearest among the first 200", 3, func(m *Metrics) float64 { return float64(m.TenAmong200) })
	row("p@20", 3, func(m *Metrics) float64 { return float64(m.PrecisionAt20) })
	return t
}

// RangeTable has the figures of range searches.
func (r *Report) RangeTable() *report.Table {
	t := &report.Table{Title: "Range search", Columns: []string{"share of the largest distance, %", "radius",
		"precision, %", "recall, %", "F1, %", "F1 of rounded predictions, %"}}
	for _, x := range r.All.Ranges {
		t.Rows = append(t.Rows, []report.Cell{
			report.Number(100*float64(x.Fraction), 0), report.Short(x.Radius),
			report.Number(100*float64(x.Standard.Precision), 1),
			report.Number(100*float64(x.Standard.Recall), 1), report.Number(100*float64(x.Standard.F1), 1),
			report.Number(100*float64(x.Rounded.F1), 1),
		})
	}
	return t
}

const nearMeaning = "A search by predictions alone finds the pairs that are predicted within the radius. Recall is " +
	"the share of the pairs within the radius that it finds, precision the share of what it finds that is within the " +
	"radius."

// NearTable has the figures of range searches at [NearRadii].
func (r *Report) NearTable() *report.Table {
	t := &report.Table{Title: "Search for what is near", Columns: []string{
		"radius", "precision, %", "recall, %", "F1, %", "F1 of rounded predictions, %",
	}}
	for _, x := range r.All.Near {
		t.Rows = append(t.Rows, []report.Cell{
			report.Short(x.Radius), report.Number(100*float64(x.Standard.Precision), 1),
			report.Number(100*float64(x.Standard.Recall), 1),
			report.Number(100*float64(x.Standard.F1), 1), report.Number(100*float64(x.Rounded.F1), 1),
		})
	}
	return t
}

// nearPlot shows precision, recall and F1 by the radius.
func (r *Report) nearPlot() *report.Plot {
	p := &report.Plot{Title: "Precision and recall by radius", X: "radius", Y: "%"}
	for _, f := range []struct {
		name string
		of   func(Retrieval) Figure
	}{
		{"precision", func(x Retrieval) Figure { return x.Precision }},
		{"recall", func(x Retrieval) Figure { return x.Recall }},
		{"F1", func(x Retrieval) Figure { return x.F1 }},
	} {
		s := report.Series{Name: f.name}
		for _, x := range r.All.Near {
			if y := float64(f.of(x.Standard)); !math.IsNaN(y) {
				s.Points = append(s.Points, report.Point{X: x.Radius, Y: 100 * y})
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// Cloud shows predictions against the middle of their bounds, for at most n pairs spread
// over all.
func (in Input) Cloud(title string, n int) *report.Plot {
	p := &report.Plot{Title: title, X: "true distance", Y: "predicted", Identity: true}
	s := report.Series{Name: "pairs", Cloud: true}
	step := max(1, (len(in.Pairs)+n-1)/n)
	for i := 0; i < len(in.Pairs); i += step {
		s.Points = append(s.Points, report.Point{X: middle(in.Pairs[i]), Y: in.Predicted[i]})
	}
	if step > 1 {
		p.Note = fmt.Sprintf("%d of %d pairs are shown.", len(s.Points), len(in.Pairs))
	}
	p.Series = []report.Series{s}
	return p
}

func errorPlot(title, x string, a Axis, cells []Cell) *report.Plot {
	p := &report.Plot{Title: title, X: x, Y: "edits"}
	for _, f := range []struct {
		name string
		of   func(Cell) Figure
	}{
		{"RMSE", func(c Cell) Figure { return c.RMSE }},
		{"MAE", func(c Cell) Figure { return c.MAE }},
		{"bias", func(c Cell) Figure { return c.Bias }},
	} {
		s := report.Series{Name: f.name}
		for i, c := range cells {
			if c.Pairs > 0 {
				s.Points = append(s.Points, report.Point{X: a.Label(i), Y: float64(f.of(c))})
			}
		}
		p.Series = append(p.Series, s)
	}
	return p
}

// Label returns the number that stands for bin i: the value itself if bins hold one.
func (a Axis) Label(i int) float64 {
	if a.Width == 1 {
		return a.Start + float64(i)
	}
	return a.Middle(i)
}

// worst returns the positions of the n pairs with the greatest errors, the greatest first.
// No two have the same query.
func (in Input) worst(n int) []int {
	order := make([]int, len(in.Pairs))
	for i := range order {
		order[i] = i
	}
	failure := func(i int) float64 { return outside(in.Predicted[i], in.Pairs[i].Lower, in.Pairs[i].Upper) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(failure(j), failure(i)) })
	var chosen []int
	seen := make(map[int32]bool)
	for _, i := range order {
		if len(chosen) == n || failure(i) == 0 {
			break
		}
		if q := in.Pairs[i].Query; !seen[q] {
			seen[q] = true
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func (in Input) scene(i int, show Shown) (*report.Scene, error) {
	p := in.Pairs[i]
	q, t := in.Queries[p.Query], in.Targets[p.Target]
	m, err := show.Map(q, t)
	if err != nil {
		return nil, err
	}
	of := func(name func(int) string, at int32) string {
		if name == nil {
			return fmt.Sprint(at)
		}
		return name(int(at))
	}
	distance := fmt.Sprint(p.Lower)
	if !p.Exact() {
		distance = fmt.Sprintf("%v to %v", p.Lower, p.Upper) // rounded, they might be no bounds
	}
	title := fmt.Sprintf("%s → %s: %s, predicted %.2f", of(show.QueryName, p.Query), of(show.TargetName, p.Target),
		distance, math.Max(0, in.Predicted[i]))
	return report.PairScene(title, q, t, m, report.Mapping{Sub: in.Task == edit.SED, EdgeLabels: show.EdgeLabels}), nil
}

// Hash identifies the ground truth: the graphs, the pairs and their bounds. It is SHA-256,
// in hexadecimal digits.
func (in Input) Hash() string {
	h := truth.NewHash()
	h.Graphs(in.Queries)
	h.Graphs(in.Targets)
	h.Number(len(in.Pairs))
	for _, p := range in.Pairs {
		h.Number(int(p.Query))
		h.Number(int(p.Target))
		h.Text(truth.FormatNumber(p.Lower))
		h.Text(truth.FormatNumber(p.Upper))
	}
	sum := h.Sum()
	return hex.EncodeToString(sum[:])
}
