package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/lab/baseline"
	"github.com/greedgraph/greed/lab/bench"
)

type baselineCommand struct {
	Systems    []string `arg:"" optional:"" placeholder:"SYSTEM" help:"Systems to train and evaluate (default: all)."`
	Data       string   `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data)."`
	Splits     string   `default:"lab/splits" placeholder:"DIR" help:"Folder with the committed splits and lists of pairs (default lab/splits)."`
	Keep       string   `default:"accuracy" placeholder:"DIR" help:"Folder that keeps ground truth and systems, so that the same command can continue (default accuracy)."`
	Only       []string `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
	Seed       uint64   `default:"1" help:"Seed of the pairs and of the initial weights (default 1)."`
	PairsScale float64  `default:"1" placeholder:"SHARE" help:"Evaluate on only this share of the pairs, such as 0.1."`
	Steps      int      `placeholder:"N" help:"Train on this many batches (default: the system's own number)."`
	MaxPairs   int      `placeholder:"N" help:"Train on fewer pairs, for a quick look."`
}

// Help is printed below the usage of the command.
func (baselineCommand) Help() string {
	var b strings.Builder
	b.WriteString(`
Trains the systems that the paper compares with on its collections, each as its own
paper describes, and evaluates them on the pairs of greed-lab accuracy. It prints their
errors beside the published ones, and the time for a graph and for a pair. Ctrl-C prints
what has been measured so far, and the same command continues from there.
docs/baselines.md says where each system departs from its paper.

    greed-lab baseline simgnn --only ged/aids700nef
    greed-lab baseline --only ged/linux --pairs-scale 0.1
    greed-lab baseline simgnn --only ged/linux --steps 200 --max-pairs 5000   a quick look
    greed-lab baseline --json

Systems:

`)
	for _, i := range baseline.Systems() {
		fmt.Fprintf(&b, "    %-12s %s (%s)\n", i.Name, i.About, i.Paper)
	}
	b.WriteString("\n" + rows(bench.AccuracyNames()))
	return b.String()
}

// Run measures and prints the table.
func (c *baselineCommand) Run(s *session) error {
	switch {
	case !(c.PairsScale > 0 && c.PairsScale <= 1):
		return usageError(fmt.Sprintf("--pairs-scale is %v: want a share above 0, at most 1", c.PairsScale))
	case c.Steps < 0 || c.MaxPairs < 0:
		return usageError("--steps and --max-pairs want numbers above 0")
	}
	shown := bars{s: s}
	table, err := bench.Baselines(s.ctx, bench.BaselineOptions{
		Data: filepath.Clean(c.Data), Splits: c.Splits, Folder: c.Keep, Systems: c.Systems, Only: c.Only,
		Scale: c.PairsScale,
		Seed:  c.Seed, Steps: c.Steps, Pairs: c.MaxPairs, Workers: s.workers, Progress: shown.step,
		Note: func(text string) { shown.finish(); s.note("%s", text) },
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
