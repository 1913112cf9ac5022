package main

import (
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/truth"
)

// predictCommand predicts distances from vectors alone.
type predictCommand struct {
	Model string `arg:"" type:"model" help:"${embed_model}"`

	pairingFlags

	operation.Predict
	Format  string `enum:"text,tsv" default:"text" help:"How to print: text, tsv."`
	Warning bool   `default:"true" negatable:"" help:"Warn where a query is unlike what the model was trained on."`

	readFlags
}

func (c *predictCommand) Run(s *session) error {
	if s.json && c.Format == "tsv" {
		return usageError("--json cannot be combined with --format tsv")
	}
	opt, err := c.Resolve()
	if err != nil {
		return usage(err)
	}
	opt.Workers = s.workers
	m, err := loadModel(c.Model)
	if err != nil {
		return err
	}
	if err := c.needed(s, c.Query, c.Target); err != nil {
		return err
	}
	src, err := c.learnt(s, c.Model, m)
	if err != nil {
		return err
	}
	p, err := c.read(s, src)
	if err != nil {
		return err
	}
	if c.Warning {
		p.notes = dataset.Merge(p.notes, warn(s, m, p.queries, p.targets))
	}
	predictor, err := greed.NewPredictor(s.ctx, m, dataset.Graphs(p.queries), dataset.Graphs(p.targets), opt)
	if err != nil {
		return err
	}
	for at := 0; at < p.len(); at += predictedAtOnce {
		some := make([]truth.Pair, min(predictedAtOnce, p.len()-at))
		for i := range some {
			some[i] = truth.NewPair(p.at(at + i))
		}
		predicted, err := predictor.Predict(s.ctx, nil, some)
		if err != nil {
			return err
		}
		for i, d := range predicted {
			if err := c.print(s, &p, at+i, d, some[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// predictedAtOnce is how many pairs are predicted before they are printed.
const predictedAtOnce = 4096

// warn says, once for each way, how queries are unlike the training graphs, and which labels of targets the model does
// not know.
func warn(s *session, m *model.Model, queries, targets []dataset.Record) (notes []dataset.Note) {
	for _, of := range []struct {
		what    string
		records []dataset.Record
		say     func(*graph.Graph) []string
	}{{"query", queries, m.Warnings},
		{"target", targets, func(g *graph.Graph) []string { return m.LabelWarnings(g) }}} {
		seen := make(map[string]bool)
		for _, q := range of.records {
			for _, w := range of.say(q.Graph) {
				if !seen[w] {
					seen[w] = true
					s.note("%s %s: %s", of.what, q.ID, w)
					notes = append(notes, dataset.Remark("%s %s: %s", of.what, q.ID, w))
				}
			}
		}
	}
	return notes
}

func (c *predictCommand) print(s *session, p *pairing, i int, d float64, b truth.Pair) error {
	q, t := p.pair(i)
	var err error
	switch {
	case s.json:
		out := struct {
			Query     string   `json:"query"`
			Target    string   `json:"target"`
			Predicted float64  `json:"predicted"` // never called a distance
			Lower     *float64 `json:"lower,omitempty"`
			Upper     *float64 `json:"upper,omitempty"`

			Notes []dataset.Note `json:"notes,omitempty"`
		}{Query: q.ID, Target: t.ID, Predicted: d, Notes: p.notes}
		if c.States > 0 {
			out.Lower, out.Upper = &b.Lower, &b.Upper
		}
		return s.out.printJSON(out)
	case c.Format == "tsv":
		_, err = fmt.Fprintf(s.out, "%s\t%s\t%s\n", field(q.ID), field(t.ID), number(d))
	default:
		_, err = fmt.Fprintf(s.out, "%s  %s  %.2f\n", field(q.ID), field(t.ID), d)
	}
	return err
}
