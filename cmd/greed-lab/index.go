package main

import (
	"fmt"

	"github.com/greedgraph/greed/lab/bench"
)

type indexCommand struct {
	N       int      `default:"1660000" placeholder:"N" help:"Number of vectors (default 1660000)."`
	Queries int      `default:"100" placeholder:"N" help:"Number of queries, none of them among the vectors (default 100)."`
	Only    []string `placeholder:"NAME" help:"Rows to measure, or groups of them (default: all)."`
	Growth  bool     `help:"Measure 10,000 vectors, then ten times as many, and so on up to ten million, instead of --n."`
	Graph   string   `type:"existingfile" placeholder:"FILE" help:"Index the neighbourhoods of this large graph instead of molecules; needs --model."`
	Model   string   `type:"existingfile" placeholder:"FILE" help:"The model for the neighbourhoods."`
	Hops    int      `default:"2" placeholder:"N" help:"Radius of the neighbourhoods, in edges (default 2)."`
}

// Help is printed below the usage of the command.
func (indexCommand) Help() string {
	return `
Measures 10-NN and range search over vectors on one core: the linear scan, the default
vector index and the paper's tree in turns, compared with the bandwidth of memory. It
prints a table of the figures beside their targets. First it embeds 1.66 million
molecules, which takes some minutes. docs/benchmarks.md explains the figures.

    greed-lab index
    greed-lab index --n 20000 --queries 10       a quick look
    greed-lab index --only ged/boxtree --growth
    greed-lab index --graph pubmed.txt --model sed.safetensors

` + rows(bench.IndexNames())
}

// Run measures and prints the table.
func (c *indexCommand) Run(s *session) error {
	switch {
	case c.N < 1:
		return usageError(fmt.Sprintf("--n %d: want at least one vector", c.N))
	case c.Queries < 1:
		return usageError(fmt.Sprintf("--queries %d: want at least one", c.Queries))
	case c.Hops < 1:
		return usageError(fmt.Sprintf("--hops %d: want at least 1", c.Hops))
	case (c.Graph == "") != (c.Model == ""):
		return usageError("--graph and --model go together")
	}
	shown := bars{s: s}
	table, err := bench.Index(s.ctx, bench.IndexOptions{
		N: c.N, Queries: c.Queries, Only: c.Only, Growth: c.Growth, Graph: c.Graph, Model: c.Model, Hops: c.Hops,
		Progress: shown.step,
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
