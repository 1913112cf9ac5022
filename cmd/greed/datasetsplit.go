package main

import (
	"fmt"
	"path/filepath"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/sample"
)

// datasetSplit divides a collection.
type datasetSplit struct {
	Input     string    `arg:"" help:"A file, a folder or - for standard input."`
	Out       string    `short:"o" required:"" placeholder:"FILE" help:"Where to write the split, as JSON."`
	Fractions []float64 `default:"0.8,0.1,0.1" placeholder:"A,B,C" help:"${dataset_split_fractions}"`
	Seed      uint64    `default:"1" help:"The same seed splits the same again (default 1)."`

	readFlags
}

func (c *datasetSplit) Run(s *session) error {
	names := sample.PartNames()
	if len(c.Fractions) != len(names) {
		return usageError(fmt.Sprintf("--fractions wants %d numbers, such as 0.8,0.1,0.1", len(names)))
	}
	for _, f := range c.Fractions {
		if !(f > 0) {
			return usageError(fmt.Sprintf("--fractions %v: want numbers above 0", f))
		}
	}
	r, err := s.read(c.source(s), c.Input)
	if err != nil {
		return err
	}
	records := r.Records
	ids := dataset.IDs(records)
	seen := make(map[string]bool)
	for _, id := range ids {
		if seen[id] {
			return fmt.Errorf("%s: two graphs have the id %s: a split names graphs by id", c.Input, field(id))
		}
		seen[id] = true
	}
	p := sample.Partition{
		Collection: filepath.Base(c.Input), Together: "isomorphic graphs", Seed: c.Seed,
		Parts: sample.NewParts(ids, sample.Split(dataset.Graphs(records), c.Fractions, c.Seed), names),
	}
	if err := atomicfile.Write(c.Out, p.Write); err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(p)
	}
	for _, part := range p.Parts {
		if _, err := fmt.Fprintf(s.out, "%s: %s\n", part.Name, count(len(part.IDs), "graph")); err != nil {
			return err
		}
	}
	return nil
}
