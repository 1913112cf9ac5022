package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/term"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/diff"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/report"
)

type diffCommand struct {
	Old string   `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	New string   `arg:"" help:"The same."`
	Git []string `arg:"" optional:"" help:"What git gives its external diff besides; see --driver."`

	Driver bool `help:"${diff_driver}"`

	Format      string `enum:"text,markdown,json,svg" default:"text" help:"${diff_format}"`
	Pair        string `enum:"name,distance,program" default:"name" help:"${diff_pair}"`
	Calls       string `placeholder:"OLD,NEW" help:"${diff_calls}"`
	Out         string `short:"o" placeholder:"FILE" help:"${diff_out}"`
	Map         bool   `help:"Print the node map too."`
	Certificate string `writes:"" placeholder:"FILE" help:"${diff_certificate}"`
	Color       string `enum:"auto,always,never" default:"auto" help:"${diff_color}"`

	operation.Differences
	memoryFlag
	readFlags
}

// nameAttribute is the attribute that names are read from where the first version has one.
const nameAttribute = "name"

// differs is the exit code if graphs differ, trouble that of errors.
const (
	differs = 1
	trouble = 2
)

// Run compares two graphs, or those of two collections.
func (c *diffCommand) Run(s *session) error {
	shown, err := c.versions()
	if err != nil {
		return err
	}
	changed, err := c.compareAll(s, shown)
	if c.Driver && err == nil {
		return nil // git takes differences for granted
	}
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
func (c *diffCommand) compareAll(s *session, shown string) (changed bool, err error) {
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
	match, err := c.Matched()
	if err != nil {
		return false, usage(err)
	}
	costs := measure.Costs
	src := c.source(s)
	src.Compare(costs)
	src.Named = true
	if c.Driver && (c.Old == os.DevNull || c.New == os.DevNull) {
		return true, c.onlyOne(s, src, shown)
	}
	both, err := s.readBoth(src, [2]string{c.Old, c.New}, func(first *greed.Reading, second *greed.Source) {
		if first.Rules.NodeLabel == dataset.NodeName {
			second.NodeLabel, second.NodeChosen = first.Rules.NodeLabel, first.Rules.NodeChosen
		} else {
			second.Named = first.Rules.NodeLabel == nameAttribute || !slices.ContainsFunc(first.Records,
				func(rec dataset.Record) bool { return rec.Graph.N() > 0 })
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
	if c.Out != "" {
		if err := report.CheckName(c.Out); err != nil {
			return false, usageError(err.Error())
		}
		if len(old) != 1 || len(fresh) != 1 {
			return false, fmt.Errorf("-o %s draws one pair, but there are %s and %s: name one graph of each", c.Out,
				count(len(old), "graph"), count(len(fresh), "graph"))
		}
	}
	if c.Certificate != "" && (len(old) != 1 || len(fresh) != 1) {
		return false, usageError("--certificate proves the distance of two graphs: name one graph of each")
	}
	var pairs []diff.Together
	var program *programs
	if c.Pair == "program" {
		if c.TimeLimit == "" {
			measure.Time = soonProgram
		}
		if program, err = c.matchPrograms(s, src, measure, [2][]dataset.Record{old, fresh}); err != nil {
			return false, err
		}
		for _, f := range program.list {
			pairs = append(pairs, f.Together)
		}
	} else if c.Calls != "" {
		return false, usageError("--calls needs --pair program")
	} else if pairs, err = c.pairs(s, measure, old, fresh); err != nil {
		return false, err
	}
	out := &diffPrinter{diffCommand: c, out: s.out, costs: costs, alone: len(old) == 1 && len(fresh) == 1, shown: shown}
	print := out.form(s.json)
	if c.Format == "svg" && len(pairs) != 1 {
		return false, fmt.Errorf("--format svg draws one pair, but there are %d: name one graph of each", len(pairs))
	}
	if measure.Memory, err = c.bytes(); err != nil {
		return false, err
	}
	rules := both[1].Rules
	rules.Unread = dataset.Unread{} // of other graphs, too
	comparer, err := greed.NewComparer(edit.GED, measure.Options(rules))
	if err != nil {
		return false, err
	}
	if err := out.begin(program, s.json); err != nil {
		return false, err
	}
	for i, p := range pairs {
		d := &difference{match: match}
		if program != nil {
			d.became = program.of(program.list[i])
		}
		if p.Old >= 0 {
			d.old = &old[p.Old]
		}
		if p.New >= 0 {
			d.new = &fresh[p.New]
		}
		if err := d.compare(s, comparer); err != nil {
			return false, err
		}
		for _, n := range d.Notes {
			if !s.said(n) {
				s.note("%s", n.Spell(flagOf))
			}
		}
		d.Notes = dataset.Merge(both[0].Notes, both[1].Notes, d.Notes)
		changed = changed || !d.Same || d.became.moved()
		if err := print(d); err != nil {
			return false, err
		}
		if c.Out != "" {
			if err := atomicfile.Write(c.Out, out.page(d).WriteHTML); err != nil {
				return false, err
			}
		}
		if c.Certificate != "" {
			if err := c.certify(s, d, measure); err != nil {
				return false, err
			}
		}
	}
	return changed, out.finish(s.json)
}

// versions finds the versions among what git gives its external diff, and returns the name of the file.
func (c *diffCommand) versions() (shown string, err error) {
	const given = 5 // old and new hash and mode, and the new file
	switch {
	case !c.Driver && len(c.Git) > 0:
		return "", usageError(fmt.Sprintf("diff compares two: %q is too much", c.Git[0]))
	case !c.Driver:
		return "", nil
	case len(c.Git) < given:
		return "", usageError("--driver: want the arguments of an external diff of git: path, old file, hash, mode, " +
			"new file, hash, mode")
	}
	shown = c.Old
	c.Old, c.New = c.New, c.Git[2]
	return shown, nil
}

// onlyOne prints a graph that has no other version in git.
func (c *diffCommand) onlyOne(s *session, src greed.Source, shown string) error {
	name, added := c.Old, false
	if c.Old == os.DevNull {
		name, added = c.New, true
	}
	r, err := s.read(src, name)
	if err != nil {
		return err
	}
	out := &diffPrinter{diffCommand: c, out: s.out, costs: edit.Uniform(), alone: true, shown: shown}
	print := out.form(s.json)
	for i := range r.Records {
		d := &difference{Difference: greed.Unpaired(&r.Records[i], added)}
		if d.old = &r.Records[i]; added {
			d.old, d.new = nil, d.old
		}
		if err := print(d); err != nil {
			return err
		}
	}
	return nil
}

// difference is the difference of two versions of a graph, with these. A graph that is in only one
// collection has no counterpart.
type difference struct {
	old, new *dataset.Record // not both nil
	match    diff.Match
	*became  // nil unless functions of programs were matched
	*greed.Difference
}

// compare finds the edits of least cost.
func (d *difference) compare(s *session, c *greed.Comparer) (err error) {
	switch {
	case d.old == nil:
		d.Difference = greed.Unpaired(d.new, true)
		return nil
	case d.new == nil:
		d.Difference = greed.Unpaired(d.old, false)
		return nil
	}
	d.Difference, err = c.Diff(s.ctx, d.old, d.new, d.match)
	if err == nil && !d.Exact {
		err = s.ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s, %s: %w", d.old.ID, d.new.ID, err)
	}
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
func (c *diffCommand) pairs(s *session, measure operation.Measure, old,
	fresh []dataset.Record) ([]diff.Together, error) {
	switch {
	case len(old) == 1 && len(fresh) == 1:
		return []diff.Together{{Old: 0, New: 0}}, nil
	case c.Pair == "distance":
		return c.nearest(s, measure, old, fresh)
	}
	list, err := diff.Namesakes(dataset.IDs(old), dataset.IDs(fresh))
	if twice, ok := errors.AsType[*diff.TwiceError](err); ok {
		name := c.Old
		if twice.New {
			name = c.New
		}
		return nil, fmt.Errorf("%s has two graphs with the id %s: --pair distance pairs graphs without ids", name,
			field(twice.ID))
	}
	if len(list) == len(old)+len(fresh) {
		s.note("%s and %s have no ids in common: --pair distance pairs graphs without ids", c.New, c.Old)
	}
	return list, err
}

// nearest pairs graphs so that all distances together are least; a graph without a mate
// counts as deleted or inserted whole. Distances that are not decided soon count by their
// upper bounds.
func (c *diffCommand) nearest(s *session, measure operation.Measure, old,
	fresh []dataset.Record) ([]diff.Together, error) {
	const soon = 200 * time.Millisecond
	opt := measure.Options(dataset.Rules{})
	opt.Time = min(opt.Time, soon)
	comparers := make([]*greed.Comparer, s.workers)
	for i := range comparers {
		var err error
		if comparers[i], err = greed.NewComparer(edit.GED, opt); err != nil {
			return nil, err
		}
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
	return diff.Nearest(s.ctx, len(old), len(fresh), s.workers,
		func(ctx context.Context, worker, i, j int) (float64, error) {
			r, err := comparers[worker].Bounds(ctx, at(old, i), at(fresh, j))
			mu.Lock()
			defer mu.Unlock()
			shown.Add(1)
			return r.Upper, err
		})
}
