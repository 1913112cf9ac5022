package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// given is what a model is trained on.
type given struct {
	graphs []*graph.Graph // all of which may be used in training
	check  []*graph.Graph // to validate with, if a split says so
	// learn and checks are the centres of neighbourhoods in the only graph, if
	// a split says so.
	learn, checks []int
	distances     *distances // people's own, or nil
}

// distances is people's own distances.
type distances struct {
	file  string
	ids   []string // of the graphs
	pairs []truth.Pair
	held  []bool // graphs to validate with, if a split says so
}

// given reads the split and the pairs, if there are any.
func (c *trainCommand) given(task edit.Task, records []dataset.Record) (*given, error) {
	g := &given{graphs: dataset.Graphs(records)}
	var err error
	switch {
	case c.Pairs != "":
		g.distances, err = c.readGiven(records)
	case c.Split == "":
	case len(records) == 1 && task == edit.SED:
		if g.learn, err = centresOf(records[0], c.Split, "train"); err == nil {
			g.checks, err = centresOf(records[0], c.Split, "validation")
		}
	default:
		if g.graphs, err = partOf(records, c.Split, "train"); err == nil {
			g.check, err = partOf(records, c.Split, "validation")
		}
	}
	return g, err
}

// readGiven reads people's own pairs. With a split, it leaves out pairs of graphs that
// are in neither part.
func (c *trainCommand) readGiven(records []dataset.Record) (*distances, error) {
	l := &distances{file: c.Pairs, ids: dataset.IDs(records)}
	table, err := truth.ReadFile(c.Pairs, l.ids, l.ids)
	if err != nil {
		return nil, err
	}
	l.pairs = table.Pairs
	if c.Split == "" {
		return l, nil
	}
	known := make([]bool, len(records))
	l.held = make([]bool, len(records))
	for _, part := range []string{"train", "validation"} {
		at, err := sample.PositionsIn(c.Split, l.ids, part)
		if err != nil {
			return nil, err
		}
		for _, i := range at {
			known[i], l.held[i] = true, part == "validation"
		}
	}
	l.pairs = slices.DeleteFunc(l.pairs, func(p truth.Pair) bool { return !known[p.Query] || !known[p.Target] })
	return l, nil
}

// explain names the file and the graphs of pairs that cannot be used in training.
func (l *distances) explain(err error) error {
	var twice *train.ContradictionError
	switch {
	case errors.As(err, &twice):
		a, b := twice.First, twice.Second
		return fmt.Errorf("%s: the pair %s, %s is given twice, with bounds %s to %s and %s to %s", l.file,
			field(l.ids[a.Query]), field(l.ids[a.Target]), number(a.Lower), number(a.Upper), number(b.Lower),
			number(b.Upper))
	case errors.Is(err, train.ErrNoPairs):
		return fmt.Errorf("%s: %w", l.file, err)
	}
	return err
}

// fit trains on what is given.
func (g *given) fit(ctx context.Context, r train.Recipe) (*model.Model, error) {
	if g.distances != nil {
		m, err := train.FitPairs(ctx, g.graphs, g.distances.pairs, g.distances.held, r)
		return m, g.distances.explain(err)
	}
	r.Plan.Learn, r.Plan.Check = g.learn, g.checks
	return train.Fit(ctx, g.graphs, g.check, r)
}

// partOf returns the graphs of one part of a split file.
func partOf(records []dataset.Record, split, part string) ([]*graph.Graph, error) {
	at, err := sample.PositionsIn(split, dataset.IDs(records), part)
	var graphs []*graph.Graph
	for _, i := range at {
		graphs = append(graphs, records[i].Graph)
	}
	return graphs, err
}

// centresOf returns the nodes of a graph that one part of a split names, by
// their numbers.
func centresOf(rec dataset.Record, split, part string) ([]int, error) {
	ids := make([]string, rec.Graph.N())
	for v := range ids {
		ids[v] = strconv.Itoa(v)
	}
	return sample.PositionsIn(split, ids, part)
}
