package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

type diffCommand struct {
	Old string `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	New string `arg:"" help:"The same."`

	Format string `enum:"text,markdown,json,svg" default:"text" help:"How to print: text, markdown, json (one object per pair), svg (a drawing of one pair)."`
	Match  string `enum:"name,distance" default:"name" help:"How to pair the graphs of two collections: by id (name), or so that the sum of distances is least (distance)."`
	Map    bool   `help:"Print the node map too."`
	Color  string `enum:"auto,always,never" default:"auto" help:"Colours in text: auto (on a terminal), always, never."`

	operation.Differences
	memoryFlag
	readFlags
}

// differs is the exit code if graphs differ, trouble that of errors.
const (
	differs = 1
	trouble = 2
)

// Run compares two graphs, or those of two collections.
func (c *diffCommand) Run(s *session) error {
	changed, err := c.compareAll(s)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return err
	case err != nil:
		return &exitStatus{trouble, err}
	case changed:
		return &exitStatus{code: differs}
	}
	return nil
}

// compareAll prints what differs and reports whether anything does.
func (c *diffCommand) compareAll(s *session) (changed bool, err error) {
	if s.json && c.Format != "text" && c.Format != "json" {
		return false, usageError("--json cannot be combined with --format " + c.Format)
	}
	if err := c.needed(s, c.Old, c.New); err != nil {
		return false, err
	}
	measure, err := c.Resolve(operation.Limits{}, nil)
	if err != nil {
		return false, usage(err)
	}
	costs := measure.Costs
	src := c.source(s)
	src.Compare(costs)
	src.Named = true
	both, err := s.readBoth(src, [2]string{c.Old, c.New}, func(first *greed.Reading, second *greed.Source) {
		if first.Rules.NodeLabel == dataset.NodeName {
			second.NodeLabel, second.NodeChosen = first.Rules.NodeLabel, first.Rules.NodeChosen
		} else {
			second.Named = !slices.ContainsFunc(first.Records, func(rec dataset.Record) bool { return rec.Graph.N() > 0 })
		}
	})
	if err != nil {
		return false, err
	}
	old, fresh := both[0].Records, both[1].Records
	if a, b := &old[0], &fresh[0]; a.Graph.Directed() != b.Graph.Directed() {
		err := dataset.DirectionOf(*a).Check(*b)
		return false, fmt.Errorf("%s and %s: %w", c.Old, c.New, err)
	}
	pairs, err := c.pairs(s, measure, old, fresh)
	if err != nil {
		return false, err
	}
	out := &diffPrinter{diffCommand: c, out: s.out, costs: costs, rules: both[1].Rules, alone: len(old) == 1 && len(fresh) == 1}
	print := out.form(s.json)
	if c.Format == "svg" && len(pairs) != 1 {
		return false, fmt.Errorf("--format svg draws one pair, but there are %d: name one graph of each", len(pairs))
	}
	memory, err := c.bytes()
	if err != nil {
		return false, err
	}
	solver, err := ged.NewSolver(edit.GED, costs)
	if err != nil {
		return false, err
	}
	for _, p := range pairs {
		d := &difference{}
		if p.Old >= 0 {
			d.old = &old[p.Old]
		}
		if p.New >= 0 {
			d.new = &fresh[p.New]
		}
		if d.old != nil && d.new != nil {
			if err := d.compare(s, solver, costs, ged.Options{Time: measure.Time, Memory: memory}); err != nil {
				return false, err
			}
		}
		changed = changed || !d.same()
		if err := print(d); err != nil {
			return false, err
		}
	}
	return changed, out.finish(s.json)
}

// difference is the difference of two versions of a graph. A graph that is in only one collection has
// no counterpart.
type difference struct {
	old, new *dataset.Record // not both nil
	result   ged.Result
	groups   []diff.Group
	// fragments are the changes of molecules in chemists' terms.
	fragments []transform.Transformation
}

// same reports whether nothing differs.
func (d *difference) same() bool { return d.old != nil && d.new != nil && len(d.groups) == 0 }

// compare finds the edits of least cost. Edits without cost are left out.
func (d *difference) compare(s *session, solver *ged.Solver, costs edit.Costs, limits ged.Options) error {
	q, t := d.old.Graph, d.new.Graph
	r, err := solver.Distance(s.ctx, q, t, limits)
	if err == nil && !r.Exact {
		err = s.ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s, %s: %w", d.old.ID, d.new.ID, err)
	}
	prices, err := edit.Price(edit.GED, costs, q, t)
	if err != nil {
		return err
	}
	var path []edit.Operation
	for _, op := range edit.WithNames(edit.Path(prices, q, t, r.Map), d.old.NodeIDs, d.new.NodeIDs, q.Directed()) {
		if op.Cost > 0 {
			path = append(path, op)
		}
	}
	d.result, d.groups = r, diff.Groups(path, q, t, r.Map)
	d.fragments = transform.Of(d.old.SMILES, q, d.new.SMILES, t, r.Map)
	return nil
}

// coloured reports whether text is printed in colours.
func (c *diffCommand) coloured() bool {
	switch c.Color {
	case "always":
		return true
	case "never":
		return false
	}
	return term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// pairs says which graphs belong together. One graph belongs to one, whatever their names.
func (c *diffCommand) pairs(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]diff.Together, error) {
	switch {
	case len(old) == 1 && len(fresh) == 1:
		return []diff.Together{{Old: 0, New: 0}}, nil
	case c.Match == "distance":
		return c.nearest(s, measure, old, fresh)
	}
	list, err := diff.Namesakes(dataset.IDs(old), dataset.IDs(fresh))
	if twice, ok := errors.AsType[*diff.TwiceError](err); ok {
		name := c.Old
		if twice.New {
			name = c.New
		}
		return nil, fmt.Errorf("%s has two graphs with the id %s: --match distance pairs graphs without ids", name, field(twice.ID))
	}
	if len(list) == len(old)+len(fresh) {
		s.note("%s and %s have no ids in common: --match distance pairs graphs without ids", c.New, c.Old)
	}
	return list, err
}

// nearest pairs graphs so that all distances together are least; a graph without a mate
// counts as deleted or inserted whole. Distances that are not decided soon count by their
// upper bounds.
func (c *diffCommand) nearest(s *session, measure operation.Measure, old, fresh []dataset.Record) ([]diff.Together, error) {
	const soon = 200 * time.Millisecond
	solvers, err := solversOf(edit.GED, measure.Costs, s.workers)
	if err != nil {
		return nil, err
	}
	none, err := graph.NewBuilder(old[0].Graph.Vocabulary(), old[0].Graph.Directed()).Build()
	if err != nil {
		return nil, err
	}
	at := func(list []dataset.Record, i int) *graph.Graph {
		if i == len(list) {
			return none
		}
		return list[i].Graph
	}
	var mu sync.Mutex
	shown := s.bar((len(old)+1)*(len(fresh)+1), "pairs")
	defer shown.Finish()
	return diff.Nearest(s.ctx, len(old), len(fresh), s.workers, func(ctx context.Context, worker, i, j int) (float64, error) {
		r, err := solvers[worker].Distance(ctx, at(old, i), at(fresh, j), ged.Options{Time: min(cmp.Or(measure.Time, soon), soon)})
		mu.Lock()
		defer mu.Unlock()
		shown.Add(1)
		return r.Upper, err
	})
}

// solversOf returns a solver for each worker.
func solversOf(task edit.Task, costs edit.Costs, workers int) ([]*ged.Solver, error) {
	solvers := make([]*ged.Solver, workers)
	for i := range solvers {
		var err error
		if solvers[i], err = ged.NewSolver(task, costs); err != nil {
			return nil, err
		}
	}
	return solvers, nil
}
