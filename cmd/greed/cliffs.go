package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/search/cliffs"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// cliffsCommand joins near pairs with an attribute.
type cliffsCommand struct {
	Collection string `arg:"" help:"A file, a folder or an index of graphs."`
	Other      string `arg:"" optional:"" help:"A second collection; pairs then have one graph of each."`

	Attribute string  `placeholder:"NAME" help:"The attribute whose values are compared, a number such as pIC50; without it pairs and transformations are counted only."`
	Radius    float64 `default:"2" placeholder:"X" help:"The greatest distance of a pair."`
	Pairs     string  `placeholder:"FILE" help:"Pairs that greed join has written, in place of a search for them."`
	K         int     `short:"k" default:"10" placeholder:"N" help:"How many of each list are shown; 0: all. JSON and CSV have all in any case."`
	Out       string  `short:"o" placeholder:"FILE" help:"Write the pairs (.csv), or a page of everything with drawings (.html, .md)."`

	operation.Priced
	readFlags
}

// Help shows below the usage of the command.
func (cliffsCommand) Help() string {
	return `
Finds the pairs within a distance, proven complete, and says what they mean for an attribute:
activity cliffs, which are near in structure and far in the attribute; transformations, the
exchanges of fragments that molecules differ by, with the mean change of the attribute where
nothing else differs, and its standard error; and duplicates, which are at distance 0.

    greed cliffs series.sdf --attribute pIC50
    greed cliffs series.sdf --attribute pIC50 --radius 3 -o cliffs.html
    greed cliffs ours.sdf theirs.smi --attribute pIC50       pairs between two collections

For large collections let greed join find the pairs once; it resumes after a stop:

    greed join series.sdf --radius 2 -o near.csv
    greed cliffs series.sdf --pairs near.csv --attribute pIC50

Attributes of which ratios count, such as IC50 in nM, are to be given as logarithms.
`
}

// Run finds and judges the pairs.
func (c *cliffsCommand) Run(s *session) error {
	costs, err := c.Or(edit.Uniform())
	if err != nil {
		return usage(err)
	}
	c.compare(costs)
	if !(c.Radius >= 0) || c.K < 0 {
		return usageError("--radius and -k want numbers of at least 0")
	}
	switch filepath.Ext(c.Out) {
	case "", ".csv", ".html", ".md":
	default:
		return usageError(fmt.Sprintf("-o %s: want a name that ends in .csv, .html or .md", c.Out))
	}
	job := cliffs.Job{Attribute: c.Attribute, Costs: costs, Workers: s.workers}
	vocab := graph.NewVocabulary()
	if job.Queries, err = c.graphs(s, c.Collection, vocab); err != nil {
		return err
	}
	if c.Other != "" {
		if job.Targets, err = c.graphs(s, c.Other, vocab); err != nil {
			return err
		}
	}
	if job.Pairs, err = c.near(s, &job); err != nil {
		return err
	}
	shown, last := s.bar(len(job.Pairs), "pairs"), 0
	job.Progress = func(done int) { shown.add(done - last); last = done }
	found, err := job.Run(s.ctx)
	shown.finish()
	if err != nil {
		return err
	}
	switch filepath.Ext(c.Out) {
	case ".csv":
		err = c.writeCSV(found)
	case ".html", ".md":
		err = c.page(s, &job, found)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(struct {
			Attribute string `json:"attribute,omitempty"`
			*cliffs.Findings
		}{c.Attribute, found})
	}
	return c.print(s, &job, found)
}

// near returns the pairs: those of a file, or all within the radius.
func (c *cliffsCommand) near(s *session, job *cliffs.Job) ([]truth.Pair, error) {
	targets := job.Targets
	if targets == nil {
		targets = job.Queries
	}
	if c.Pairs != "" {
		table, err := truth.ReadFile(c.Pairs, idsOf(job.Queries), idsOf(targets))
		if err != nil {
			return nil, err
		}
		return table.Pairs, nil
	}
	dir, err := os.MkdirTemp("", "greed-cliffs")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	shown := s.bar(len(job.Queries), "graphs")
	defer shown.finish()
	var last join.Progress
	table, err := join.Job{
		Queries: job.Queries, Targets: job.Targets, Task: greed.GED, Costs: job.Costs, Radius: c.Radius, Workers: s.workers,
		Progress: func(p join.Progress) { shown.add(p.Done - last.Done); last = p },
	}.Run(s.ctx, filepath.Join(dir, "journal"))
	if err != nil {
		return nil, err
	}
	return table.Pairs, nil
}

// tables returns what was found as tables of up to most rows each; 0: all.
func (c *cliffsCommand) tables(f *cliffs.Findings, most int) (pairs, effects, duplicates *report.Table) {
	first := func(n int) int {
		if most > 0 {
			return min(n, most)
		}
		return n
	}
	shown := func(n int, noun string) string {
		if k := first(n); k < n {
			return fmt.Sprintf("%d of %s", k, grouped(n, noun))
		}
		return grouped(n, noun)
	}
	judged := c.Attribute != ""
	pairs = &report.Table{Title: shown(len(f.Pairs), "pair"), Columns: []string{"GED", "from", "to"}}
	duplicates = &report.Table{Title: shown(len(f.Duplicates), "duplicate"), Columns: []string{"id", "the same as"}}
	effects = &report.Table{Title: shown(len(f.Effects), "transformation"), Columns: []string{"pairs"}}
	if judged {
		values := []string{c.Attribute, "becomes", "change"}
		pairs.Columns, duplicates.Columns = append(pairs.Columns, values...), append(duplicates.Columns, values...)
		pairs.Title += ", the greatest change first"
		effects.Columns = append(effects.Columns, "known", "mean change", "error", "up", "down")
	}
	pairs.Columns = append(pairs.Columns, "by")
	effects.Columns = append(effects.Columns, "transformation")
	values := func(p *cliffs.Pair) []report.Cell {
		if !judged {
			return nil
		}
		return []report.Cell{decimal(p.Old), decimal(p.New), decimal(p.Change)}
	}
	for i := range f.Pairs[:first(len(f.Pairs))] {
		p := &f.Pairs[i]
		row := append([]report.Cell{report.Text(within(p)), report.Text(p.Query), report.Text(p.Target)}, values(p)...)
		pairs.Rows = append(pairs.Rows, append(row, report.Text(by(p))))
	}
	for i := range f.Duplicates[:first(len(f.Duplicates))] {
		p := &f.Duplicates[i]
		duplicates.Rows = append(duplicates.Rows, append([]report.Cell{report.Text(p.Query), report.Text(p.Target)}, values(p)...))
	}
	for _, e := range f.Effects[:first(len(f.Effects))] {
		row := []report.Cell{report.Short(float64(e.Pairs))}
		if judged {
			row = append(row, report.Short(float64(e.Known)), decimal(e.Mean), decimal(e.Error), report.Short(float64(e.Up)), report.Short(float64(e.Down)))
		}
		effects.Rows = append(effects.Rows, append(row, report.Text(e.String())))
	}
	return pairs, effects, duplicates
}

// decimal returns a number of three digits.
func decimal(x *float64) report.Cell {
	if x == nil {
		return report.Text(report.Absent)
	}
	return report.Short(*x)
}

// within says what is known of the distance of a pair.
func within(p *cliffs.Pair) string {
	if p.Lower == p.Upper {
		return number(p.Upper)
	}
	return number(p.Lower) + " to " + number(p.Upper)
}

// by says which transformations a pair differs by.
func by(p *cliffs.Pair) string {
	var texts []string
	for _, t := range p.Transformations {
		texts = append(texts, t.String())
	}
	return strings.Join(texts, "; ")
}

// align writes a table in columns, the last of which reads from the left.
func align(out io.Writer, t *report.Table) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	last := len(t.Columns) - 1
	fmt.Fprintf(w, "%s\t  %s\n", strings.Join(t.Columns[:last], "\t"), t.Columns[last])
	for _, row := range t.Rows {
		for _, cell := range row[:last] {
			fmt.Fprintf(w, "%s\t", field(cell.Text))
		}
		fmt.Fprintf(w, "  %s\n", field(row[last].Text))
	}
	return w.Flush()
}

// print writes the lists for people.
func (c *cliffsCommand) print(s *session, job *cliffs.Job, f *cliffs.Findings) error {
	var b strings.Builder
	fmt.Fprintln(&b, c.summary(job, f))
	pairs, effects, duplicates := c.tables(f, c.K)
	for _, t := range []*report.Table{pairs, effects, duplicates} {
		if len(t.Rows) > 0 {
			fmt.Fprintf(&b, "\n%s\n", t.Title)
			if err := align(&b, t); err != nil {
				return err
			}
		}
	}
	_, err := s.out.Write([]byte(b.String()))
	return err
}

// summary says what was searched, and what that is worth.
func (c *cliffsCommand) summary(job *cliffs.Job, f *cliffs.Findings) string {
	of := grouped(len(job.Queries), "graph")
	if job.Targets != nil {
		of += " and " + grouped(len(job.Targets), "other")
	}
	text := fmt.Sprintf("%s of %s within GED %s, proven complete", grouped(len(job.Pairs), "pair"), of, number(c.Radius))
	if c.Pairs != "" {
		text = fmt.Sprintf("%s of %s, of %s", grouped(len(job.Pairs), "pair"), filepath.Base(c.Pairs), of)
	}
	if c.Attribute == "" {
		return text
	}
	known := 0
	for _, list := range [][]cliffs.Pair{f.Pairs, f.Duplicates} {
		for i := range list {
			if list[i].Change != nil {
				known++
			}
		}
	}
	return text + fmt.Sprintf("; both graphs of %s have a number for %s", grouped(known, "pair"), printable(c.Attribute))
}

// writeCSV writes all pairs.
func (c *cliffsCommand) writeCSV(f *cliffs.Findings) error {
	return atomicfile.Write(c.Out, func(w io.Writer) error {
		rows := csv.NewWriter(w)
		row := func(cells ...string) { _ = rows.Write(cells) } // the error stays
		row("query", "target", "query_smiles", "target_smiles", "lower", "upper", "old", "new", "change", "text", "smirks")
		value := func(x *float64) string {
			if x == nil {
				return ""
			}
			return number(*x)
		}
		for _, list := range [][]cliffs.Pair{f.Pairs, f.Duplicates} {
			for i := range list {
				p := &list[i]
				var texts, smirks []string
				for _, t := range p.Transformations {
					texts, smirks = append(texts, t.Text), append(smirks, t.SMIRKS())
				}
				row(csvcell.Guard(p.Query), csvcell.Guard(p.Target), csvcell.Guard(p.QuerySMILES), csvcell.Guard(p.TargetSMILES), number(p.Lower), number(p.Upper),
					value(p.Old), value(p.New), value(p.Change), csvcell.Guard(strings.Join(texts, "; ")), csvcell.Guard(strings.Join(smirks, " ")))
			}
		}
		rows.Flush()
		return rows.Error()
	})
}

// pageDrawn is how many pairs a page draws.
const pageDrawn = 12

// page writes a report.
func (c *cliffsCommand) page(s *session, job *cliffs.Job, f *cliffs.Findings) error {
	const most = 500 // rows
	pairs, effects, duplicates := c.tables(f, most)
	d := &report.Document{Title: "Near pairs of " + filepath.Base(c.Collection), Lead: c.summary(job, f) + "."}
	d.Facts = append(d.Facts, report.Fact{Name: "Costs", Value: greed.CostsName(job.Costs)})
	title := "Near pairs"
	if c.Attribute != "" {
		d.Title += ", by " + c.Attribute
		title = "Activity cliffs"
	}
	find, err := mapper(s.ctx, edit.GED, job.Costs)
	if err != nil {
		return err
	}
	section := report.Section{Title: title, Text: "Pairs that are near in structure, those first that are farthest apart in the attribute."}
	for i := range f.Pairs[:min(len(f.Pairs), pageDrawn)] {
		p := &f.Pairs[i]
		q, t := record(job, p, 0), record(job, p, 1)
		m, err := find(q.Graph, t.Graph)
		if err != nil {
			return err
		}
		name := field(p.Query) + " → " + field(p.Target)
		if p.Change != nil {
			name += fmt.Sprintf(", %s %s → %s", c.Attribute, decimal(p.Old).Text, decimal(p.New).Text)
		}
		section.Blocks = append(section.Blocks, report.Block{Scene: report.PairScene(name, q.Graph, t.Graph, m, report.Mapping{EdgeLabels: edgeLabels(job.Costs)})})
	}
	section.Blocks = append(section.Blocks, report.Block{Table: pairs})
	d.Sections = append(d.Sections, section)
	if len(effects.Rows) > 0 {
		d.Sections = append(d.Sections, report.Section{
			Title:  "Transformations",
			Text:   "What fragments are exchanged in pairs that differ by nothing else, with the mean change of the attribute and the standard error of the mean. Pairs that share a molecule are not independent, so that errors are rather larger than said.",
			Blocks: []report.Block{{Table: effects}},
		})
	}
	if len(duplicates.Rows) > 0 {
		d.Sections = append(d.Sections, report.Section{
			Title: "Duplicates", Text: "Pairs at distance 0: what is not compared, such as charges and stereochemistry of molecules, may differ.",
			Blocks: []report.Block{{Table: duplicates}},
		})
	}
	return d.WriteFile(c.Out)
}

// record returns a side of a pair: 0 is the query. Pairs within one collection may stand
// either way round.
func record(job *cliffs.Job, p *cliffs.Pair, side int) *dataset.Record {
	if side == 1 && job.Targets != nil {
		return &job.Targets[p.At[1]]
	}
	return &job.Queries[p.At[side]]
}
