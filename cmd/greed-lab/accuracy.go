package main

import (
	"fmt"
	"path/filepath"

	"github.com/greedgraph/greed/lab/bench"
)

type accuracyCommand struct {
	Data       string   `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data)."`
	Splits     string   `default:"lab/splits" placeholder:"DIR" help:"Folder with the committed splits and lists of pairs (default lab/splits)."`
	Keep       string   `default:"accuracy" placeholder:"DIR" help:"Folder that keeps ground truth and models, so that the same command can continue (default accuracy)."`
	Only       []string `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
	Preset     string   `enum:"default,paper" default:"default" help:"Configuration to train: default, or that of the paper (paper)."`
	Seeds      int      `default:"3" placeholder:"N" help:"Number of models for each row (default 3)."`
	Counts     int      `placeholder:"N" help:"In sed rows, train models on N counts instead of message passing, as greed train does."`
	Direct     int      `placeholder:"N" help:"With --counts: number of coordinates that never fall as a graph grows."`
	Near       *float64 `placeholder:"W" help:"Weigh pairs at distance d by 1 + W/d^2 in training (default 4 for sed; 0 weighs all alike)."`
	Free       bool     `help:"Fit vectors to the pairs of each set without an encoder, which shows what the norm allows."`
	PairsScale float64  `default:"1" placeholder:"SHARE" help:"Evaluate on only this share of the pairs, such as 0.1."`
	Steps      int      `placeholder:"N" help:"Train on N batches, such as 500 for a quick look."`
	MaxPairs   int      `placeholder:"N" help:"Train on N pairs, whatever their distances cost; by default as many as the plan has time for."`
}

// Help is printed below the usage of the command.
func (accuracyCommand) Help() string {
	return `
Trains models on the collections of the paper, evaluates them on graphs that they have
not seen, and prints the figures beside the paper's and beside targets. Everything takes
some hours. Ctrl-C prints what has been measured so far, and the same command continues
from there. Rows whose files are not in --data are skipped. docs/benchmarks.md explains
the figures.

    greed-lab accuracy
    greed-lab accuracy --only ged/linux,sed/protein
    greed-lab accuracy --only ged/linux --preset paper
    greed-lab accuracy --only ged/linux --steps 500 --max-pairs 20000 --seeds 1   a quick look
    greed-lab accuracy --json

` + rows(bench.AccuracyNames())
}

// Run measures and prints the table.
func (c *accuracyCommand) Run(s *session) error {
	switch {
	case !(c.PairsScale > 0 && c.PairsScale <= 1):
		return usageError(fmt.Sprintf("--pairs-scale is %v: want a share above 0, at most 1", c.PairsScale))
	case c.Counts < 0 || c.Direct < 0 || c.Direct > 0 && c.Counts == 0 || c.Counts > 0 && c.Preset == "paper":
		return usageError("--counts and --direct want numbers above 0, --direct goes with --counts, and neither with " +
			"--preset paper")
	case c.Near != nil && !(*c.Near >= 0):
		return usageError("--near wants a number of at least 0")
	case c.Seeds < 1 || c.Steps < 0 || c.MaxPairs < 0:
		return usageError("--seeds, --steps and --max-pairs want numbers above 0")
	}
	shown := bars{s: s}
	table, err := bench.Accuracy(s.ctx, bench.AccuracyOptions{
		Data: filepath.Clean(c.Data), Splits: c.Splits, Folder: c.Keep, Only: c.Only, Paper: c.Preset == "paper",
		Seeds: c.Seeds, Counts: c.Counts, Direct: c.Direct, Near: c.Near, Free: c.Free, Scale: c.PairsScale,
		Steps: c.Steps,
		Pairs: c.MaxPairs, Workers: s.workers, Progress: shown.step,
		Note: func(text string) { shown.finish(); s.note("%s", text) },
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
