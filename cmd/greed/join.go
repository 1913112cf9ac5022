package main

import (
	"io"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// joinCommand finds all pairs within a distance.
type joinCommand struct {
	Collection string `arg:"" help:"A file, a folder or an index of graphs."`
	Other      string `arg:"" optional:"" help:"A second collection; pairs then have one graph of each."`

	operation.Join
	Sed bool   `help:"Use subgraph edit distance: --task sed."`
	Out string `short:"o" required:"" placeholder:"FILE" help:"Where to write: .csv, .tsv or .parquet."`
	partFlag
	readFlags
}

// Help shows below the usage of the command.
func (joinCommand) Help() string {
	return `
Finds all pairs of graphs within a distance, for duplicates (--radius 0), near
duplicates and clusters. The result is proven complete and exact. Within one collection
each pair comes once, unless the distance depends on the direction: with --sed, or where
inserting costs something else than deleting.

    greed join molecules.smi --radius 2 -o near.csv
    greed join fragments.smi molecules.smi --sed --radius 0 -o contained.parquet
    greed join molecules.smi --radius 2 --part 1/8 -o near-1.part

If a run is stopped or killed, give the same command again and it resumes:
FILE.journal keeps finished work until the run ends. FILE lists pairs in the form
that greed truth writes.
`
}

func (c *joinCommand) Run(s *session) error {
	if c.Sed {
		c.Task = edit.SED.String()
	}
	job, err := c.Resolve()
	if err != nil {
		return usage(err)
	}
	c.compare(job.Costs)
	if err := c.checkOut(c.Out); err != nil {
		return err
	}
	job.Workers = s.workers
	vocab := graph.NewVocabulary()
	if job.Queries, err = c.graphs(s, c.Collection, vocab); err != nil {
		return err
	}
	if c.Other != "" {
		if job.Targets, err = c.graphs(s, c.Other, vocab); err != nil {
			return err
		}
		if job.Targets == nil {
			job.Targets = []dataset.Record{}
		}
	}
	units := len(job.Queries)
	if !c.Part.All() {
		job.Only = append([]int{}, c.Part.Units(units)...)
		units = len(job.Only)
	}
	shown := s.bar(units, "graphs")
	var last join.Progress
	job.Progress = func(p join.Progress) { shown.add(p.Done - last.Done); last = p }
	begin := time.Now()
	table, err := c.run(s, job)
	shown.finish()
	if err != nil {
		if s.ctx.Err() != nil {
			s.note("%d of %s done; the same command continues from there", last.Done, count(units, "graph"))
		}
		return err
	}
	return wrotePairs(s, c.Out, table.Pairs, time.Since(begin))
}

// run writes the pairs, or with --part some of them.
func (c *joinCommand) run(s *session, job join.Job) (*truth.Table, error) {
	if c.Part.All() {
		return job.RunFile(s.ctx, c.Out)
	}
	inputs, targets := part.InputsOf(job.Queries), job.Queries
	if job.Targets != nil {
		inputs, targets = part.InputsOf(job.Queries, job.Targets), job.Targets
	}
	h := c.header(part.Join, len(job.Queries), inputs, struct {
		Task   edit.Task
		Costs  edit.Costs
		Radius float64
		Time   time.Duration
	}{job.Task, job.Costs, job.Radius, job.Time})
	return job.RunTo(s.ctx, c.Out, func(t *truth.Table, w io.Writer) error {
		return h.WritePairs(w, t, func(i int) int { return int(t.Pairs[i].Query) }, idsOf(job.Queries), idsOf(targets))
	})
}

// graphs reads a file, a folder or an index.
func (f *readFlags) graphs(s *session, name string, vocab *graph.Vocabulary) ([]dataset.Record, error) {
	if !greed.IsIndex(name) {
		return f.load(s, name, vocab)
	}
	index, err := greed.OpenIndex(s.ctx, name)
	if err != nil {
		return nil, err
	}
	var list []dataset.Record
	for r := range index.All() {
		r.Graph = graph.In(vocab, r.Graph)
		list = append(list, r)
	}
	return list, index.Close()
}
