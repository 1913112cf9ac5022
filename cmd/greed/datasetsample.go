package main

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/sample"
)

type datasetSample struct {
	Input string `arg:"" help:"A file, a folder, or - for standard input."`
	What  string `enum:"graphs,queries,neighbourhoods" default:"graphs" help:"What to draw: graphs, queries, neighbourhoods."`
	Count int    `short:"n" default:"100" help:"How many."`
	Seed  uint64 `default:"1" help:"The same seed draws the same graphs again."`

	Hops     int     `default:"2" help:"Steps from the start, for queries and neighbourhoods."`
	Keep     float64 `default:"0.5" help:"Probability of following an edge, for queries."`
	MinNodes int     `default:"5" help:"Size of the smallest query."`
	MaxNodes int     `minimum:"1" placeholder:"N" help:"Size of the largest query, by default 25, or of the largest neighbourhood, by default any: the nodes nearest to its centre."`
	writeFlags
	readFlags
}

// AfterApply refuses flags that say nothing about what is drawn.
func (c *datasetSample) AfterApply(command *kong.Context) error {
	for _, flag := range []struct{ name, of string }{
		{"hops", "queries neighbourhoods"}, {"keep", "queries"}, {"min-nodes", "queries"}, {"max-nodes", "queries neighbourhoods"},
	} {
		if isGiven(command, flag.name) && !slices.Contains(strings.Fields(flag.of), c.What) {
			return usageError(fmt.Sprintf("--%s does not apply to --what %s: leave it out", flag.name, c.What))
		}
	}
	if c.What == "queries" {
		c.MaxNodes = cmp.Or(c.MaxNodes, 25)
	}
	return nil
}

// Run draws and writes.
func (c *datasetSample) Run(s *session) error {
	switch {
	case c.Count < 1:
		return usageError(fmt.Sprintf("--count is %d: want at least 1", c.Count))
	case c.Hops < 1:
		return usageError(fmt.Sprintf("--hops is %d: want at least 1", c.Hops))
	case !(c.Keep > 0 && c.Keep <= 1):
		return usageError(fmt.Sprintf("--keep is %v: want a probability above 0, up to 1", c.Keep))
	case c.MaxNodes < 0:
		return usageError(fmt.Sprintf("--max-nodes is %d: want at least 1", c.MaxNodes))
	case c.What == "queries" && (c.MinNodes < 1 || c.MaxNodes < c.MinNodes):
		return usageError(fmt.Sprintf("--min-nodes %d and --max-nodes %d: want 1 or more, and a maximum not below the minimum", c.MinNodes, c.MaxNodes))
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	draw := map[string]func(*session, *rand.Rand) ([]drawnGraph, error){
		"graphs":         c.graphs,
		"queries":        c.queries,
		"neighbourhoods": c.neighbourhoods,
	}[c.What]
	drawn, err := draw(s, rng)
	if err != nil {
		return err
	}
	return c.write(s, func(w *dataset.Writer) error { return c.writeDrawn(s, drawn, w) })
}

// drawnGraph is a graph with its position in the input or, if it is a part of
// one, among what was drawn.
type drawnGraph struct {
	dataset.Record
	at int
}

// writeDrawn writes what was drawn. A graph that the format cannot hold is treated like
// one that cannot be read.
func (c *datasetSample) writeDrawn(s *session, drawn []drawnGraph, w *dataset.Writer) (err error) {
	opt := c.options(nil)
	rejects, err := c.openRejects(s, &opt)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rejects()) }()
	left := unwritable{reject: opt.Rejects}
	for _, d := range drawn {
		err := w.Write(d.Record)
		if opt.SkipBad {
			err = left.out(d.Record, d.at, err)
		}
		if err != nil {
			return err
		}
	}
	return left.report(s, c.Input, len(drawn))
}

// graphs draws without replacement in one pass (reservoir sampling, Vitter's
// algorithm R), so that only what is drawn is held.
func (c *datasetSample) graphs(s *session, rng *rand.Rand) ([]drawnGraph, error) {
	var drawn []drawnGraph
	seen := 0
	err := c.visit(s, c.Input, graph.NewVocabulary(), func(rec dataset.Record) error {
		if len(drawn) < c.Count {
			drawn = append(drawn, drawnGraph{rec, seen})
		} else if i := rng.IntN(seen + 1); i < c.Count {
			drawn[i] = drawnGraph{rec, seen}
		}
		seen++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if seen < c.Count {
		s.note("%s has %s, fewer than %d: all are written", c.Input, count(seen, "graph"), c.Count)
	}
	slices.SortFunc(drawn, func(a, b drawnGraph) int { return cmp.Compare(a.at, b.at) })
	return drawn, nil
}

func (c *datasetSample) queries(s *session, rng *rand.Rand) ([]drawnGraph, error) {
	records, err := c.load(s, c.Input, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	targets := make(sample.Whole, len(records))
	for i, rec := range records {
		targets[i] = rec.Graph
	}
	limits := sample.Limits{MinNodes: c.MinNodes, MaxNodes: c.MaxNodes, MinEdges: 1}
	queries, err := sample.Queries(rng, targets, sample.BFS{Depth: c.Hops, Keep: c.Keep}, limits, c.Count)
	if err != nil {
		return nil, err
	}
	drawn := make([]drawnGraph, len(queries))
	for i, q := range queries {
		drawn[i] = drawnGraph{dataset.Record{ID: fmt.Sprint(i), Graph: q.Graph, Attributes: map[string]any{"source": records[q.Target].ID}}, i}
	}
	return drawn, nil
}

// neighbourhoods draws centres without replacement from all nodes of all graphs.
func (c *datasetSample) neighbourhoods(s *session, rng *rand.Rand) ([]drawnGraph, error) {
	records, err := c.load(s, c.Input, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	type centre struct{ record, node int }
	var centres []centre
	for i, rec := range records {
		for v := range rec.Graph.N() {
			centres = append(centres, centre{i, v})
		}
	}
	rng.Shuffle(len(centres), func(i, j int) { centres[i], centres[j] = centres[j], centres[i] })
	var drawn []drawnGraph
	for _, at := range centres[:min(c.Count, len(centres))] {
		rec := records[at.record]
		nodes, _ := rec.Graph.Neighbourhood(at.node, c.Hops, c.MaxNodes)
		id := fmt.Sprint(at.node)
		if len(records) > 1 {
			id = rec.ID + "-" + id
		}
		drawn = append(drawn, drawnGraph{dataset.Record{ID: id, Graph: rec.Graph.Induced(nodes)}, len(drawn)})
	}
	if len(centres) < c.Count {
		s.note("%s has %s, fewer than %d: the neighbourhoods of all are written", c.Input, count(len(centres), "node"), c.Count)
	}
	return drawn, nil
}
