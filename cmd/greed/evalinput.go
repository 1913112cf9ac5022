package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/truth"
)

// trial is graphs and the pairs of them to evaluate.
type trial struct {
	src              greed.Source // how the graphs are read
	queries, targets []dataset.Record
	apart            bool // the targets are another file
	in               *eval.Input
	costs            edit.Costs
	model            *model.Model // nil for another program's predictions
}

// trial returns predictions with the ground truth to compare them with.
func (c *evalCommand) trial(s *session) (*trial, error) {
	var m *model.Model
	var err error
	files := c.Files
	t := &trial{src: c.source(s), in: &eval.Input{Task: edit.GED}}
	switch {
	case c.Truth != "" && (c.Random > 0 || c.States > 0):
		return nil, usageError("--truth gives the pairs and their distances: it cannot be combined with --random and " +
			"--states")
	case c.Predictions != "" && len(files) > 2:
		return nil, usageError("want queries and, if they are others, targets, with --predictions; given: " +
			count(len(files), "file"))
	case c.Predictions != "":
	case len(files) < 2 || len(files) > 3:
		return nil, usageError("want a model, queries and, if they are others, targets; given: " +
			count(len(files), "file"))
	default:
		if m, err = loadModel(files[0]); err == nil {
			err = t.src.FollowModel(files[0], m)
		}
		files = files[1:]
	}
	if err != nil {
		return nil, usageOfReading(err)
	}
	of, err := c.Resolve(m)
	if err != nil {
		return nil, usage(err)
	}
	t.in.Task, t.costs = of.Task, of.Costs
	t.src.Compare(t.costs)
	if err = c.read(s, t, files); err == nil {
		err = c.choosePairs(t, m)
	}
	if err == nil {
		err = c.markCopies(s, t, m)
	}
	if err == nil && c.Truth == "" {
		err = c.solve(s, t, of)
	}
	if err == nil && m != nil {
		err = t.in.Predict(s.ctx, m, s.workers)
	}
	t.model = m
	return t, err
}

func (c *evalCommand) read(s *session, t *trial, files []string) (err error) {
	r, err := s.read(t.src, files[0])
	if err != nil {
		return err
	}
	t.queries, t.targets = r.Records, r.Records
	if len(files) == 2 {
		t.apart = true
		if r, err = s.read(t.src, files[1]); err == nil {
			t.targets = r.Records
		}
	}
	return err
}

// choosePairs sets the graphs and the pairs that are evaluated.
func (c *evalCommand) choosePairs(t *trial, m *model.Model) error {
	t.in.Queries, t.in.Targets = dataset.Graphs(t.queries), dataset.Graphs(t.targets)
	switch {
	case c.Predictions != "":
		return c.predictedPairs(t)
	case c.Truth != "":
		var err error
		t.in.Pairs, err = c.truePairs(t)
		return err
	}
	var err error
	if t.in.Queries, err = c.part(t.queries, t.in.Task, m, c.Part, t.apart); err != nil {
		return err
	}
	t.in.Targets = t.in.Queries
	if t.apart {
		if t.in.Targets, err = c.part(t.targets, t.in.Task, m, c.Part, true); err != nil {
			return err
		}
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	if !t.apart && t.in.Task == edit.SED {
		if t.in.Queries, err = c.Queries(rng, t.in.Targets, m); err != nil {
			return usage(err)
		}
	}
	if len(t.in.Queries) == 0 || len(t.in.Targets) == 0 {
		return fmt.Errorf("there are no pairs to evaluate on: %d queries and %d targets", len(t.in.Queries),
			len(t.in.Targets))
	}
	t.in.Pairs = c.Pairs(rng, len(t.in.Queries), len(t.in.Targets), t.apart)
	return nil
}

// predictedPairs returns the pairs that another program predicts. With ground truth, it
// returns its pairs and puts the predictions in their order.
func (c *evalCommand) predictedPairs(t *trial) error {
	f, err := os.Open(c.Predictions)
	if err != nil {
		return err
	}
	defer f.Close()
	list, err := truth.ReadPredictions(f, c.Predictions, dataset.IDs(t.queries), dataset.IDs(t.targets))
	if err != nil {
		return err
	}
	if c.Truth == "" {
		for _, p := range list {
			t.in.Pairs = append(t.in.Pairs, truth.NewPair(int(p.Query), int(p.Target)))
			t.in.Predicted = append(t.in.Predicted, p.Distance)
		}
		return nil
	}
	if t.in.Pairs, err = c.truePairs(t); err != nil {
		return err
	}
	t.in.Predicted, err = eval.Join(t.in.Pairs, list)
	if missing, ok := errors.AsType[*eval.MissingError](err); ok {
		query, target := t.ids(missing.First)
		err = fmt.Errorf("%d of the %d pairs in %s have no prediction, the first of them %s, %s", missing.Missing,
			missing.Pairs, c.Truth, query, target)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Predictions, err)
	}
	return err
}

// ids returns the ids of the graphs of a pair.
func (t *trial) ids(p truth.Pair) (query, target string) {
	return field(t.queries[p.Query].ID), field(t.targets[p.Target].ID)
}

// truePairs reads the ground truth. With a split it keeps the pairs of its part.
func (c *evalCommand) truePairs(t *trial) ([]truth.Pair, error) {
	table, err := truth.ReadFile(c.Truth, dataset.IDs(t.queries), dataset.IDs(t.targets))
	if err != nil {
		return nil, err
	}
	for _, p := range table.Pairs {
		if math.IsInf(p.Upper, 1) {
			query, target := t.ids(p)
			return nil, fmt.Errorf("%s: the pair %s, %s has no upper bound to evaluate against", c.Truth, query, target)
		}
	}
	if len(table.Pairs) == 0 {
		return nil, fmt.Errorf("%s has no pairs", c.Truth)
	}
	if c.Split == "" {
		return table.Pairs, nil
	}
	queries, err := sample.PositionsIn(c.Split, dataset.IDs(t.queries), c.Part)
	if err != nil {
		return nil, err
	}
	targets, err := sample.PositionsIn(c.Split, dataset.IDs(t.targets), c.Part)
	if err != nil {
		return nil, err
	}
	kept := eval.Among(table.Pairs, queries, targets)
	if len(kept) == 0 {
		err = fmt.Errorf("%s: no pair has both graphs in part %q of %s", c.Truth, c.Part, c.Split)
	}
	return kept, err
}

// part returns the graphs of a collection, or of one part if a split is given. For sed,
// a single graph stands for the neighbourhoods of its nodes.
func (c *evalCommand) part(records []dataset.Record, task edit.Task, m *model.Model, part string,
	whole bool) ([]*graph.Graph, error) {
	if len(records) != 1 || task != edit.SED || whole {
		if c.Split == "" {
			return dataset.Graphs(records), nil
		}
		return partOf(records, c.Split, part)
	}
	g := records[0].Graph
	centres := rand.New(rand.NewPCG(c.Seed, 1)).Perm(g.N())
	centres = centres[:min(len(centres), mostCentres)]
	if c.Split != "" {
		var err error
		if centres, err = centresOf(records[0], c.Split, part); err != nil {
			return nil, err
		}
	}
	neighbourhoods, err := c.Neighbourhoods(m)
	return neighbourhoods.Of(g, centres), usage(err)
}

// mostCentres is how many neighbourhoods queries and targets are drawn from if no split
// lists them.
const mostCentres = 5000

// markCopies marks copies of graphs that the model was trained on, if those are known.
// If targets are given separately, they are taken to be the training graphs; queries
// drawn for sed are parts of targets.
func (c *evalCommand) markCopies(s *session, t *trial, m *model.Model) error {
	var seen []*graph.Graph
	var err error
	switch {
	case c.Seen != "":
		var r *greed.Reading
		if r, err = s.read(t.src, c.Seen); err == nil {
			seen = dataset.Graphs(r.Records)
		}
	case c.Split != "" && !t.apart && c.Part != "train":
		seen, err = c.part(t.queries, t.in.Task, m, "train", false)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if t.apart || t.in.Task.Symmetric() {
		t.in.QueryCopies = eval.Copies(t.in.Queries, seen)
	}
	switch {
	case t.apart:
	case t.in.Task.Symmetric():
		t.in.TargetCopies = t.in.QueryCopies
	default:
		t.in.TargetCopies = eval.Copies(t.in.Targets, seen)
	}
	return nil
}

func (c *evalCommand) solve(s *session, t *trial, of operation.Measure) error {
	bounder, err := c.Bounder(of)
	if err != nil {
		return usage(err)
	}
	shown := s.bar(len(t.in.Pairs), "ground truth, pairs")
	defer shown.Finish()
	bounder.Workers = s.workers
	bounder.Progress = func(p truth.Progress) { shown.Reach(p.Done) }
	return bounder.BoundAll(s.ctx, t.in.Queries, t.in.Targets, t.in.Pairs)
}
