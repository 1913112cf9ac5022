package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/truth"
)

// AccuracyTable shows how well models predict, beside the paper's figures.
type AccuracyTable struct {
	Scale       float64       `json:"scale"` // share of the pairs that models are evaluated on
	Preset      string        `json:"preset"`
	Interrupted bool          `json:"interrupted"`
	Go          string        `json:"go"`
	Platform    string        `json:"platform"`
	Rows        []AccuracyRow `json:"rows"`
	Notes       []string      `json:"notes,omitempty"`
}

// AccuracyRow is a collection and its models.
type AccuracyRow struct {
	Name         string             `json:"name"`
	About        string             `json:"about"`
	Sets         map[string]SetSize `json:"sets,omitempty"`
	Dim          int                `json:"dim,omitempty"`   // dimension of the embeddings
	Norms        []string           `json:"norms,omitempty"` // number of models
	Fingerprints []string           `json:"fingerprints,omitempty"`
	// Seconds is the time of training, ground truth included; 0 if training was
	// interrupted and resumed, or the ground truth was there from another model.
	Seconds []float64        `json:"seconds,omitempty"`
	Figures []AccuracyFigure `json:"figures,omitempty"`
	Strata  []Stratum        `json:"strata,omitempty"`
	Skipped string           `json:"skipped,omitempty"`
}

// SetSize is the number of pairs of a set, how many of them are exact, and the mean of
// (upper − lower) / mean of both.
type SetSize struct {
	Pairs  int     `json:"pairs"`
	Proven int     `json:"proven"`
	Gap    float64 `json:"gap"`
}

func sizeOf(pairs []truth.Pair) SetSize {
	s := SetSize{Pairs: len(pairs)}
	for _, p := range pairs {
		if p.Exact() {
			s.Proven++
		}
		s.Gap += gap(p.Lower, p.Upper) / float64(len(pairs))
	}
	return s
}

// AccuracyFigure is a figure of one or several models: the mean, and the greatest minus
// the least.
type AccuracyFigure struct {
	Pairs  string        `json:"pairs"`
	Name   string        `json:"name"`
	Values []eval.Figure `json:"values"`
	Mean   *float64      `json:"mean"`
	Spread *float64      `json:"spread"`
	Paper  *float64      `json:"paper,omitempty"`
	Target *Target       `json:"target,omitempty"`
	Met    *bool         `json:"met,omitempty"`
}

// Write writes the table in Markdown, aligned so that it can be read unrendered,
// followed by notes.
func (t *AccuracyTable) Write(w io.Writer) error {
	lines := [][]string{{"row", "pairs", "figure", "the paper", "target", "measured", "spread", ""}}
	notes := append(slices.Clone(t.Notes), partial(t.Scale, t.Interrupted)...)
	for _, r := range t.Rows {
		if r.Skipped != "" {
			lines = append(lines, []string{r.Name, "", "", "", "", "", "", ""})
			notes = append(notes, fmt.Sprintf("%s was skipped: %s", r.Name, r.Skipped))
			continue
		}
		for i, f := range r.Figures {
			lines = append(lines, f.cells())
			if i == 0 {
				lines[len(lines)-1][0] = r.Name
			} else if r.Figures[i-1].Pairs == f.Pairs {
				lines[len(lines)-1][1] = ""
			}
		}
		notes = append(notes, r.note())
	}
	if err := writeNoted(w, lines, notes); err != nil {
		return err
	}
	return t.writeStrata(w)
}

// partial returns notes on what a table was not measured by.
func partial(scale float64, interrupted bool) (notes []string) {
	if scale < 1 {
		notes = append(notes, fmt.Sprintf("Evaluated on only %s %% of the pairs (--pairs-scale): a quick look, not the full measurement.", digits(scale*100)))
	}
	if interrupted {
		notes = append(notes, "Interrupted: the same command continues from there.")
	}
	return notes
}

// writeNoted writes lines as [writeColumns] does, and notes below.
func writeNoted(w io.Writer, lines [][]string, notes []string) error {
	var b strings.Builder
	writeColumns(&b, lines)
	for _, n := range notes {
		b.WriteString("\n- " + n)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f AccuracyFigure) cells() []string {
	cells := []string{"", f.Pairs, f.Name, "", "", "", "", ""}
	if f.Paper != nil {
		cells[3] = places(*f.Paper)
	}
	if f.Target != nil {
		cells[4] = string(f.Target.Relation) + " " + places(f.Target.Value)
	}
	if f.Mean != nil {
		cells[5] = places(*f.Mean)
		if len(f.Values) > 1 {
			cells[6] = places(*f.Spread)
		}
	}
	if f.Met != nil {
		cells[7] = map[bool]string{true: "met", false: "missed"}[*f.Met]
	}
	return cells
}

// places formats a figure with three decimals.
func places(x float64) string { return fmt.Sprintf("%.3f", x) }

// note describes how a row was measured.
func (r AccuracyRow) note() string {
	var sets []string
	for _, name := range slices.Sorted(maps.Keys(r.Sets)) {
		s := r.Sets[name]
		sets = append(sets, fmt.Sprintf("%s %d pairs, %s proven, mean gap %s", name, s.Pairs, quantity(float64(s.Proven)/float64(s.Pairs), unitShare), digits(s.Gap)))
	}
	var times []string
	for _, s := range r.Seconds {
		if s > 0 {
			times = append(times, fmt.Sprintf("%.0f s", s))
		}
	}
	norms := slices.Compact(slices.Sorted(slices.Values(r.Norms)))
	text := fmt.Sprintf("%s: %d numbers per graph under %s; %s", r.Name, r.Dim, strings.Join(norms, " or "), strings.Join(sets, "; "))
	if len(times) > 0 {
		text += "; trained in " + strings.Join(times, ", ")
	}
	return text + "."
}
