package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/part"
)

// embedCommand turns graphs into vectors.
type embedCommand struct {
	Model  string `arg:"" type:"existingfile" help:"A model made by greed train."`
	Graphs string `arg:"" help:"The collection: a file, a folder or - for standard input."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Where to write: .npy for a NumPy array, .parquet for a table of ids and vectors with the norm and the model's fingerprint."`
	partFlag

	readFlags
}

func (c *embedCommand) Run(s *session) error {
	if err := c.checkOut(c.Out); err != nil {
		return err
	}
	if c.Part.All() {
		if err := checkVectors(c.Out); err != nil {
			return err
		}
	}
	m, err := model.LoadIndexable(c.Model)
	if err != nil {
		return err
	}
	if err := c.learnt(c.Model, m); err != nil {
		return err
	}
	own, inputs := sharedVectors{models: []*model.Model{m}}, part.NewInputs()
	err = c.batches(s, c.Graphs, func(batch []dataset.Record) error { return own.add(s, c.Part, batch, inputs) })
	if err != nil {
		return err
	}
	set := &embedding.Set{Model: m.Fingerprint(), Norm: m.Norm(), IDs: own.ids, Vectors: own.vectors}
	if c.Part.All() {
		err = saveVectors(c.Out, set)
	} else {
		err = own.write(c.Out, c.header(part.Embed, inputs.Len(), inputs.Sum(), struct{}{}))
	}
	if err != nil {
		return err
	}
	return printVectors(s, c.Out, set)
}

// checkVectors returns an error unless vectors can be written to a file of this name.
func checkVectors(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".npy" && ext != ".parquet" {
		return usageError(fmt.Sprintf("vectors are written to files whose names end in .npy or .parquet, not to %s", path))
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
	}{path, set.Len(), set.Norm.Dim(), set.Model}, "%s: %s, %d coordinates each\n", path, count(set.Len(), "vector"), set.Norm.Dim())
}
