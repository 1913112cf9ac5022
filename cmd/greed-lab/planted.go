package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

type plantedCommand struct {
	Nodes  []int         `default:"1000,4000,8000,30000" placeholder:"N" help:"Numbers of functions (default 1000,4000,8000,30000)."`
	Degree float64       `default:"1.4" placeholder:"X" help:"Calls of a function, on average (default 1.4)."`
	Seeds  int           `default:"10" placeholder:"N" help:"Pairs of each size (default 10)."`
	From   uint64        `default:"1" placeholder:"SEED" help:"The first seed (default 1)."`
	Limit  time.Duration `default:"10s" placeholder:"TIME" help:"Time for each distance (default 10s)."`
}

// Help is printed below the usage of the command.
func (plantedCommand) Help() string {
	return `
Makes pairs of versions of a call graph, whose edits are known (1 % of the functions renamed, 0.7 % added, 1.7 % of
the calls removed), and prints what the solver finds on one core: with names, of which diff fixes those that are in
both versions, and with five kinds of functions as labels. The nodes of both are in a random order.

    greed-lab planted
    greed-lab planted --nodes 100000 --seeds 1 --limit 60s
`
}

// Run measures and prints the table.
func (c *plantedCommand) Run(s *session) error {
	if c.Seeds < 1 || c.Limit <= 0 || !(c.Degree > 0) {
		return usageError("--seeds, --limit and --degree must be above 0")
	}
	o := bench.PlantedOptions{Nodes: c.Nodes, Degree: c.Degree, Time: c.Limit}
	for _, n := range c.Nodes {
		if n < 100 || float64(n) < 4*c.Degree {
			return usageError(fmt.Sprintf("--nodes has %d: want at least 100, and more than four calls of each", n))
		}
	}
	for i := range c.Seeds {
		o.Seeds = append(o.Seeds, c.From+uint64(i))
	}
	runtime.GOMAXPROCS(1)
	table, err := bench.Planted(s.ctx, o)
	if err != nil {
		return err
	}
	return s.printTable(table)
}
