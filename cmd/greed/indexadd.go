package main

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/store"
)

// indexAdd adds graphs to an index.
type indexAdd struct {
	Index  string `arg:"" help:"The index."`
	Graphs string `arg:"" help:"What to add: a file, a folder, - for standard input, or a SMILES."`

	readFlags
}

// Help shows below the usage of the command.
func (indexAdd) Help() string {
	return `
Embeds graphs with the models of the index and adds them, 4096 at a time: those that
were added stay whatever stops it, and adding them again replaces them by themselves.
Others can search the index meanwhile.

    greed index add molecules.index more.smi
`
}

func (c *indexAdd) Run(s *session) error {
	added, replaced := 0, 0
	var batch []dataset.Record
	shown := s.bar(-1, "graphs")
	defer shown.finish()
	flush := func() error {
		n, err := store.Add(s.ctx, c.Index, batch, s.workers)
		if err != nil {
			return err
		}
		shown.add(len(batch))
		added += len(batch) - n
		replaced += n
		batch = batch[:0]
		return nil
	}
	err := c.visit(s, c.Graphs, graph.NewVocabulary(), func(rec dataset.Record) error {
		if batch = append(batch, rec); len(batch) < batchSize {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		err = store.SettleGrown(s.ctx, c.Index, s.workers)
	}
	if err != nil {
		return err
	}
	if s.json {
		return s.out.printJSON(struct {
			Index    string `json:"index"`
			Added    int    `json:"added"`
			Replaced int    `json:"replaced"`
		}{c.Index, added, replaced})
	}
	_, err = fmt.Fprintf(s.out, "%s: %s added, %d replaced\n", c.Index, count(added, "graph"), replaced)
	return err
}
