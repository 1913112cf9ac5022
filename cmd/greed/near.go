package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/report"
)

// nearFlags name the collections whose near pairs are found.
type nearFlags struct {
	Collection string `arg:"" help:"A file, a folder or an index of graphs."`
	Other      string `arg:"" optional:"" help:"A second collection; pairs then have one graph of each."`
	readFlags
}

// rowsListed is how many rows of a list are printed unless -k says otherwise.
const rowsListed = 10

// rowsOf returns how many rows are printed.
func rowsOf(k *int) int {
	if k == nil {
		return rowsListed
	}
	return *k
}

// open opens the collections for a plan, whose progress it shows until finish is called.
func (c *nearFlags) open(s *session, plan *operation.Planned) (_ *operation.Inputs, finish func(), err error) {
	if err := c.needed(s, slices.Compact([]string{c.Collection, cmp.Or(c.Other, c.Collection)})...); err != nil {
		return nil, nil, err
	}
	src := c.source(s)
	for _, costs := range plan.Costs {
		src.Compare(costs)
	}
	in := &operation.Inputs{}
	places := []**greed.Collection{&in.Collection, &in.Other}
	var shown *progress.Bar
	closeAll := func() {
		shown.Finish()
		for _, at := range places {
			if *at != nil {
				_ = (*at).Close()
			}
		}
	}
	defer func() {
		if err != nil {
			closeAll()
		}
	}()
	// A file is read by the rules of the index or the database.
	names := [2]string{c.Collection, c.Other}
	first := rulesOf(names)
	for _, i := range []int{first, 1 - first} {
		if names[i] == "" {
			continue
		}
		if *places[i], err = s.open(src, names[i]); err != nil {
			return nil, nil, err
		}
		if rules, known := (*places[i]).Rules(); known && greed.HasRules(names[i]) {
			if err = s.follow(&src, names, i, rules); err != nil {
				return nil, nil, err
			}
		}
	}
	near := greed.Near{Other: in.Other}
	if err = near.Fits(in.Collection); err != nil {
		return nil, nil, err
	}
	var stage string
	in.Progress = func(now string, done, total int) {
		if now != stage {
			shown.Finish()
			shown, stage = s.bar(total, now), now
		}
		shown.Reach(done)
	}
	return in, closeAll, nil
}

// summary says of how many graphs so many pairs are, and what they are worth.
func (c *nearFlags) summary(pairs, graphs, others int, task edit.Task, radius float64, status greed.Status,
	verdict string) string {
	text := fmt.Sprintf("%s of %s within %s %s", grouped(pairs, "pair"), c.sizes(graphs, others),
		strings.ToUpper(task.String()), number(radius))
	if status == greed.StatusProven {
		return text + ", proven complete"
	}
	return text + "; " + verdict
}

// sizes says how many graphs the collections have.
func (c *nearFlags) sizes(graphs, others int) string {
	text := grouped(graphs, "graph")
	if c.Other != "" {
		text += " and " + grouped(others, "other")
	}
	return text
}

// titled says how many of n things a table shows.
func titled(n, most int, noun string) string {
	if most > 0 && most < n {
		return fmt.Sprintf("%d of %s", most, grouped(n, noun))
	}
	return grouped(n, noun)
}

// printTables prints what was found and on which terms, and the tables that have rows in columns, the
// last of which reads from the left.
func printTables(s *session, summary, terms string, tables ...*report.Table) error {
	var b strings.Builder
	fmt.Fprintln(&b, fold(summary+"\n"+terms, s.width, 2))
	for _, t := range tables {
		if len(t.Rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", t.Title)
		if err := writeTable(&b, t, s.width); err != nil {
			return err
		}
	}
	_, err := s.out.Write([]byte(b.String()))
	return err
}

// writeTable writes a table in columns. Where the last of them would begin outside a terminal of that width, it
// writes a line for each cell that has something.
func writeTable(b *strings.Builder, t *report.Table, width int) error {
	last := len(t.Columns) - 1
	left := 0
	for c := range last {
		widest := utf8.RuneCountInString(t.Columns[c])
		for _, row := range t.Rows {
			widest = max(widest, utf8.RuneCountInString(field(row[c].Text)))
		}
		left += widest + 2
	}
	if width > 0 && left >= width {
		for _, row := range t.Rows {
			fmt.Fprintf(b, "  %s %s\n", t.Columns[0], field(row[0].Text))
			for c, cell := range row[1:] {
				if cell.Text != "" {
					fmt.Fprintf(b, "    %s  %s\n", t.Columns[c+1], field(cell.Text))
				}
			}
		}
		return nil
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\t  %s\n", strings.Join(t.Columns[:last], "\t"), t.Columns[last])
	for _, row := range t.Rows {
		for _, cell := range row[:last] {
			fmt.Fprintf(w, "%s\t", field(cell.Text))
		}
		fmt.Fprintf(w, "  %s\n", field(row[last].Text))
	}
	return w.Flush()
}
