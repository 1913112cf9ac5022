package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/truth"
)

// truthCommand makes ground truth.
type truthCommand struct {
	Queries string `arg:"" help:"The queries: a file, a folder or - for standard input."`
	Targets string `arg:"" help:"The targets; give the queries again for distances within a collection."`

	Task taskFlag `default:"ged" placeholder:"TASK" help:"Distance to compute: ged, sed, mcs."`
	Out  string   `short:"o" required:"" placeholder:"FILE" help:"Where to write: .csv, .tsv or .parquet."`
	partFlag
	Random    int           `placeholder:"N" help:"Take N random pairs instead of every query with every target."`
	Seed      uint64        `default:"1" help:"Seed of the random pairs (default 1)."`
	Maps      bool          `help:"Write the node maps too."`
	TimeLimit time.Duration `placeholder:"TIME" help:"Settle for bounds after this time per pair (default: never)."`
	States    int64         `placeholder:"N" help:"Settle for bounds after this many search states per pair; unlike a time limit, this gives the same file every time."`

	costFlags
	readFlags
}

// Help shows below the usage of the command.
func (truthCommand) Help() string {
	return `
Computes distances of many pairs, exactly or within bounds, on all cores. If a run is
stopped or killed, give the same command again and it resumes: FILE.journal keeps
finished work until the run ends.

    greed truth molecules.smi molecules.smi --random 10000 -o pairs.parquet
    greed truth queries.txt targets.txt --task sed --states 100000 -o pairs.csv
    greed truth molecules.smi molecules.smi --part 1/8 -o pairs-1.part
`
}

func (c *truthCommand) Run(s *session) error {
	costs, err := c.costs()
	if err != nil {
		return err
	}
	c.compare(costs)
	if c.Random < 0 || c.States < 0 || c.TimeLimit < 0 {
		return usageError("--random, --states and --time-limit want numbers above 0")
	}
	if err := c.checkOut(c.Out); err != nil {
		return err
	}
	vocab := graph.NewVocabulary()
	queries, err := c.load(s, c.Queries, vocab)
	if err != nil {
		return err
	}
	targets := queries
	if c.Targets != c.Queries {
		if targets, err = c.load(s, c.Targets, vocab); err != nil {
			return err
		}
	}
	pairs := truth.AllPairs(len(queries), len(targets))
	if c.Random > 0 {
		pairs = truth.RandomPairs(rand.New(rand.NewPCG(c.Seed, 0)), len(queries), len(targets), c.Random)
	}
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
	job := truth.Job{
		Bounder: truth.Bounder{
			Task: c.Task.Task, Costs: costs, Workers: s.workers,
			Limits:   ged.Options{Time: c.TimeLimit, States: c.States},
			Progress: func(p truth.Progress) { shown.add(p.Done - last.Done); last = p },
		},
		Queries: graphsOf(queries), Targets: graphsOf(targets), Pairs: pairs, Maps: c.Maps,
	}
	begin := time.Now()
	if c.Part.All() {
		_, err = job.RunFile(s.ctx, c.Out, idsOf(queries), idsOf(targets))
	} else {
		h := c.header(part.Truth, all, part.InputsOf(queries, targets), struct {
			Task   edit.Task
			Costs  edit.Costs
			Limits ged.Options
			Random int
			Seed   uint64
		}{job.Task, costs, job.Limits, c.Random, c.Seed})
		_, err = job.RunTo(s.ctx, c.Out, func(t *truth.Table, w io.Writer) error {
			return h.WritePairs(w, t, func(i int) int { return units[i] }, idsOf(queries), idsOf(targets))
		})
	}
	shown.finish()
	if err != nil && s.ctx.Err() != nil {
		s.note("%d of %s done; the same command continues from there", last.Done, count(len(pairs), "pair"))
	}
	if err != nil {
		return err
	}
	return c.print(s, pairs, time.Since(begin))
}

func (c *truthCommand) print(s *session, pairs []truth.Pair, took time.Duration) error {
	open := 0
	for _, p := range pairs {
		if !p.Exact() {
			open++
		}
	}
	if s.json {
		return s.out.printJSON(struct {
			Out     string  `json:"out"`
			Pairs   int     `json:"pairs"`
			Open    int     `json:"open"`
			Seconds float64 `json:"seconds"`
		}{c.Out, len(pairs), open, took.Seconds()})
	}
	_, err := fmt.Fprintf(s.out, "%s: %s, %d of them within bounds only, in %s\n", filepath.Clean(c.Out), count(len(pairs), "pair"), open, rounded(took))
	return err
}

func idsOf(records []dataset.Record) []string {
	ids := make([]string, len(records))
	for i, rec := range records {
		ids[i] = rec.ID
	}
	return ids
}
