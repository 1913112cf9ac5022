package main

import (
	"encoding/json"
	"fmt"

	"github.com/greedgraph/greed/lab/bench"
)

type containmentCommand struct {
	Index   string `arg:"" help:"A collection of molecules, best an index."`
	Queries string `arg:"" type:"existingfile" help:"A file of SMILES or, with --smarts, SMARTS, one a line."`
	SMARTS  bool   `name:"smarts" help:"The patterns are SMARTS."`
	NoModel bool   `help:"Search without the models of the index."`
	Rounds  int    `default:"5" placeholder:"N" help:"How often all queries are asked (default 5)."`
}

// Help is printed below the usage of the command.
func (containmentCommand) Help() string {
	return `
Searches an index for the molecules that contain each pattern, as greed search does with --sed --radius 0 or
--smarts, one query at a time, on one thread. It prints the processor time of a query, and a digest
of all answers: two programs with the same digest found the same molecules, distances, maps and proofs.

    greed-lab containment molecules.index fragments.smi
    greed-lab containment molecules.index patterns.sma --smarts
`
}

// Run measures and prints.
func (c *containmentCommand) Run(s *session) error {
	r, err := bench.Containment(s.ctx, bench.ContainmentOptions{
		Index: c.Index, Queries: c.Queries, SMARTS: c.SMARTS, NoModel: c.NoModel, Rounds: c.Rounds,
	})
	if err != nil {
		return err
	}
	if s.json {
		return json.NewEncoder(s.out).Encode(r)
	}
	_, err = fmt.Fprintf(s.out, "%d queries among %d molecules: %.2f ms of processor time each (least %.2f), %d "+
		"answers, "+
		"digest %s\n",
		r.Queries, r.Graphs, r.Milliseconds, r.Least, r.Answers, r.Digest)
	return err
}
