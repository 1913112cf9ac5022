package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

type certifyCommand struct {
	Data      string        `default:"../shared/data" placeholder:"DIR" help:"Folder with the collections (default ../shared/data)."`
	Model     []string      `type:"existingfile" placeholder:"FILE" help:"A model for AIDS; give it twice, for ged and for sed."`
	Copies    int           `placeholder:"N" help:"Number of molecules in the rows copies/…, most of them edited copies (default: these rows are left out). A million takes 4 GB."`
	Queries   int           `default:"100" placeholder:"N" help:"Number of queries for each row (default 100)."`
	TimeLimit time.Duration `default:"30s" placeholder:"TIME" help:"Time for each query (default 30s)."`
	Only      []string      `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
}

// Help is printed below the usage of the command.
func (certifyCommand) Help() string {
	return `
Measures proven searches, as greed search makes them, on all cores: with a model, and
with bounds and the solver alone. It prints a table of the figures beside their targets.
Molecules and their models come with the program. AIDS is read from --data; its rows
with a model need --model. Rows of edited copies need --copies. docs/benchmarks.md
explains the rows.

    greed-lab certify
    greed-lab certify --queries 3 --only nci/ged/model
    greed-lab certify --model ged.safetensors --only aids/ged
    greed-lab certify --copies 1660000 --only copies

` + rows(bench.CertifyNames())
}

// Run measures and prints the table.
func (c *certifyCommand) Run(s *session) error {
	switch {
	case c.Queries < 1:
		return usageError(fmt.Sprintf("--queries %d: want at least one", c.Queries))
	case c.Copies < 0:
		return usageError(fmt.Sprintf("--copies %d: want a number of molecules", c.Copies))
	case c.TimeLimit <= 0:
		return usageError(fmt.Sprintf("--time-limit %v: want some time", c.TimeLimit))
	}
	shown := bars{s: s}
	table, err := bench.Certify(s.ctx, bench.CertifyOptions{
		Data: filepath.Clean(c.Data), Queries: c.Queries, Time: c.TimeLimit, Models: c.Model, Copies: c.Copies,
		Only:     c.Only,
		Progress: shown.step,
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
