package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/search/cliffs"
	"github.com/greedgraph/greed/truth"
)

// cliffsCommand joins near pairs with an attribute.
type cliffsCommand struct {
	nearFlags
	operation.Cliffs
	Pairs string `placeholder:"FILE" help:"Pairs that greed join has written, in place of a search for them."`
	Out   string `short:"o" placeholder:"FILE" help:"${cliffs_out}"`
}

// Run finds the pairs and prints them.
func (c *cliffsCommand) Run(s *session) error {
	request := c.Cliffs
	if !s.json || c.Out != "" { // files have all
		request.K = nil
	}
	plan, err := s.planned(&request, 0)
	if err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(c.Out)) {
	case "", ".csv", ".html":
	default:
		return usageError(fmt.Sprintf("-o %s: want a name that ends in .csv or .html", c.Out))
	}
	if c.Pairs != "" && (c.Radius != nil || c.Filter != nil || c.Fragments != nil) {
		return usageError("--pairs gives the pairs: leave out --radius, --fragments and --filter")
	}
	in, finish, err := c.open(s, plan)
	if err != nil {
		return err
	}
	defer finish()
	if c.Pairs != "" {
		if in.Pairs, err = pairsOf(c.Pairs, in.Collection, in.Other); err != nil {
			return err
		}
	}
	found, err := carryOut[greed.Cliffs](s.ctx, plan, in)
	if err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(c.Out)) {
	case ".csv":
		err = c.writeCSV(found)
	case ".html":
		err = c.page(s, in.Collection, in.Other, found)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(found)
	}
	return c.print(s, found)
}

// pairsOf returns the pairs of a file, by the positions of their graphs.
func pairsOf(file string, of, other *greed.Collection) ([]truth.Pair, error) {
	listed := func(c *greed.Collection) (ids []string, positions []int32) {
		for p, rec := range c.Listing() {
			ids, positions = append(ids, rec.ID), append(positions, int32(p))
		}
		return ids, positions
	}
	ids, at := listed(of)
	otherIDs, otherAt := ids, at
	if other != nil {
		otherIDs, otherAt = listed(other)
	}
	table, err := truth.ReadFile(file, ids, otherIDs)
	if err != nil {
		return nil, err
	}
	pairs := append([]truth.Pair{}, table.Pairs...)
	for i := range pairs {
		pairs[i].Query, pairs[i].Target = at[pairs[i].Query], otherAt[pairs[i].Target]
	}
	return pairs, nil
}

// tables returns what was found as tables of up to most rows each; 0: all.
func (c *cliffsCommand) tables(f *greed.Cliffs, most int) (pairs, effects, duplicates *report.Table) {
	if most == 0 {
		most = math.MaxInt
	}
	withAttribute := c.Attribute != ""
	pairs = &report.Table{Title: titled(len(f.Pairs), most, "pair"), Columns: []string{"GED", "from", "to"}}
	duplicates = &report.Table{Title: titled(len(f.Duplicates), most, "duplicate"),
		Columns: []string{"id", "the same as"}}
	effects = &report.Table{Title: titled(len(f.Effects), most, "transformation"), Columns: []string{"pairs"}}
	if withAttribute {
		values := []string{c.Attribute, "becomes", "change"}
		pairs.Columns, duplicates.Columns = append(pairs.Columns, values...), append(duplicates.Columns, values...)
		pairs.Title += ", the greatest change first"
		effects.Columns = append(effects.Columns, "known", "mean change", "95 % interval", "up", "down")
	}
	pairs.Columns = append(pairs.Columns, "by")
	duplicates.Columns = append(duplicates.Columns, "by")
	censored := slices.ContainsFunc(f.Effects, func(e cliffs.Effect) bool { return e.Censored > 0 })
	if censored {
		effects.Columns = append(effects.Columns, "bounds", "mean of all")
	}
	environment := slices.ContainsFunc(f.Effects, func(e cliffs.Effect) bool { return len(e.Environment) > 0 })
	if environment {
		effects.Columns = append(effects.Columns, "on")
	}
	effects.Columns = append(effects.Columns, "transformation")
	values := func(p *cliffs.NearPair) []report.Cell {
		if !withAttribute {
			return nil
		}
		return []report.Cell{
			related(p.OldRelation, p.Old), related(p.NewRelation, p.New), related(p.ChangeRelation, p.Change),
		}
	}
	for i := range f.Pairs[:min(most, len(f.Pairs))] {
		p := &f.Pairs[i]
		row := append([]report.Cell{report.Text(between(p.Lower, p.Upper)), report.Text(p.Query),
			report.Text(p.Target)}, values(p)...)
		pairs.Rows = append(pairs.Rows, append(row, report.Text(by(p))))
	}
	for i := range f.Duplicates[:min(most, len(f.Duplicates))] {
		p := &f.Duplicates[i]
		row := append([]report.Cell{report.Text(p.Query), report.Text(p.Target)}, values(p)...)
		duplicates.Rows = append(duplicates.Rows, append(row, report.Text(by(p))))
	}
	for _, e := range f.Effects[:min(most, len(f.Effects))] {
		row := []report.Cell{report.Short(float64(e.Pairs))}
		if withAttribute {
			row = append(row, report.Short(float64(e.Known)), decimal(e.Mean), interval(e.Low, e.High),
				report.Short(float64(e.Up)), report.Short(float64(e.Down)))
		}
		if censored {
			row = append(row, report.Short(float64(e.Censored)), bounds(e.AtLeast, e.AtMost))
		}
		if environment {
			row = append(row, report.Text(strings.Join(e.Environment, ", ")))
		}
		effects.Rows = append(effects.Rows, append(row, report.Text(e.String())))
	}
	return pairs, effects, duplicates
}

// decimal returns a number with three digits.
func decimal(x *float64) report.Cell {
	if x == nil {
		return report.Text(report.Absent)
	}
	return report.Short(*x)
}

// related returns a number with its relation: >10000.
func related(relation string, x *float64) report.Cell {
	cell := decimal(x)
	if relation != "" {
		return report.Text(relation + cell.Text)
	}
	return cell
}

// bounds returns what is known of a number between two bounds, either of which may be missing.
func bounds(low, high *float64) report.Cell {
	switch {
	case low == nil && high == nil:
		return report.Text(report.Absent)
	case high == nil:
		return report.Text("≥ " + report.Short(*low).Text)
	case low == nil:
		return report.Text("≤ " + report.Short(*high).Text)
	}
	return interval(low, high)
}

// interval returns two numbers with three digits.
func interval(low, high *float64) report.Cell {
	if low == nil || high == nil {
		return report.Text(report.Absent)
	}
	return report.Text(report.Short(*low).Text + " to " + report.Short(*high).Text)
}

// by says which transformations a pair differs by.
func by(p *cliffs.NearPair) string {
	var texts []string
	for _, t := range p.Transformations {
		texts = append(texts, t.String())
	}
	return strings.Join(texts, "; ")
}

// print writes the lists for people.
func (c *cliffsCommand) print(s *session, f *greed.Cliffs) error {
	pairs, effects, duplicates := c.tables(f, rowsOf(c.K))
	return printTables(s, c.summary(f), f.Question.Terms(), pairs, effects, duplicates)
}

// summary says what was searched, and what is known about the answers.
func (c *cliffsCommand) summary(f *greed.Cliffs) string {
	near := f.Total.Pairs + f.Total.Duplicates
	var text string
	if f.Fragments > 0 {
		text = fmt.Sprintf("%s of %s by one fragment of at most %d atoms", grouped(near, "pair"),
			c.sizes(f.Graphs, f.Others), f.Fragments)
		if f.Status == greed.StatusProven {
			text += ", proven complete"
		} else {
			text += "; " + f.Verdict
		}
	} else if c.Pairs == "" {
		text = c.nearFlags.summary(near, f.Graphs, f.Others, greed.GED, *f.Radius, f.Status, f.Verdict)
	} else {
		text = fmt.Sprintf("%s of %s, of %s", grouped(near, "pair"), filepath.Base(c.Pairs),
			c.sizes(f.Graphs, f.Others))
	}
	if c.Attribute == "" {
		return text
	}
	text += fmt.Sprintf("; both graphs of %s have a number for %s", grouped(f.Known, "pair"), printable(c.Attribute))
	if f.Censored > 0 {
		text += fmt.Sprintf(", and of %s one has only a bound, or both", grouped(f.Censored, "pair"))
	}
	return text
}

// writeCSV writes all pairs.
func (c *cliffsCommand) writeCSV(f *greed.Cliffs) error {
	return atomicfile.Write(c.Out, func(w io.Writer) error {
		rows := csv.NewWriter(w)
		row := func(cells ...string) { _ = rows.Write(cells) } // the error stays
		row("query", "target", "query_smiles", "target_smiles", "lower", "upper", "old", "new", "change", "text",
			"smirks")
		value := func(relation string, x *float64) string {
			if x == nil {
				return ""
			}
			return relation + number(*x)
		}
		for _, list := range [][]cliffs.NearPair{f.Pairs, f.Duplicates} {
			for i := range list {
				p := &list[i]
				var texts, smirks []string
				for _, t := range p.Transformations {
					texts = append(texts, t.Text)
					if t.SMIRKS() != "" {
						smirks = append(smirks, t.SMIRKS())
					}
				}
				row(csvcell.Guard(p.Query), csvcell.Guard(p.Target), csvcell.Guard(p.QuerySMILES),
					csvcell.Guard(p.TargetSMILES), number(p.Lower), number(p.Upper),
					value(p.OldRelation, p.Old), value(p.NewRelation, p.New), value(p.ChangeRelation, p.Change),
					csvcell.Guard(strings.Join(texts, "; ")), csvcell.Guard(strings.Join(smirks, " ")))
			}
		}
		rows.Flush()
		return rows.Error()
	})
}

// pageDrawn is how many pairs a page draws.
const pageDrawn = 12

// page writes a report.
func (c *cliffsCommand) page(s *session, of, other *greed.Collection, f *greed.Cliffs) error {
	const most = 500 // rows
	pairs, effects, duplicates := c.tables(f, most)
	d := &report.Document{Title: "Near pairs of " + filepath.Base(c.Collection),
		Lead: c.summary(f) + "; " + f.Question.Terms() + "."}
	d.Facts = append(d.Facts, report.Fact{Name: "Costs", Value: f.Question.Costs})
	title := "Near pairs"
	if c.Attribute != "" {
		d.Title += ", by " + c.Attribute
		title = "Activity cliffs"
	}
	find, err := mapper(s.ctx, edit.GED, f.Costs)
	if err != nil {
		return err
	}
	section := report.Section{Title: title, Text: "Pairs that are near in structure, those first that are farthest " +
		"apart in the attribute."}
	other = cmp.Or(other, of)
	vocab := graph.NewVocabulary()
	for i := range f.Pairs[:min(len(f.Pairs), pageDrawn)] {
		p := &f.Pairs[i]
		q, t := graph.In(vocab, of.Record(p.At[0]).Graph), graph.In(vocab, other.Record(p.At[1]).Graph)
		m, err := find(q, t)
		if err != nil {
			return err
		}
		name := field(p.Query) + " → " + field(p.Target)
		if p.Change != nil {
			name += fmt.Sprintf(", %s %s → %s", c.Attribute, related(p.OldRelation, p.Old).Text,
				related(p.NewRelation, p.New).Text)
		}
		section.Blocks = append(section.Blocks, report.Block{Scene: report.PairScene(name, q, t, m,
			report.Mapping{EdgeLabels: edgeLabels(f.Costs)})})
	}
	section.Blocks = append(section.Blocks, report.Block{Table: pairs})
	d.Sections = append(d.Sections, section)
	if len(effects.Rows) > 0 {
		d.Sections = append(d.Sections, report.Section{
			Title: "Transformations",
			Text: "What fragments are exchanged in pairs that differ by nothing else, with the mean change of the " +
				"attribute and its confidence interval of 95 % by Student's t. \"on\" is what is around the places " +
				"of attachment. Pairs that share a molecule are not independent, so the true intervals are wider.",
			Blocks: []report.Block{{Table: effects}},
		})
	}
	if len(duplicates.Rows) > 0 {
		d.Sections = append(d.Sections, report.Section{
			Title: "Duplicates", Text: "Pairs at distance 0. What is not compared, such as charges and " +
				"stereochemistry of molecules, may differ: \"by\" says how.",
			Blocks: []report.Block{{Table: duplicates}},
		})
	}
	return d.WriteFile(c.Out)
}
