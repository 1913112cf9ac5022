package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/greedgraph/greed/embedding"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/model"
)

// embedCommand turns graphs into vectors.
type embedCommand struct {
	Model  string `arg:"" type:"existingfile" help:"A model made by greed train."`
	Graphs string `arg:"" help:"The collection: a file, a folder or - for standard input."`
	Out    string `short:"o" required:"" placeholder:"FILE" help:"Where to write: .npy for a NumPy array; any other ending for embeddings with ids, norm and the model's fingerprint."`

	readFlags
}

// Help shows below the usage of the command.
func (embedCommand) Help() string {
	return `
Embeds every graph of a collection on its own. The norm of the difference of two
vectors is the predicted distance; docs/formats.md says how a model describes its
norm.

    greed embed ged.safetensors molecules.smi -o molecules.npy
`
}

func (c *embedCommand) Run(s *session) error {
	m, err := model.LoadIndexable(c.Model)
	if err != nil {
		return err
	}
	records, err := c.load(s, c.Graphs, graph.NewVocabulary())
	if err != nil {
		return err
	}
	vectors, err := m.Embed(s.ctx, graphsOf(records), s.workers)
	if err != nil {
		return err
	}
	n := m.Norm()
	if filepath.Ext(c.Out) == ".npy" {
		err = atomicfile.Write(c.Out, func(w io.Writer) error { return embedding.WriteNPY(w, vectors, n.Dim()) })
	} else {
		set := &embedding.Set{Model: m.Fingerprint(), Norm: n, Vectors: vectors}
		for _, rec := range records {
			set.IDs = append(set.IDs, rec.ID)
		}
		err = set.Save(c.Out)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(struct {
			Out    string `json:"out"`
			Graphs int    `json:"graphs"`
			Dim    int    `json:"dim"`
			Model  string `json:"model"`
		}{c.Out, len(records), n.Dim(), m.Fingerprint()})
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %d coordinates each\n", c.Out, count(len(records), "vector"), n.Dim())
	return err
}
