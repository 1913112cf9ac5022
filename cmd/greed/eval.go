package main

import (
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/operation"
)

// evalCommand compares a model with ground truth.
type evalCommand struct {
	Files []string `arg:"" name:"file" help:"A model made by greed train (not with --predictions), the queries and the targets: every query is paired with every target. Without targets pairs are drawn from the queries."`

	Predictions string `type:"existingfile" placeholder:"FILE" help:"Evaluate these distances instead of a model: lines of query, target, distance (.csv or tab-separated), with the ids of the collections."`

	Split  string `placeholder:"FILE" help:"Keep to one part of this split."`
	Seen   string `placeholder:"FILE" help:"The graphs that the model was trained on, to report copies of them separately (with --split: its part \"train\")."`
	Truth  string `placeholder:"FILE" help:"Evaluate on the pairs of this file, made by greed truth, instead of solving: .csv, .tsv or .parquet, with the ids of the collections."`
	Out    string `short:"o" placeholder:"FILE" help:"Save the report as JSON."`
	Report string `placeholder:"FILE" help:"Write a report with plots and the worst pairs, as .html or .md."`

	operation.Eval
	readFlags
}

// Help is printed below the usage of the command.
func (evalCommand) Help() string {
	return `
Computes the true distances of pairs, exactly or within bounds, and says how far
the predictions are off. A prediction between the bounds counts as right.

    greed eval ged.safetensors test.txt train.txt
    greed eval sed.safetensors molecules.txt --split splits.json
    greed eval ged.safetensors molecules.smi --random 5000
    greed eval ged.safetensors test.txt train.txt --truth pairs.csv
    greed eval ged.safetensors test.txt train.txt --report report.html
    greed eval ged.safetensors molecules.txt --split gsc.json --protocol gscbench
    greed eval --predictions other.csv test.txt train.txt

The last command evaluates another program in the same way. A model brings its own
task and edit costs, so --task and --costs are for --predictions only.

Kendall's τ-b, Spearman's ρ and p@10 are means over queries. For p@10, every target
as near as the tenth nearest counts as a true neighbour; the strict figure, in
brackets, counts exactly ten, so only some of those that tie. Range F1 pools all pairs;
its radius is a share of the largest true distance, and the figure in brackets follows
the definition of the paper's code (docs/divergence.md).
`
}

func (c *evalCommand) Run(s *session) error {
	if err := refuseReport(c.Report); err != nil {
		return err
	}
	t, err := c.trial(s)
	if err != nil {
		return err
	}
	report, err := eval.Evaluate(*t.in)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := atomicfile.Write(c.Out, report.WriteJSON); err != nil {
			return err
		}
	}
	if c.Report != "" {
		if err := c.writeReport(s, t, report); err != nil {
			return err
		}
	}
	if s.json {
		return report.WriteJSON(s.out)
	}
	return report.WriteText(s.out)
}
