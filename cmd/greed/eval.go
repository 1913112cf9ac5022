package main

import (
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/operation"
)

// evalCommand compares a model with ground truth.
type evalCommand struct {
	Files []string `arg:"" name:"file" help:"${eval_files}"`

	Predictions string `type:"existingfile" placeholder:"FILE" help:"${eval_predictions}"`

	Split  string `placeholder:"FILE" help:"Keep to one part of this split."`
	Seen   string `placeholder:"FILE" help:"${eval_seen}"`
	Truth  string `placeholder:"FILE" help:"${eval_truth}"`
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
