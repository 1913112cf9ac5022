package main

import (
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// writeFlags say where graphs are written.
type writeFlags struct {
	Output string `short:"o" default:"-" placeholder:"FILE" help:"File to write, or - for standard output (default). A name ending in .gz or .zst is compressed."`
	To     string `placeholder:"FORMAT" help:"Format to write (default: by the ending of the file name, or t/v/e for standard output)."`
}

// write writes the records that fill emits. A file appears whole
// or not at all.
func (f *writeFlags) write(s *session, fill func(*dataset.Writer) error) error {
	var notes []string
	err := f.writeFile(s, func(w *dataset.Writer) error {
		err := fill(w)
		notes = w.Notes()
		return err
	})
	if err != nil {
		return err
	}
	for _, note := range notes {
		s.note("%s: %s", f.name(), note)
	}
	return nil
}

// name is the name of the output in messages.
func (f *writeFlags) name() string {
	if f.Output == "-" {
		return "output"
	}
	return f.Output
}

func (f *writeFlags) writeFile(s *session, fill func(*dataset.Writer) error) error {
	if f.Output != "-" {
		return dataset.Create(f.Output, f.To, fill)
	}
	format := f.To
	if format == "" {
		format = "tve"
	}
	w, err := dataset.NewWriter(s.out, format)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		return err
	}
	return w.Close()
}

type datasetConvert struct {
	Input string `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	writeFlags
	readFlags
}

// Help is printed below the usage of the command.
func (datasetConvert) Help() string {
	return `
Graphs are read and written one at a time, so files may be larger than memory.
Notes say what the format cannot hold and what had to be added. A graph that it cannot
hold at all is an error; --skip-bad leaves it out instead.

    greed dataset convert mols.sdf -o mols.smi
    greed dataset convert graphs.gxl -o graphs.txt.gz --node-label chem
    greed dataset convert c1ccccc1 --to json

` + formatsHelp()
}

// Run converts.
func (c *datasetConvert) Run(s *session) error {
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	c.mixed, c.blocks = true, true
	return c.write(s, func(w *dataset.Writer) error {
		return c.visit(s, c.Input, graph.NewVocabulary(), func(rec dataset.Record) error {
			shown.Add(1)
			return w.Write(rec)
		})
	})
}

// formatsHelp lists the formats.
func formatsHelp() string {
	text := "Formats:\n\n"
	for _, f := range dataset.Formats() {
		text += "    " + f.Name + ": " + f.Description
		switch {
		case !f.Writes:
			text += " (read only)"
		case !f.Reads:
			text += " (write only)"
		}
		text += "\n"
	}
	return text
}
