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
	Report string `writes:"" placeholder:"FILE" help:"Write a report with plots and the worst pairs, as .html."`

	operation.Eval
	readFlags
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
