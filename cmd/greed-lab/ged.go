package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

type gedCommand struct {
	Data       string        `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data)."`
	Only       []string      `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
	Pairs      int           `default:"45" placeholder:"N" help:"Pairs of each class of large/… (default 45)."`
	Limit      time.Duration `default:"1s" placeholder:"TIME" help:"Time for each pair of large/… (default 1s)."`
	Known      string        `placeholder:"FILE" help:"File of the best bounds known for the pairs of large/…; it is read and improved."`
	Greed      string        `default:"greed" placeholder:"PROGRAM" help:"The program that the row truth starts (default greed, on PATH)."`
	Processor  bool          `help:"Count --limit in processor time, for a busy machine."`
	PairsScale float64       `default:"1" placeholder:"SHARE" help:"Measure only this share of the pairs, such as 0.1."`
}

// Help is printed below the usage of the command.
func (gedCommand) Help() string {
	return `
Measures how fast and how good the solver is, pair by pair on one core, and prints a
table of the figures beside their targets. Everything takes about an hour; Ctrl-C
prints what has been measured so far. The molecules come with the program. The other
collections are read from --data; rows whose files are missing are skipped.
docs/benchmarks.md explains the rows.

    greed-lab ged
    greed-lab ged --only ged/linux,molecules
    greed-lab ged --pairs-scale 0.01             a quick look
    greed-lab ged --only large --limit 10s --known known.tsv
    greed-lab ged --json

` + rows(bench.Names())
}

// Run measures and prints the table.
func (c *gedCommand) Run(s *session) error {
	if !(c.PairsScale > 0 && c.PairsScale <= 1) {
		return usageError(fmt.Sprintf("--pairs-scale is %v: want a share above 0, at most 1", c.PairsScale))
	}
	switch {
	case c.Pairs < 1:
		return usageError(fmt.Sprintf("--pairs is %d: want at least 1", c.Pairs))
	case c.Limit <= 0:
		return usageError(fmt.Sprintf("--limit is %s: want a time above 0", c.Limit))
	}
	runtime.GOMAXPROCS(1) // figures are of one core, the collection of garbage included
	shown := bars{s: s}
	table, err := bench.GED(s.ctx, bench.Options{
		Data: filepath.Clean(c.Data), Only: c.Only, Scale: c.PairsScale,
		Pairs: c.Pairs, Limit: c.Limit, Known: c.Known, Processor: c.Processor, Program: c.Greed, Progress: shown.step,
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
