package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/sampler"
	"github.com/greedgraph/greed/sample"
)

// fastRuns is how often fast rows are measured.
const fastRuns = 3

// budget is the time for one pair of a slow row.
const budget = time.Second

// solverRows returns what GED measures. Targets are a tenth of the time of the best
// public exact solver, and gaps below those of the labels that the paper was trained
// on.
func solverRows() []row {
	rows := []row{
		{
			name: "ged/aids700nef", about: "GED, test × train, edge labels ignored, no limit", runs: fastRuns, list: true,
			figures: []figure{micros().to(AtMost, 20), microsUsed().to(AtMost, 20), proven().to(AtLeast, 1)},
			prepare: wholeProduct("aids700nef", edit.GED, 0),
		},
		{
			name: "ged/linux", about: "GED, test × train, no limit", runs: fastRuns, list: true,
			figures: []figure{micros().to(AtMost, 8), microsUsed().to(AtMost, 8), proven().to(AtLeast, 1)},
			prepare: wholeProduct("linux", edit.GED, 0),
		},
		{
			name: "ged/imdb", about: "GED, random pairs of graphs of at most 16 nodes, 1 s", runs: 1, list: true,
			figures: []figure{proven().to(AtLeast, 0.995), millis()},
			prepare: smallIMDB,
		},
		{
			name: "sed/aids700nef", about: "SED, test × the first 100 of train, edge labels ignored, no limit", runs: fastRuns, list: true,
			figures: []figure{micros().to(AtMost, 30), microsUsed().to(AtMost, 30), proven()},
			prepare: wholeProduct("aids700nef", edit.SED, 100),
		},
	}
	rows = append(rows, moleculeRows()...)
	rows = append(rows, largeRows()...)
	rows = append(rows, mcesRow(), mcesWithinRow())
	rows = append(rows, paperRows()...)
	rows = append(rows, anytimeRows()...)
	return append(rows, truthRow())
}

// wholeProduct pairs all test graphs with the first graphs of train, or with all if
// first is 0.
func wholeProduct(name string, task edit.Task, first int) func(context.Context, *lab) (pass, error) {
	return func(_ context.Context, x *lab) (pass, error) {
		test, train, err := x.benchmark(name)
		if err != nil {
			return nil, err
		}
		if first > 0 {
			train = train[:min(first, len(train))]
		}
		solve, err := exactSolver(task, edit.Uniform().IgnoreEdgeLabels(), ged.Options{})
		return solveAll(x.product(test, train), solve), err
	}
}

func smallIMDB(_ context.Context, x *lab) (pass, error) {
	test, train, err := x.benchmark("imdb")
	if err != nil {
		return nil, err
	}
	var small collection
	for _, part := range []collection{test, train} {
		for _, rec := range part {
			if rec.Graph.N() <= 16 {
				small = append(small, rec)
			}
		}
	}
	pairs, err := x.random(small, small, 1000, anyPair)
	if err != nil {
		return nil, err
	}
	solve, err := exactSolver(edit.GED, edit.Uniform().IgnoreEdgeLabels(), ged.Options{Time: budget})
	return solveAll(pairs, solve), err
}

// moleculeRows are random pairs of the bundled molecules with bond labels, by the size
// of the smaller one.
func moleculeRows() []row {
	var rows []row
	for _, c := range []struct {
		least, most int
		share       float64 // share to prove; 0 means no target
	}{{1, 12, 0.95}, {13, 16, 0.95}, {17, 20, 0.7}, {21, 30, 0}, {31, 1 << 30, 0}} {
		name, sizes := fmt.Sprintf("molecules/%d-%d", c.least, c.most), fmt.Sprintf("%d to %d", c.least, c.most)
		if c.most == 1<<30 {
			name, sizes = fmt.Sprintf("molecules/%d-", c.least), fmt.Sprintf("at least %d", c.least)
		}
		share := proven()
		if c.share > 0 {
			share = share.to(AtLeast, c.share)
		}
		rows = append(rows, row{
			name: name, about: "GED with bond labels, random pairs of NCI molecules whose smaller one has " + sizes + " atoms, 1 s", runs: 1,
			figures: []figure{share, meanGap(), millis()},
			prepare: func(_ context.Context, x *lab) (pass, error) {
				records, err := bundle.Records(graph.NewVocabulary())
				if err != nil {
					return nil, err
				}
				pairs, err := x.random(records, records, 500, func(q, t *graph.Graph) bool {
					n := min(q.N(), t.N())
					return c.least <= n && n <= c.most
				})
				if err != nil {
					return nil, err
				}
				solve, err := exactSolver(edit.GED, edit.Uniform(), ged.Options{Time: budget})
				return solveAll(pairs, solve), err
			},
		})
	}
	return rows
}

// paperRows are SED in the settings of the paper. The parameters of its query samplers
// were chosen to match the sizes that it states.
func paperRows() []row {
	var rows []row
	for _, c := range []struct {
		name, file string
		hops       int // radius of the neighbourhoods; 0 means whole graphs
		queries    sample.BFS
		gap        float64
	}{
		{"aids", "aids/aids.txt", 0, sample.BFS{Depth: 5, Keep: 0.8}, 0.002},
		{"protein", "protein/protein.txt.gz", 0, sample.BFS{Depth: 5, Keep: 0.45}, 0.02},
		{"pubmed", "pubmed/pubmed.txt", 2, sample.BFS{Depth: 2, Keep: 0.4}, 0.01},
		{"cora_ml", "cora_ml/cora_ml.txt", 2, sample.BFS{Depth: 2, Keep: 0.3}, 0.02},
		{"citeseer", "citeseer/citeseer.txt", 4, sample.BFS{Depth: 4, Keep: 0.5}, 0.03},
	} {
		targets := "whole graphs"
		if c.hops > 0 {
			targets = fmt.Sprintf("%d-hop neighbourhoods", c.hops)
		}
		rows = append(rows, row{
			name: "paper/" + c.name, about: fmt.Sprintf("SED as in the paper, targets %s, queries of depth %d with probability %v, 1 s", targets, c.queries.Depth, c.queries.Keep), runs: 1,
			figures: []figure{meanGap().to(AtMost, c.gap), millis(), proven()},
			prepare: func(_ context.Context, x *lab) (pass, error) {
				all, err := x.read(c.file)
				if err != nil {
					return nil, err
				}
				pairs, err := x.paperPairs(all[0], c.hops, c.queries, 2000)
				if err != nil {
					return nil, err
				}
				solve, err := exactSolver(edit.SED, edit.Uniform().IgnoreEdgeLabels(), ged.Options{Time: budget})
				return solveAll(pairs, solve), err
			},
		})
	}
	return rows
}

// paperPairs draws count queries, scaled, and, independently, as many targets.
func (x *lab) paperPairs(all collection, hops int, s sample.BFS, count int) ([]pair, error) {
	whole := make(sample.Rooted, len(all))
	for i, rec := range all {
		whole[i] = rec.Graph
	}
	var source sample.Source = whole
	id := func(i int) string { return all[i].ID }
	if hops > 0 {
		source = sampler.AllNeighbourhoods(whole[0], hops, 0)
		id = func(i int) string { return fmt.Sprint("around node ", i) }
	}
	count = x.scaled(count)
	queries, err := sample.Queries(newRand(0), source, s, sample.PaperLimits(), count)
	if err != nil {
		return nil, err
	}
	rng := newRand(1)
	pairs := make([]pair, count)
	for i, q := range queries {
		t := rng.IntN(source.Len())
		pairs[i] = pair{q: q.Graph, t: source.Target(t), query: fmt.Sprintf("%d from %s", i, id(q.Target)), target: id(t)}
	}
	return pairs, nil
}
