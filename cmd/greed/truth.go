package main

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/truth"
)

// truthCommand makes ground truth.
type truthCommand struct {
	Queries string `arg:"" help:"The queries: a file, a folder or - for standard input."`
	Targets string `arg:"" help:"The targets; give the queries again for distances within a collection."`

	operation.Truth
	Out string `short:"o" required:"" journal:"" placeholder:"FILE" help:"Where to write: .csv, .tsv or .parquet."`
	partFlag
	readFlags
}

// AfterApply refuses a seed of nothing.
func (c *truthCommand) AfterApply(command *kong.Context) error {
	if c.Random == 0 && isGiven(command, "seed") {
		return usageError("--seed goes with --random")
	}
	return nil
}

func (c *truthCommand) Run(s *session) error {
	bounder, err := c.Resolve()
	if err != nil {
		return usage(err)
	}
	src := c.source(s)
	src.Compare(bounder.Costs)
	if err := c.checkOut(c.Out); err != nil {
		return err
	}
	queries, targets, err := c.read(s, src)
	if err != nil {
		return err
	}
	pairs := c.Truth.Pairs(len(queries), len(targets))
	all := len(pairs)
	units := c.Part.Units(all)
	if !c.Part.All() {
		own := make([]truth.Pair, len(units))
		for i, u := range units {
			own[i] = pairs[u]
		}
		pairs = own
	}
	shown := s.bar(len(pairs), "pairs")
	var last truth.Progress
	bounder.Workers = s.workers
	bounder.Progress = func(p truth.Progress) { shown.Reach(p.Done); last = p }
	job := truth.Job{
		Bounder: bounder, Queries: dataset.Graphs(queries), Targets: dataset.Graphs(targets), Pairs: pairs,
		Maps: c.Maps,
	}
	begin := time.Now()
	if c.Part.All() {
		_, err = job.RunFile(s.ctx, c.Out, dataset.IDs(queries), dataset.IDs(targets))
	} else {
		h := c.header(part.Truth, all, part.InputsOf(slices.Values(queries), slices.Values(targets)), struct {
			Task   edit.Task
			Costs  edit.Costs
			Limits ged.Options
			Random int
			Seed   uint64
		}{job.Task, job.Costs, job.Limits, c.Random, c.Seed})
		_, err = job.RunTo(s.ctx, c.Out, func(t *truth.Table, w io.Writer) error {
			return h.WritePairs(w, t.Rows(dataset.IDs(queries), dataset.IDs(targets)),
				func(i int) int { return units[i] })
		})
	}
	shown.Finish()
	if err != nil && s.ctx.Err() != nil {
		s.note("%d of %s done; the same command continues from there", last.Done, count(len(pairs), "pair"))
	}
	if err != nil {
		return err
	}
	return wrotePairs(s, c.Out, len(pairs), truth.CountOpen(pairs), job.Costs, time.Since(begin))
}

// read reads the graphs.
func (c *truthCommand) read(s *session, src greed.Source) (queries, targets []dataset.Record, err error) {
	if c.Targets == c.Queries {
		r, err := s.read(src, c.Queries)
		if err != nil {
			return nil, nil, err
		}
		noteRepeated(s, c.Queries, slices.All(r.Records))
		return r.Records, r.Records, nil
	}
	both, err := s.readBoth(src, [2]string{c.Queries, c.Targets}, nil)
	if err != nil {
		return nil, nil, err
	}
	noteRepeated(s, c.Queries, slices.All(both[0].Records))
	noteRepeated(s, c.Targets, slices.All(both[1].Records))
	return both[0].Records, both[1].Records, nil
}

// wrotePairs says what a file has: so many pairs, of which so many are open.
func wrotePairs(s *session, out string, pairs, open int, costs edit.Costs, took time.Duration) error {
	by := ""
	if name := greed.CostsName(costs); name != "uniform" {
		by = ", by edit costs " + name
	}
	return s.answer(struct {
		Out     string  `json:"out"`
		Costs   string  `json:"costs"`
		Pairs   int     `json:"pairs"`
		Open    int     `json:"open"`
		Seconds float64 `json:"seconds"`

		Notes []dataset.Note `json:"notes,omitempty"`
	}{out, greed.CostsName(costs), pairs, open, took.Seconds(), s.allNotes()},
		"%s: %s, %d of them within bounds only, in %s%s\n", filepath.Clean(out), count(pairs, "pair"), open,
		rounded(took), by)
}
