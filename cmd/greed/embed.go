package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/part"
)

// embedCommand turns graphs into vectors.
type embedCommand struct {
	Model  string `arg:"" type:"model" help:"${embed_model}"`
	Graphs string `arg:"" help:"The collection: a file, a folder or - for standard input."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"${embed_out}"`
	hopsFlags
	partFlag

	readFlags
}

func (c *embedCommand) Run(s *session) error {
	if err := errors.Join(c.check(), c.checkOut(c.Out)); err != nil {
		return err
	}
	if c.Part.All() {
		if err := checkVectors(c.Out); err != nil {
			return err
		}
	}
	m, err := loadIndexable(c.Model)
	if err != nil {
		return err
	}
	src, err := c.learnt(s, c.Model, m)
	if err != nil {
		return err
	}
	set := &embedding.Set{Model: m.Fingerprint(), Norm: m.Norm()}
	add := c.collection
	if c.Hops != nil {
		add = c.neighbourhoods
	}
	work, err := add(s, src, m, set)
	if err != nil {
		return err
	}
	if c.Part.All() {
		err = saveVectors(c.Out, set)
	} else {
		err = c.savePart(work, m, set)
	}
	if err != nil {
		return err
	}
	return printVectors(s, c.Out, set)
}

// embedWork is what was read, and which of the graphs are of the share.
type embedWork struct {
	inputs *part.Inputs
	graphs int
	units  []int
}

// collection embeds the graphs of the share while all are read.
func (c *embedCommand) collection(s *session, src greed.Source, m *model.Model, set *embedding.Set) (embedWork, error) {
	w := embedWork{inputs: part.NewInputs()}
	_, err := s.batches(src, c.Graphs, func(batch []dataset.Record) error {
		var share []dataset.Record
		for i := range batch {
			if unit := w.inputs.Len(); c.Part.Has(unit) {
				w.units, share = append(w.units, unit), append(share, batch[i])
			}
			w.inputs.Add(&batch[i])
		}
		w.graphs = w.inputs.Len()
		rows, err := m.Embed(s.ctx, dataset.Graphs(share), s.workers)
		set.IDs, set.Vectors = append(set.IDs, dataset.IDs(share)...), append(set.Vectors, rows...)
		return err
	})
	return w, err
}

// neighbourhoods embeds those of the nodes of one large graph.
func (c *embedCommand) neighbourhoods(s *session, src greed.Source, m *model.Model,
	set *embedding.Set) (embedWork, error) {
	w := embedWork{inputs: part.NewInputs()}
	large, _, err := c.large(s, src, c.Graphs)
	if err != nil {
		return w, err
	}
	w.inputs.Add(&large.Record)
	w.graphs = large.Record.Graph.N()
	w.units = c.Part.Units(w.graphs)
	set.IDs, set.Vectors, err = large.Embed(s.ctx, m, w.units)
	return w, err
}

// savePart writes the vectors of a share.
func (c *embedCommand) savePart(w embedWork, m *model.Model, set *embedding.Set) error {
	var settings struct {
		Hops, MaxNodes *int `json:",omitempty"`
	}
	if c.Hops != nil {
		settings.Hops, settings.MaxNodes = c.Hops, &c.MaxNodes
	}
	h := c.header(part.Embed, w.graphs, w.inputs.Sum(), settings)
	h.Models = []part.Model{{Name: m.Metadata().Task.String(), Fingerprint: set.Model, Norm: set.Norm}}
	return atomicfile.Write(c.Out, func(out io.Writer) error {
		return h.WriteVectors(out, w.units, set.IDs,
			set.Vectors)
	})
}

// checkVectors returns an error unless vectors can be written to a file of this name.
func checkVectors(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".npy" && ext != ".parquet" {
		return usageError(fmt.Sprintf("vectors are written to files whose names end in .npy or .parquet, not to %s",
			path))
	}
	return nil
}

// saveVectors writes vectors to a file, by its ending.
func saveVectors(path string, set *embedding.Set) error {
	if strings.ToLower(filepath.Ext(path)) == ".parquet" {
		return atomicfile.Write(path, set.WriteParquet)
	}
	return atomicfile.Write(path, func(w io.Writer) error { return embedding.WriteNPY(w, set.Vectors, set.Norm.Dim()) })
}

// printVectors prints what was written.
func printVectors(s *session, path string, set *embedding.Set) error {
	return s.answer(struct {
		Out    string `json:"out"`
		Graphs int    `json:"graphs"`
		Dim    int    `json:"dim"`
		Model  string `json:"model"`

		Notes []dataset.Note `json:"notes,omitempty"`
	}{path, set.Len(), set.Norm.Dim(), set.Model, s.allNotes()}, "%s: %s, %d coordinates each\n", path,
		count(set.Len(), "vector"), set.Norm.Dim())
}
