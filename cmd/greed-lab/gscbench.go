package main

import (
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/bench"
)

type gscbenchCommand struct {
	Graphs     string   `arg:"" type:"existingpath" help:"The collection to learn, in any format."`
	Others     []string `arg:"" optional:"" type:"existingpath" help:"Others to evaluate the same model on."`
	Seed       uint64   `default:"1729" help:"Seed of the split: GSCBench takes 1729, 3407 and 9679 (default 1729)."`
	Few        int      `placeholder:"N" help:"Learn from only N pairs, spread evenly over the graphs: GSCBench takes 100, 500 and 2000."`
	Steps      int      `default:"1000" help:"Train on N batches (default 1000)."`
	MaxPairs   int      `default:"100000" help:"Learn from at most N pairs, edited copies among them (default 100000)."`
	EdgeLabels bool     `help:"Let relabelling an edge cost 1, not 0."`
}

// Help is printed below the usage of the command.
func (gscbenchCommand) Help() string {
	return `
Trains and evaluates a model by the protocol of GSCBench, which docs/datasets.md describes.

    greed-lab gscbench linux.txt --seed 3407
    greed-lab gscbench aids700nef.txt linux.txt
    greed-lab gscbench linux.txt --few 500 --json
`
}

// Run trains a model and prints how well it predicts each collection.
func (c *gscbenchCommand) Run(s *session) error {
	if c.Few < 0 || c.Steps < 1 || c.MaxPairs < 1 {
		return usageError("--few, --steps and --max-pairs want numbers above 0")
	}
	o := bench.GSC{Costs: edit.Uniform(), Seed: c.Seed, Few: c.Few, Steps: c.Steps, Pairs: c.MaxPairs,
		Workers: s.workers}
	if !c.EdgeLabels {
		o.Costs = o.Costs.IgnoreEdgeLabels()
	}
	vocab := graph.NewVocabulary()
	var all [][]*graph.Graph
	for _, path := range append([]string{c.Graphs}, c.Others...) {
		records, err := dataset.ReadAll(path, dataset.Options{Vocabulary: vocab})
		if err != nil {
			return err
		}
		graphs := dataset.Graphs(records)
		learn, check, test, copies := o.Parts(graphs)
		if len(learn) < 2 || len(check) == 0 || len(test) == 0 {
			return usageError(path + " has too few graphs that differ")
		}
		s.note("%s: %d copies are left out; %d graphs to train on, %d to validate with, %d to test", path, copies,
			len(learn), len(check), len(test))
		all = append(all, graphs)
	}
	m, err := o.Train(s.ctx, all[0])
	if err != nil {
		return err
	}
	for _, graphs := range all {
		r, err := o.Evaluate(s.ctx, m, graphs)
		if err == nil && s.json {
			err = s.printJSON(r)
		} else if err == nil {
			err = r.WriteText(s.out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
