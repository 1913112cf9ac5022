package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/search"
)

// notes prints what users should know, the first of it before the answers.
func (a *graphAnswers) notes() {
	if a.found.Unmatched != nil {
		a.s.lead("%v", a.found.Unmatched)
	}
	for _, note := range a.found.Notes {
		if !a.s.said(note) {
			a.s.lead("%s", note.Spell(flagOf))
		}
	}
	if !a.found.Model && !a.flags.NoModel && a.flags.SMARTS == "" && a.in.Space() == nil &&
		!slices.Contains(dataset.Texts(a.found.Notes), search.WithoutModel) {
		a.s.note("no model fits %s for %v: bounds and the exact solver answer alone; a model made by greed train "+
			"makes this "+
			"faster", filepath.Base(a.in.name), a.found.Task)
	}
}

// heading says what was found for a query, on which terms, and what that is worth.
func (a *graphAnswers) heading() string {
	a.notes()
	q, found := a.q, a.found
	noun := "graph"
	if a.in.Space() != nil {
		noun = "product"
	}
	of, terms := grouped(a.in.Len(), noun), found.Question.Terms()
	if len(found.Question.Filter) > 0 && found.Status != greed.StatusPredicted { // else they are not counted
		terms += fmt.Sprintf(": %d of %s", found.Stats.Graphs, of)
	}
	to := fmt.Sprintf("%s (%s, %s)", called(q), count(q.Graph.N(), "node"), count(q.Graph.M(), "edge"))
	lines := fmt.Sprintf("%s\n%s\n%s%s\n", headline(found, of, to), terms, found.Verdict, a.flags.longer(a.s, found))
	return fold(lines, a.s.width, 2)
}

// longer says how to go on where time, and not an interruption, ended a search.
func (c *searchCommand) longer(s *session, found *greed.Found) string {
	limit := found.Question.TimeLimit
	if s.ctx.Err() != nil || found.Status != greed.StatusOpen || !found.Open.Timely() || limit == "" ||
		limit == "none" {
		return ""
	}
	return fmt.Sprintf("; --time-limit gives it more than %s", limit)
}

func (a *graphAnswers) text() (string, error) {
	var b strings.Builder
	b.WriteString(a.heading() + "\n")
	err := a.columns(&b)
	if a.flags.Explain {
		explainAll(&b, a.found)
	}
	b.WriteString("\n" + times(a.found) + "\n")
	return b.String(), err
}

// times prints how long the parts of the search took.
func times(found *greed.Found) string {
	var parts []string
	if found.Model {
		parts = append(parts, "embedding "+seconds(found.Seconds.Embed).String())
	}
	parts = append(parts, "scan "+seconds(found.Seconds.Scan).String())
	if found.Status != greed.StatusPredicted {
		parts = append(parts, fmt.Sprintf("exact check %s (%s)", seconds(found.Seconds.Check),
			count(found.Stats.Solved, "pair")))
	}
	return strings.Join(parts, ", ")
}

// columns prints a line for each answer.
func (a *graphAnswers) columns(b *strings.Builder) error {
	found := a.found
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	var columns []string
	if found.Status != greed.StatusPredicted {
		columns = append(columns, strings.ToUpper(found.Task.String()))
	}
	if found.Model {
		columns = append(columns, "predicted")
	}
	columns = append(columns, "similarity", "id")
	for _, key := range a.flags.Show {
		columns = append(columns, field(key))
	}
	fmt.Fprintf(w, "%s\t\n", strings.Join(columns, "\t"))
	for _, h := range found.Answers {
		if found.Status != greed.StatusPredicted {
			fmt.Fprintf(w, "%s\t", between(h.Bounds()))
		}
		if h.Predicted != nil {
			fmt.Fprintf(w, "%.2f\t", *h.Predicted)
		}
		similarity := fmt.Sprintf("%.3f", h.Similarity)
		if h.Upper != nil && !h.Exact { // of a bound: the least that it can be
			similarity = fmt.Sprintf("≥ %.3f", math.Floor(h.Similarity*1000)/1000)
		}
		fmt.Fprintf(w, "%s\t%s\t", similarity, field(h.ID))
		for _, key := range a.flags.Show {
			text := "-"
			if v, ok := h.Attributes[key]; ok && v != nil {
				text = field(dataset.AttributeText(v))
			}
			fmt.Fprintf(w, "%s\t", text)
		}
		fmt.Fprintf(w, "  %s\n", described(&h))
		for _, o := range h.Origins[min(1, len(h.Origins)):] {
			fmt.Fprintf(w, "%s%s\t%s  the same\n", strings.Repeat("\t", len(columns)-1-len(a.flags.Show)),
				field(o.ID()), strings.Repeat("\t", len(a.flags.Show)))
		}
	}
	return w.Flush()
}

// headline says what was found of how many graphs, in words that the status bears out.
func headline(found *greed.Found, of, to string) string {
	n, task := len(found.Answers), strings.ToUpper(found.Task.String())
	if found.K == 0 {
		verb := "were found"
		switch {
		case found.Status == greed.StatusProven:
			verb = "are"
		case found.Status == greed.StatusPredicted && found.Recall != nil:
			verb = "may be"
		case found.Status == greed.StatusPredicted:
			verb = "are predicted to be"
		}
		if n == 1 {
			verb = strings.NewReplacer("were", "was", "are", "is").Replace(verb)
		}
		return fmt.Sprintf("%d of %s %s within %s %s of %s", n, of, verb, task, number(*found.Radius), to)
	}
	what := "nearest"
	switch found.Status {
	case greed.StatusOpen, greed.StatusChecked:
		what = "nearest found"
	case greed.StatusPredicted:
		what = "predicted to be nearest"
	}
	if found.Radius != nil {
		what += " within " + number(*found.Radius)
	}
	return fmt.Sprintf("The %d %s of %s by %s to %s", n, what, of, task, to)
}

// grouped formats a number with commas and its noun: 4,999 graphs.
func grouped(n int, noun string) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if n != 1 {
		noun += "s"
	}
	return digits + " " + noun
}

// called names a query by its SMILES or else its id.
func called(q dataset.Record) string {
	if q.SMILES != "" {
		return printable(q.SMILES)
	}
	return "graph " + field(q.ID)
}

func described(a *greed.Answer) string {
	switch {
	case a.SMILES != "" && a.Name != "" && a.Name != a.ID:
		return printable(a.SMILES + "  " + a.Name)
	case a.SMILES != "":
		return printable(a.SMILES)
	}
	return printable(a.Name)
}

func seconds(x float64) time.Duration {
	return rounded(time.Duration(x * float64(time.Second)))
}

// writeTransformations lists what differs between two molecules, below their edits.
func writeTransformations(b *strings.Builder, list []transform.Transformation) {
	if len(list) > 0 {
		b.WriteString("  as fragments:\n")
	}
	for _, t := range list {
		fmt.Fprintf(b, "    %s\n", t)
	}
}

// explainAll lists the edits of every answer.
func explainAll(b *strings.Builder, found *greed.Found) {
	for i := range found.Answers {
		a := &found.Answers[i]
		fmt.Fprintf(b, "\n%s  %s\n", field(a.ID), described(a))
		switch {
		case a.Map == nil:
			fmt.Fprintf(b, "  not checked\n")
			continue
		case len(a.Edits) == 0:
			fmt.Fprintf(b, "  %s\n", found.SameGraph())
		}
		for _, op := range a.Edits {
			fmt.Fprintf(b, "  %s\n", printable(op.String()))
		}
		writeTransformations(b, a.Transformations)
	}
}
