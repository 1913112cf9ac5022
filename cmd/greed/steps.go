package main

import (
	"fmt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

// writeSteps writes the query of the only pair and the graph after each edit that m
// implies, numbered from 0 and named after the edit. Only the last step of a subgraph
// edit path can leave no nodes; no format holds such a graph.
func writeSteps(s *session, p *pairTask, m edit.NodeMap) error {
	q, t := p.pair(0)
	prices, err := edit.Price(p.Task, p.Costs, q.Graph, t.Graph)
	if err != nil {
		return err
	}
	return dataset.Create(p.steps, "", func(w *dataset.Writer) error {
		if err := w.Write(dataset.Record{ID: "0", Name: "the query", Graph: q.Graph}); err != nil {
			return err
		}
		step := 0
		for op, g := range edit.Steps(prices, q.Graph, t.Graph, m) {
			step++
			if g.N() == 0 {
				s.note("%s ends with step %d (%s), which leaves no node: a graph without nodes is not written", p.steps, step, op)
				continue
			}
			if err := w.Write(dataset.Record{ID: fmt.Sprint(step), Name: op.String(), Graph: g}); err != nil {
				return err
			}
		}
		return nil
	})
}
