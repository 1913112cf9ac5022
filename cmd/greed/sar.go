package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/internal/csvcell"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/report"
)

// sarCommand takes a series of molecules apart.
type sarCommand struct {
	Core       string `arg:"" help:"${sar_core}"`
	Collection string `arg:"" optional:"" help:"${sar_collection}"`
	operation.RGroups
	Out string `short:"o" placeholder:"FILE" help:"${sar_out}"`
	readFlags
}

// Run takes the molecules apart and prints the table.
func (c *sarCommand) Run(s *session) error {
	switch strings.ToLower(filepath.Ext(c.Out)) {
	case "", ".csv", ".sdf", ".sd", ".html":
	default:
		return usageError(fmt.Sprintf("-o %s: want a name that ends in .csv, .sdf or .html", c.Out))
	}
	if c.Collection == "" && !chemical(c.Core) && isFile(c.Core) {
		return usageError(fmt.Sprintf("%[1]s is a file, and no core: name one before it (greed sar CORE %[1]s)",
			c.Core))
	}
	request := operation.SAR{Core: c.Core, RGroups: c.RGroups}
	if err := readMolBlock(&request.Core); err != nil {
		return err
	}
	opt, err := request.Resolve(operation.Limits{Workers: s.workers})
	if wrong, ok := errors.AsType[*operation.Error](err); ok && wrong.Field == "core" {
		return usageError("core " + wrong.Reason)
	}
	if err != nil {
		return usage(err)
	}
	if read := opt.Core.Read(); read != "" {
		s.note("%s", read)
	}
	if err := c.needed(s, c.Collection); err != nil {
		return err
	}
	src := greed.Source{Bundled: true}
	var of *greed.Collection
	if c.Collection == "" || isBundled(c.Collection) {
		of, err = greed.Open(s.ctx, src)
	} else {
		src = c.source(s)
		src.Blocks = c.sdf()
		of, err = s.open(src, c.Collection)
	}
	if err != nil {
		return err
	}
	defer of.Close()
	if c.Out != "" || !s.json { // files have all, and text says how many there are
		opt.K = 0
	}
	if c.Out != "" && len(opt.Show) == 0 {
		opt.Show = attributesOf(of)
	}
	shown := s.bar(of.Len(), "molecules")
	opt.Progress = func(done, _ int) { shown.Reach(done) }
	found, err := of.SAR(s.ctx, opt)
	shown.Finish()
	if err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(c.Out)) {
	case ".csv":
		err = writeSAR(c.Out, found, opt.Show)
	case ".sdf", ".sd":
		err = c.writeSDF(s, of, found)
	case ".html":
		err = c.page(of, found, &opt)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(found)
	}
	return printTables(s, found.Verdict, "core "+printable(found.Core), sarTable(found, opt.Show, rowsOf(c.K)))
}

// chemical reports whether a name is that of a file with a drawn molecule, which may be a core.
func chemical(name string) bool {
	return slices.Contains([]string{".mol", ".mdl", ".sdf", ".sd"}, strings.ToLower(filepath.Ext(name)))
}

// attributesOf returns the names of all attributes in a collection.
func attributesOf(of *greed.Collection) []string {
	names := make(map[string]bool)
	for rec := range of.All() {
		for name := range rec.Attributes {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// sarTable returns up to most rows for people; 0: all.
func sarTable(f *greed.SAR, show []string, most int) *report.Table {
	rows := f.Rows
	if most > 0 && most < len(rows) {
		rows = rows[:most]
	}
	t := &report.Table{Title: titled(f.Total, len(rows), "molecule"), Columns: []string{"id"}}
	for _, column := range f.Columns {
		t.Columns = append(t.Columns, column.Name)
	}
	beside := func(has func(*greed.SARRow) bool) bool {
		return slices.ContainsFunc(f.Rows, func(r greed.SARRow) bool { return has(&r) })
	}
	edits, rest := beside(func(r *greed.SARRow) bool { return len(r.Edits)+len(r.Bonds) > 0 }),
		beside(func(r *greed.SARRow) bool { return r.Rest != "" })
	if edits {
		t.Columns = append(t.Columns, "differs")
	}
	if rest {
		t.Columns = append(t.Columns, "besides")
	}
	t.Columns = append(append(t.Columns, show...), "SMILES")
	for _, row := range rows {
		cells := []report.Cell{report.Text(row.ID)}
		for _, group := range row.Groups {
			cells = append(cells, report.Text(shortGroup(group)))
		}
		if edits {
			cells = append(cells, report.Text(strings.Join(slices.Concat(row.Edits, row.Bonds), "; ")))
		}
		if rest {
			cells = append(cells, report.Text(row.Rest))
		}
		for _, name := range show {
			cell := report.Text("")
			if value, ok := row.Attributes[name]; ok {
				cell = report.Text(dataset.AttributeText(value))
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, append(cells, report.Text(row.SMILES)))
	}
	return t
}

// shortGroup writes a group that is attached at one position without it.
func shortGroup(smiles string) string {
	switch first, rest, ok := strings.Cut(smiles, "]"); {
	case smiles == "":
		return report.Absent
	case rest == "[H]":
		return "H"
	case ok && strings.HasPrefix(first, "[*:") && !strings.Contains(rest, "[*:"):
		return rest
	}
	return smiles
}

// writeSAR writes all rows as CSV.
func writeSAR(name string, f *greed.SAR, show []string) error {
	return atomicfile.Write(name, func(w io.Writer) error {
		rows := csv.NewWriter(w)
		header := []string{"id", "smiles"}
		for _, column := range f.Columns {
			header = append(header, column.Name)
		}
		header = append(header, "distance", "edits", "bonds", "rest")
		for _, name := range show {
			header = append(header, csvcell.Guard(name))
		}
		_ = rows.Write(header) // the error stays
		for _, row := range f.Rows {
			cells := []string{csvcell.Guard(row.ID), csvcell.Guard(row.SMILES)}
			for _, group := range row.Groups {
				cells = append(cells, csvcell.Guard(group))
			}
			cells = append(cells, number(float64(row.Distance)))
			for _, text := range []string{strings.Join(row.Edits, "; "), strings.Join(row.Bonds, "; "), row.Rest} {
				cells = append(cells, csvcell.Guard(text))
			}
			for _, name := range show {
				text := ""
				if value, ok := row.Attributes[name]; ok {
					text = csvcell.Guard(dataset.AttributeText(value))
				}
				cells = append(cells, text)
			}
			_ = rows.Write(cells)
		}
		rows.Flush()
		return rows.Error()
	})
}

// sdf reports whether the output is an SDF.
func (c *sarCommand) sdf() bool {
	return slices.Contains([]string{".sdf", ".sd"}, strings.ToLower(filepath.Ext(c.Out)))
}

// writeSDF writes all molecules that have the core, with the groups as items that are named as the columns.
func (c *sarCommand) writeSDF(s *session, of *greed.Collection, f *greed.SAR) error {
	rows := make(map[string]*greed.SARRow, len(f.Rows))
	for i := range f.Rows {
		rows[f.Rows[i].ID] = &f.Rows[i]
	}
	var lost []dataset.Note
	err := dataset.Create(c.Out, "sdf", func(w *dataset.Writer) error {
		for rec := range of.All() {
			row := rows[rec.ID]
			if row == nil {
				continue
			}
			records := []dataset.Record{rec}
			if err := of.Blocks(s.ctx, records); err != nil {
				return err
			}
			rec = records[0]
			rec.Attributes = map[string]any{"distance": row.Distance}
			for i, column := range f.Columns {
				rec.Attributes[column.Name] = row.Groups[i]
			}
			for name, text := range map[string]string{
				"edits": strings.Join(row.Edits, "; "), "bonds": strings.Join(row.Bonds, "; "), "rest": row.Rest,
			} {
				if text != "" {
					rec.Attributes[name] = text
				}
			}
			dataset.AddAttributes(rec.Attributes, row.Attributes)
			if err := w.Write(rec); err != nil {
				return err
			}
		}
		lost = w.Notes()
		return nil
	})
	s.remark(c.Out, lost)
	return err
}

// page writes a report: the table, and the first molecules with the core laid on them.
func (c *sarCommand) page(of *greed.Collection, f *greed.SAR, opt *greed.SAROptions) error {
	d := &report.Document{Title: "R-groups of " + filepath.Base(c.Collection), Lead: f.Verdict + ".",
		Facts: []report.Fact{{Name: "Core", Value: f.Core}}}
	if c.Collection == "" {
		d.Title = "R-groups of the bundled molecules"
	}
	section := report.Section{Title: "R-groups", Text: "What is at each position. A group that is attached at " +
		"several is in the columns of all."}
	section.Blocks = append(section.Blocks, report.Block{Table: sarTable(f, opt.Show, 500)})
	section.Blocks = append(section.Blocks, sarMaps(f, opt.Show)...)
	drawn := report.Section{Title: "The core in molecules",
		Text: "The core, and the first molecules with it; numbers say which atom of the core an atom is."}
	vocab := graph.NewVocabulary()
	core, err := opt.Core.Graph(vocab)
	if err != nil {
		return err
	}
	graphs := make(map[string]*graph.Graph)
	first := f.Rows[:min(len(f.Rows), pageDrawn)]
	for rec := range of.All() {
		if slices.ContainsFunc(first, func(r greed.SARRow) bool { return r.ID == rec.ID }) {
			graphs[rec.ID] = graph.In(vocab, rec.Graph)
		}
	}
	for _, row := range first {
		if g := graphs[row.ID]; g != nil && row.Map.Check(core, g) == nil {
			drawn.Blocks = append(drawn.Blocks, report.Block{Scene: report.PairScene(field(row.ID), core, g, row.Map,
				report.Mapping{Sub: true, EdgeLabels: true})})
		}
	}
	d.Sections = append(d.Sections, section, drawn)
	return d.WriteFile(c.Out)
}
