package main

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/ged/bound"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/truth"
)

// predictCommand predicts distances from vectors alone.
type predictCommand struct {
	Model string `arg:"" type:"model" help:"${embed_model}"`

	pairingFlags

	States  int64  `xor:"clip" placeholder:"N" help:"${predict_states}"`
	Raw     bool   `xor:"clip" help:"${predict_raw}"`
	Format  string `enum:"text,tsv" default:"text" help:"How to print: text, tsv."`
	Warning bool   `default:"true" negatable:"" help:"Warn where a query is unlike what the model was trained on."`

	readFlags
}

func (c *predictCommand) Run(s *session) error {
	if s.json && c.Format == "tsv" {
		return usageError("--json cannot be combined with --format tsv")
	}
	if c.States < 0 {
		return usageError(fmt.Sprintf("--states %d: want a number of states", c.States))
	}
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
	queries, targets := dataset.Graphs(p.queries), dataset.Graphs(p.targets)
	zq, err := m.Embed(s.ctx, queries, s.workers)
	if err != nil {
		return err
	}
	zt, err := m.Embed(s.ctx, targets, s.workers)
	if err != nil {
		return err
	}
	clip := c.clip(m, &p)
	meta := m.Metadata()
	solver := truth.Bounder{Task: meta.Task, Costs: meta.Costs, Limits: ged.Options{States: c.States}, Workers: s.workers}
	n, dim := m.Norm(), m.Norm().Dim()
	for at := 0; at < p.len(); at += searchedAtOnce {
		some := make([]truth.Pair, min(searchedAtOnce, p.len()-at))
		for i := range some {
			some[i] = truth.NewPair(p.at(at + i))
		}
		if c.States > 0 {
			if err := solver.BoundAll(s.ctx, queries, targets, some); err != nil {
				return err
			}
		}
		for i, b := range some {
			q, t := int(b.Query), int(b.Target)
			d := clip(q, t, n.Distance(zq[q*dim:][:dim], zt[t*dim:][:dim]))
			if c.States > 0 {
				d = min(max(d, b.Lower), b.Upper)
			}
			if err := c.print(s, &p, at+i, d, b); err != nil {
				return err
			}
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchedAtOnce is how many pairs are searched before their predictions are printed.
const searchedAtOnce = 4096

// clip returns what keeps predictions of pairs of positions within cheap bounds.
func (c *predictCommand) clip(m *model.Model, p *pairing) func(q, t int, predicted float64) float64 {
	meta := m.Metadata()
	pricing, err := edit.Price(meta.Task, meta.Costs, append(dataset.Graphs(p.queries), dataset.Graphs(p.targets)...)...)
	if c.Raw || err != nil { // no bounds are known of MCS, nor of labels without a price
		return func(_, _ int, predicted float64) float64 { return predicted }
	}
	var queries, targets bound.Signatures
	for _, r := range p.queries {
		queries.Append(r.Graph)
	}
	for _, r := range p.targets {
		targets.Append(r.Graph)
	}
	filter := bound.NewFilter(pricing)
	return func(q, t int, predicted float64) float64 {
		return filter.Clip(predicted, queries.At(q), targets.At(t))
	}
}

// warn says, once for each way, how queries are unlike the training graphs, and which labels of targets the model does
// not know.
func warn(s *session, m *model.Model, queries, targets []dataset.Record) (notes []dataset.Note) {
	for _, of := range []struct {
		what    string
		records []dataset.Record
		say     func(*graph.Graph) []string
	}{{"query", queries, m.Warnings}, {"target", targets, func(g *graph.Graph) []string { return m.LabelWarnings(g) }}} {
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
