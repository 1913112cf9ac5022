package main

import (
	"cmp"

	"github.com/greedgraph/greed/dataset"
)

// writeFlags say where graphs are written.
type writeFlags struct {
	Output string `short:"o" default:"-" placeholder:"FILE" help:"${write_output}"`
	To     string `placeholder:"FORMAT" help:"${write_to}"`
}

// write writes the records that fill emits. A file appears whole
// or not at all.
func (f *writeFlags) write(s *session, fill func(*dataset.Writer) error) error {
	if s.json {
		return usageError("--json has no effect on graphs that are written: leave it out, and give --to json for JSON")
	}
	var notes []dataset.Note
	err := f.writeFile(s, func(w *dataset.Writer) error {
		err := fill(w)
		notes = w.Notes()
		return err
	})
	if err != nil {
		return err
	}
	s.remark(f.name(), notes)
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
	return dataset.WriteTo(s.out, cmp.Or(f.To, "tve"), fill)
}

type datasetConvert struct {
	Input string `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	writeFlags
	readFlags
}

// Run converts.
func (c *datasetConvert) Run(s *session) error {
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	src := c.source(s)
	src.Mixed, src.Blocks = true, true
	return c.write(s, func(w *dataset.Writer) error {
		_, err := s.each(src, c.Input, func(rec dataset.Record) error {
			shown.Add(1)
			return w.Write(rec)
		})
		return err
	})
}
