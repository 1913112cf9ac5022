package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/greedgraph/greed/bench"
)

type benchCommand struct {
	Ged      benchGed      `cmd:"" help:"Measure the solver of ged and sed."`
	Index    benchIndex    `cmd:"" help:"Measure exact search over vectors."`
	Certify  benchCertify  `cmd:"" help:"Measure searches whose answers are proven."`
	Accuracy benchAccuracy `cmd:"" help:"Measure how well models predict, beside the paper's."`
	Baseline benchBaseline `cmd:"" help:"Train and measure the systems that the paper compares with."`
	Paper    benchPaper    `cmd:"" help:"Repeat the paper's evaluation: every table and figure, as a page."`
	Load     benchLoad     `cmd:"" help:"Measure a running service under load."`
}

type benchGed struct {
	Data       string        `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data)."`
	Only       []string      `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
	Pairs      int           `default:"45" placeholder:"N" help:"Pairs of each class of large/… (default 45)."`
	Limit      time.Duration `default:"1s" placeholder:"TIME" help:"Time for each pair of large/… (default 1s)."`
	Known      string        `placeholder:"FILE" help:"Best bounds known of the pairs of large/…: read, and improved."`
	Processor  bool          `help:"Count that time as processor time, for a busy machine."`
	PairsScale float64       `default:"1" placeholder:"SHARE" help:"Measure only this share of the pairs, such as 0.1."`
}

// Help shows below the usage of the command.
func (benchGed) Help() string {
	return `
Measures how fast and how good the solver is, pair by pair on one core, and prints a
table of the figures beside their targets. Everything takes about an hour; Ctrl-C
prints what has been measured so far. The molecules come with the program. The other
collections are read from --data; rows without files are skipped. docs/benchmarks.md
explains the rows.

    greed bench ged
    greed bench ged --only ged/linux,molecules
    greed bench ged --pairs-scale 0.01             a quick look
    greed bench ged --only large --limit 10s --known known.tsv
    greed bench ged --json

Rows: ` + strings.Join(bench.Names(), ", ") + "\n"
}

// Run measures and prints the table.
func (c *benchGed) Run(s *session) error {
	if !(c.PairsScale > 0 && c.PairsScale <= 1) {
		return usageError(fmt.Sprintf("--pairs-scale is %v: want a share above 0, at most 1", c.PairsScale))
	}
	switch {
	case c.Pairs < 1:
		return usageError(fmt.Sprintf("--pairs is %d: want at least 1", c.Pairs))
	case c.Limit <= 0:
		return usageError(fmt.Sprintf("--limit is %s: want a time above 0", c.Limit))
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(1) // figures are of one core, the collection of garbage included
	shown := benchProgress{s: s}
	table, err := bench.GED(s.ctx, bench.Options{
		Data: filepath.Clean(c.Data), Only: c.Only, Scale: c.PairsScale,
		Pairs: c.Pairs, Limit: c.Limit, Known: c.Known, Processor: c.Processor, Program: program, Progress: shown.step,
	})
	shown.bar.finish()
	if err != nil {
		return err
	}
	return printTable(s, table)
}

// printTable prints a table of figures. It returns an error if the measurement was
// interrupted.
func printTable(s *session, table interface{ Write(io.Writer) error }) error {
	var err error
	if s.json {
		err = s.out.printJSON(table)
	} else {
		err = table.Write(s.out)
	}
	if err != nil {
		return err
	}
	return s.ctx.Err()
}

// benchProgress shows a bar for every run of a row.
type benchProgress struct {
	s    *session
	bar  bar
	done int
}

func (b *benchProgress) step(p bench.Step) {
	if p.Done == 0 {
		b.bar.finish()
		b.bar, b.done = b.s.bar(p.Total, fmt.Sprintf("%s, run %d", p.Row, p.Run)), 0
	}
	b.bar.add(p.Done - b.done)
	b.done = p.Done
}
