package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/lab/bench"
)

type recallCommand struct {
	Queries    string    `arg:"" help:"Graphs that neither the model nor its calibration knows."`
	Collection string    `arg:"" optional:"" help:"A collection with a calibrated model (default: the bundled one)."`
	SED        bool      `name:"sed" help:"Search by subgraph edit distance."`
	Radius     []float64 `default:"1,2,3,4,5" placeholder:"R,..." help:"Radii (default 1,2,3,4,5)."`
	Recall     float64   `default:"0.99" placeholder:"SHARE" help:"The recall of searches (default 0.99)."`
}

// Help is printed below the usage of the command.
func (recallCommand) Help() string {
	return `
Searches for what is within each radius of each query, proven and by predictions
with a recall, on one thread, and prints what share of it the predictions found.

    greed-lab recall queries.smi
    greed-lab recall queries.smi molecules.index --radius 1,2,3 --recall 0.95
`
}

// Run measures and prints.
func (c *recallCommand) Run(s *session) error {
	task := greed.GED
	if c.SED {
		task = greed.SED
	}
	rows, err := bench.Recall(s.ctx, bench.RecallOptions{
		Collection: c.Collection, Queries: c.Queries, Task: task, Radii: c.Radius, Share: c.Recall,
	})
	if err != nil {
		return err
	}
	if s.json {
		return json.NewEncoder(s.out).Encode(rows)
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "radius\tqueries\trefused\tmean\tall\tcandidates\twithin\tpredicted\tchecked\tproven\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%g\t%d\t%d\t%.3f\t%.3f\t%.1f\t%.1f\t", r.Radius, r.Queries, r.Refused, r.Mean, r.All,
			r.Candidates, r.Within)
		fmt.Fprintf(w, "%.2f ms\t%.2f ms\t%.2f ms\t\n", r.Predicted, r.Checked, r.Proven)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range rows {
		if r.Refused > 0 {
			fmt.Fprintf(s.out, "refused within %g: %s\n", r.Radius, r.Reason)
		}
	}
	return nil
}
