package main

import (
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// printFound prints the answers for people.
func printFound(s *session, c *greed.Collection, name string, q dataset.Record, opt greed.Options, found *greed.Found, explain bool) error {
	for _, w := range found.Warnings {
		s.note("%s", w)
	}
	if !found.Model && !opt.NoModel {
		s.note("no model fits %s for %v: bounds and the exact solver answer alone; a model made by greed train makes this faster", name, opt.Task)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s to %s (%s, %s)\n%s\n\n", headline(found, grouped(c.Len())),
		strings.ToUpper(opt.Task.String()), called(q), count(q.Graph.N(), "node"), count(q.Graph.M(), "edge"), found.Verdict())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	var columns []string
	if found.Status != greed.StatusPredicted {
		columns = append(columns, strings.ToUpper(opt.Task.String()))
	}
	if found.Model {
		columns = append(columns, "predicted")
	}
	fmt.Fprintf(w, "%s\tsimilarity\tid\t\n", strings.Join(columns, "\t"))
	for _, a := range found.Answers {
		if found.Status != greed.StatusPredicted {
			fmt.Fprintf(w, "%s\t", distanceText(a))
		}
		if p, ok := a.Predicted(); ok {
			fmt.Fprintf(w, "%.2f\t", p)
		}
		fmt.Fprintf(w, "%.3f\t%s\t  %s\n", a.Similarity, field(a.ID), described(&a))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if explain {
		explainAll(&b, c, found)
	}
	fmt.Fprintf(&b, "\nembedding %s, scan %s, exact check %s (%s)\n",
		seconds(found.Seconds.Embed), seconds(found.Seconds.Scan), seconds(found.Seconds.Check), count(found.Stats.Solved, "pair"))
	_, err := s.out.Write([]byte(b.String()))
	return err
}

// headline says what was found of how many graphs, in words that the status
// bears out.
func headline(found *greed.Found, of string) string {
	n := len(found.Answers)
	within := ""
	if !math.IsInf(found.Radius, 1) {
		within = " within " + number(found.Radius)
	}
	if found.K == 0 {
		switch found.Status {
		case greed.StatusProven:
			return fmt.Sprintf("%d%s of %s", n, within, of)
		case greed.StatusPredicted:
			return fmt.Sprintf("%d predicted%s of %s", n, within, of)
		}
		return fmt.Sprintf("%d found%s of %s", n, within, of)
	}
	switch found.Status {
	case greed.StatusProven:
		return fmt.Sprintf("The %d nearest%s of %s", n, within, of)
	case greed.StatusPredicted:
		return fmt.Sprintf("The %d predicted to be nearest%s of %s", n, within, of)
	}
	return fmt.Sprintf("The %d nearest found%s of %s", n, within, of)
}

// grouped writes a number with commas: 4,999 graphs.
func grouped(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " graphs"
}

// called names a query: by its SMILES if it has one, else its id.
func called(q dataset.Record) string {
	if q.SMILES != "" {
		return q.SMILES
	}
	return "graph " + field(q.ID)
}

// distanceText is what is known of an answer's distance.
func distanceText(a greed.Answer) string {
	lower, upper := a.Bounds()
	if lower == upper {
		return number(upper)
	}
	return number(lower) + " to " + number(upper)
}

func described(a *greed.Answer) string {
	switch {
	case a.SMILES != "" && a.Name != "" && a.Name != a.ID:
		return a.SMILES + "  " + a.Name
	case a.SMILES != "":
		return a.SMILES
	case a.Name == a.ID:
		return ""
	}
	return a.Name
}

func seconds(x float64) time.Duration {
	return rounded(time.Duration(x * float64(time.Second)))
}

// explainAll lists the edits of every answer.
func explainAll(b *strings.Builder, c *greed.Collection, found *greed.Found) {
	for i := range found.Answers {
		a := &found.Answers[i]
		fmt.Fprintf(b, "\n%s  %s\n", field(a.ID), described(a))
		switch {
		case a.Map == nil:
			fmt.Fprintf(b, "  not checked\n")
			continue
		case len(a.Edits) == 0 && found.Task == edit.SED:
			fmt.Fprintf(b, "  contains the query\n")
		case len(a.Edits) == 0:
			fmt.Fprintf(b, "  is the same graph\n")
		}
		for _, op := range a.Edits {
			fmt.Fprintf(b, "  %s\n", op)
		}
	}
}
