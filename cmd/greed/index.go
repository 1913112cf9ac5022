package main

import (
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/graph"
)

// indexCommand groups what is done with indexes.
type indexCommand struct {
	Build indexBuild `cmd:"" help:"Make an index of a collection."`
}

// indexBuild makes an index.
type indexBuild struct {
	Graphs string   `arg:"" help:"The collection: a file, a folder or - for standard input."`
	Out    string   `short:"o" required:"" placeholder:"DIR" help:"The index, a new folder."`
	Model  []string `type:"existingfile" placeholder:"FILE" help:"Embed the collection with this model; may be given twice, for ged and for sed. Molecules are embedded with the bundled models by default."`

	readFlags
}

// Help shows below the usage of the command.
func (indexBuild) Help() string {
	return `
Reads and embeds a collection once, so that it need not be done for every search.

    greed index build molecules.smi -o molecules.index
    greed query molecules.index CCO
`
}

func (c *indexBuild) Run(s *session) error {
	vocab := graph.NewVocabulary()
	records, err := c.load(s, c.Graphs, vocab)
	if err != nil {
		return err
	}
	collection := greed.FromRecords(vocab, records)
	if len(c.Model) == 0 && molecules(records) {
		if err := collection.AttachBundled(s.ctx); err != nil {
			return err
		}
	}
	for _, path := range c.Model {
		if err := collection.Attach(s.ctx, path); err != nil {
			return err
		}
	}
	if err := collection.Save(c.Out); err != nil {
		return err
	}
	tasks := collection.Models()
	if s.json {
		return s.out.printJSON(struct {
			Index  string       `json:"index"`
			Graphs int          `json:"graphs"`
			Models []greed.Task `json:"models"`
		}{c.Out, len(records), append([]greed.Task{}, tasks...)})
	}
	if len(tasks) == 0 {
		s.note("no model fits %s: searches will take bounds and the exact solver alone; make a model with greed train and name it with --model", c.Graphs)
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %s\n", c.Out, count(len(records), "graph"), count(len(tasks), "model"))
	return err
}
