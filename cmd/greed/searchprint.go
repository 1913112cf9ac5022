package main

import (
	"fmt"
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
	if !found.Model && !opt.Solver {
		s.note("no model fits %s for %v: bounds and the exact solver answer alone; a model made by greed train makes this faster", name, opt.Task)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s by %s to %s (%s, %s)\n\n", wanted(opt, len(found.Answers)), grouped(c.Len()),
		strings.ToUpper(opt.Task.String()), called(q), count(q.Graph.N(), "node"), count(q.Graph.M(), "edge"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	predicted := ""
	if found.Model {
		predicted = "predicted\t"
	}
	fmt.Fprintf(w, "%s\t%s\tsimilarity\tid\t\n", strings.ToUpper(opt.Task.String()), strings.TrimSuffix(predicted, "\t"))
	for i := range found.Answers {
		a := &found.Answers[i]
		p := ""
		if a.Predicted != nil {
			p = fmt.Sprintf("%.2f", *a.Predicted)
		}
		fmt.Fprintf(w, "%s\t%s\t%.3f\t%s\t  %s\n", distanceText(a), p, a.Similarity, field(a.ID), described(a))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if explain {
		explainAll(&b, c, found)
	}
	fmt.Fprintf(&b, "\nembedding %s, scan %s, exact check %s (%s)\n",
		seconds(found.Seconds.Embed), seconds(found.Seconds.Scan), seconds(found.Seconds.Check), count(found.Solved, "pair"))
	if opt.Certify || !found.Model {
		b.WriteString(verdict(found))
	}
	_, err := s.out.Write([]byte(b.String()))
	return err
}

// verdict says whether the answers are proven.
func verdict(found *greed.Found) string {
	if found.Certified {
		return "certified: every other graph is proven to be no nearer\n"
	}
	return fmt.Sprintf("not certified: the time limit left %s open\n", count(len(found.Open), "graph"))
}

func wanted(opt greed.Options, found int) string {
	if opt.K == 0 {
		return fmt.Sprintf("%d within %s", found, number(opt.Radius))
	}
	return fmt.Sprintf("The %d nearest", found)
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
func distanceText(a *greed.Answer) string {
	switch {
	case a.Upper == nil:
		return "?"
	case a.Exact:
		return number(*a.Upper)
	}
	return number(*a.Lower) + " to " + number(*a.Upper)
}

func described(a *greed.Answer) string {
	switch {
	case a.SMILES != "" && a.Name != "" && a.Name != a.ID:
		return a.SMILES + "  " + a.Name
	case a.SMILES != "":
		return a.SMILES
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
