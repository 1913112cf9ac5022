package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is what one run measured.
type Table struct {
	Scale       float64 `json:"scale"` // share of the pairs that was to be measured
	Interrupted bool    `json:"interrupted"`
	Go          string  `json:"go"`
	Platform    string  `json:"platform"`
	Rows        []Row   `json:"rows"`

	Notes   []string `json:"notes,omitempty"` // where the data come from
	counted string   // what rows are counted in; empty means pairs
}

// Row is one line of the table, or several.
type Row struct {
	Name    string     `json:"name"`
	About   string     `json:"about"`
	Pairs   int        `json:"pairs"`             // pairs or queries of a run
	Runs    int        `json:"runs"`              // figures are medians over these runs
	Core    float64    `json:"core,omitempty"`    // processor time by wall clock; below 1, other processes used the core
	Figures []Figure   `json:"figures,omitempty"` // empty if nothing was measured
	Open    []OpenPair `json:"open,omitempty"`    // unsolved pairs, in rows that list them
	Skipped string     `json:"skipped,omitempty"` // why there are no figures
}

// Figure is a number measured.
type Figure struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit,omitempty"`
	Value  float64 `json:"value"`
	Target *Target `json:"target,omitempty"`
	Met    *bool   `json:"met,omitempty"` // nil if there is no target
}

// Target is what a figure is compared with.
type Target struct {
	Relation Relation `json:"relation"`
	Value    float64  `json:"value"`
}

// Relation says how a figure should compare with its target.
type Relation string

// The relations. A published figure is only for comparison.
const (
	AtMost    Relation = "at most"
	AtLeast   Relation = "at least"
	Published Relation = "published"
)

func (t Target) met(value float64) bool {
	if t.Relation == AtLeast {
		return value >= t.Value
	}
	return value <= t.Value
}

// OpenPair names a pair whose bounds do not meet by the ids of its graphs.
type OpenPair struct {
	Query  string  `json:"query"`
	Target string  `json:"target"`
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
}

// Write writes the table in Markdown, aligned so that it can be read unrendered,
// followed by notes.
func (t *Table) Write(w io.Writer) error {
	lines := [][]string{{"row", cmp.Or(t.counted, "pairs"), "runs", "core", "figure", "measured", "target", ""}}
	notes := slices.Clone(t.Notes)
	crowded := false
	if t.Scale < 1 {
		notes = append(notes, fmt.Sprintf("Only %s %% of the pairs were measured (--pairs-scale): a quick look, not the full measurement.", digits(t.Scale*100)))
	}
	if t.Interrupted {
		notes = append(notes, "Interrupted: rows with fewer pairs or runs, or none, were not measured to the end.")
	}
	for _, r := range t.Rows {
		if len(r.Figures) == 0 {
			lines = append(lines, []string{r.Name, "", "0", "", "", "", "", ""})
		}
		for i, f := range r.Figures {
			line := []string{"", "", "", "", f.Name, quantity(f.Value, f.Unit), "", ""}
			if i == 0 {
				line[0], line[1], line[2] = r.Name, strconv.Itoa(r.Pairs), strconv.Itoa(r.Runs)
				if r.Core > 0 {
					line[3] = strconv.Itoa(int(r.Core*100+0.5)) + " %"
				}
			}
			if f.Target != nil {
				line[6] = string(f.Target.Relation) + " " + quantity(f.Target.Value, f.Unit)
			}
			if f.Met != nil {
				line[7] = map[bool]string{true: "met", false: "missed"}[*f.Met]
			}
			lines = append(lines, line)
		}
		if r.Skipped != "" {
			notes = append(notes, fmt.Sprintf("%s was skipped: %s", r.Name, r.Skipped))
		}
		crowded = crowded || r.Core > 0 && r.Core < wholeCore
		for _, p := range r.Open {
			notes = append(notes, fmt.Sprintf("%s: query %s, target %s not solved: %s to %s", r.Name, p.Query, p.Target, digits(p.Lower), digits(p.Upper)))
		}
	}
	if crowded {
		notes = append(notes, "Other programs ran on this core, too (see the column core): alone, the pairs would have taken less time, and more of them would have been solved within the limit.")
	}
	var b strings.Builder
	writeColumns(&b, lines)
	for _, n := range notes {
		b.WriteString("\n- " + n)
	}
	if len(notes) > 0 {
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wholeCore is the least share of a core that counts as the whole core.
const wholeCore = 0.95

// writeColumns writes lines of cells, the first of them the header.
func writeColumns(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	for n, line := range lines {
		for i, cell := range line {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+1))
		}
		b.WriteString("|\n")
		if n > 0 {
			continue
		}
		for _, width := range widths {
			b.WriteString("|" + strings.Repeat("-", width+2))
		}
		b.WriteString("|\n")
	}
}

// quantity formats a value with its unit. A share below all is never shown as 100 %.
func quantity(x float64, unit string) string {
	switch unit {
	case unitShare:
		text := decimals(x*100, 2)
		if x < 1 && text == "100" {
			text = decimals(math.Floor(x*1e5)/1e3, 3)
		}
		return text + " %"
	case "":
		return digits(x)
	}
	return digits(x) + " " + unit
}

// digits formats x with three significant digits, and with all digits before the point.
func digits(x float64) string {
	if x == 0 {
		return "0"
	}
	return decimals(x, max(0, 2-int(math.Floor(math.Log10(math.Abs(x))))))
}

// decimals formats x with up to n decimals.
func decimals(x float64, n int) string {
	text := strconv.FormatFloat(x, 'f', n, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
