package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
	"github.com/greedgraph/greed/truth"
)

// given is what a model learns from.
type given struct {
	graphs []*graph.Graph // all of which may be learnt from
	check  []*graph.Graph // to validate with, if a split says so
	// learn and checks are the centres of neighbourhoods in the only graph, if
	// a split says so.
	learn, checks []int
	pairs         []truth.Pair // if they are given; then held, too, by a split
	held          []bool
	nameErr       func(error) error
}

// given reads the split and the pairs, where there are some.
func (c *trainCommand) given(records []dataset.Record) (*given, error) {
	g := &given{graphs: graphsOf(records)}
	var err error
	switch {
	case c.Pairs != "":
		err = c.givenPairs(records, g)
	case c.Split == "":
	case len(records) == 1 && c.Task.Task == edit.SED:
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

// givenPairs reads people's own pairs. Of a split, pairs of graphs that are in
// neither part are left out.
func (c *trainCommand) givenPairs(records []dataset.Record, g *given) error {
	ids := idsOf(records)
	table, err := truth.ReadFile(c.Pairs, ids, ids)
	if err != nil {
		return err
	}
	g.pairs = table.Pairs
	g.nameErr = func(err error) error {
		var twice *train.ContradictionError
		if errors.As(err, &twice) {
			a, b := twice.First, twice.Second
			err = fmt.Errorf("the pair %s, %s is given twice, with bounds %s to %s and %s to %s",
				field(ids[a.Query]), field(ids[a.Target]), number(a.Lower), number(a.Upper), number(b.Lower), number(b.Upper))
		}
		return fmt.Errorf("%s: %w", c.Pairs, err)
	}
	if c.Split == "" {
		return nil
	}
	learn, err := positionsOf(records, c.Split, "train")
	if err != nil {
		return err
	}
	check, err := positionsOf(records, c.Split, "validation")
	if err != nil {
		return err
	}
	known := make([]bool, len(records))
	g.held = make([]bool, len(records))
	for _, i := range learn {
		known[i] = true
	}
	for _, i := range check {
		known[i], g.held[i] = true, true
	}
	kept := g.pairs[:0]
	for _, p := range g.pairs {
		if known[p.Query] && known[p.Target] {
			kept = append(kept, p)
		}
	}
	g.pairs = kept
	return nil
}

// fit trains on what is given.
func (g *given) fit(ctx context.Context, r train.Recipe) (*model.Model, error) {
	if g.nameErr == nil {
		r.Plan.Learn, r.Plan.Check = g.learn, g.checks
		return train.Fit(ctx, g.graphs, g.check, r)
	}
	m, err := train.FitPairs(ctx, g.graphs, g.pairs, g.held, r)
	var twice *train.ContradictionError
	if errors.As(err, &twice) || errors.Is(err, train.ErrNoPairs) {
		err = g.nameErr(err)
	}
	return m, err
}

// partOf returns the graphs of one part of a split file.
func partOf(records []dataset.Record, split, part string) ([]*graph.Graph, error) {
	at, err := positionsOf(records, split, part)
	var graphs []*graph.Graph
	for _, i := range at {
		graphs = append(graphs, records[i].Graph)
	}
	return graphs, err
}

func positionsOf(records []dataset.Record, split, part string) ([]int, error) {
	return positions(idsOf(records), split, part)
}

// centresOf returns the nodes of a graph that one part of a split names, by
// their numbers.
func centresOf(rec dataset.Record, split, part string) ([]int, error) {
	ids := make([]string, rec.Graph.N())
	for v := range ids {
		ids[v] = strconv.Itoa(v)
	}
	return positions(ids, split, part)
}

func positions(ids []string, split, part string) ([]int, error) {
	f, err := os.Open(split)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	partition, err := sample.ReadPartition(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", split, err)
	}
	at, err := partition.Positions(ids, part)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", split, err)
	}
	return at, nil
}

// hoodFlags say what stands in for large graphs where subgraphs are learnt.
type hoodFlags struct {
	Hops     int `default:"2" placeholder:"N" help:"For sed, learn graphs of more than 1000 nodes, and a graph that is alone, by the neighbourhoods of their nodes: all within N edges (default 2)."`
	MaxNodes int `default:"1000" placeholder:"N" help:"Keep to the N nodes of a neighbourhood nearest to its centre (default 1000)."`
}

func (f hoodFlags) hoods() (train.Neighbourhoods, error) {
	if f.Hops < 1 || f.MaxNodes < 2 {
		return train.Neighbourhoods{}, usageError(fmt.Sprintf("--hops %d --max-nodes %d: want at least 1 and 2", f.Hops, f.MaxNodes))
	}
	return train.Neighbourhoods{Hops: f.Hops, Nodes: f.MaxNodes}, nil
}
