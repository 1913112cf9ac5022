package main

import (
	"cmp"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/report"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/join"
	"github.com/greedgraph/greed/truth"
)

// joinCommand finds all pairs within a distance.
type joinCommand struct {
	nearFlags
	operation.Join
	Sed bool   `help:"Use subgraph edit distance: --task sed."`
	Out string `short:"o" journal:"" placeholder:"FILE" help:"${join_out}"`
	partFlag
}

// AfterApply takes up --sed.
func (c *joinCommand) AfterApply(command *kong.Context) error {
	return setTask(command, c.Sed, &c.Task)
}

func (c *joinCommand) Run(s *session) error {
	plan, err := s.planned(&c.Join, 0)
	if err != nil {
		return err
	}
	switch {
	case c.Out == "" && !c.Part.All():
		return usageError("--part wants a file: -o FILE")
	case c.Out == "":
		return c.list(s, plan)
	case c.K != nil || c.Filter != nil:
		return usageError("-k and --filter are for pairs that are printed: leave them out, or -o")
	}
	if err := c.checkOut(c.Out); err != nil {
		return err
	}
	given, finish, err := c.open(s, plan)
	if err != nil {
		return err
	}
	defer finish()
	of, in := given.Collection, cmp.Or(given.Other, given.Collection)
	job := join.Job{Task: plan.Task, Radius: *c.Radius + 0, Costs: in.Costs(plan.Task), Workers: s.workers}
	if len(plan.Costs) > 0 {
		job.Costs = plan.Costs[0]
	}
	if plan.Time != greed.NoLimit {
		job.Time = plan.Time
	}
	begin, units := time.Now(), 0
	var last join.Progress
	err = of.Read(func(queries *search.Collection) error {
		job.Queries = queries
		units = queries.Len()
		if !c.Part.All() {
			job.Only = append([]int{}, c.Part.Units(units)...)
			units = len(job.Only)
		}
		if given.Other == nil {
			last, err = c.run(s, job, units)
			return err
		}
		return in.Read(func(targets *search.Collection) error {
			job.Targets = targets
			last, err = c.run(s, job, units)
			return err
		})
	})
	if err != nil {
		if s.ctx.Err() != nil {
			s.note("%d of %s done; the same command continues from there", last.Done, count(units, "graph"))
		}
		return err
	}
	return wrotePairs(s, c.Out, last.Pairs, last.Open, job.Costs, time.Since(begin))
}

// list prints the pairs.
func (c *joinCommand) list(s *session, plan *operation.Planned) error {
	in, finish, err := c.open(s, plan)
	if err != nil {
		return err
	}
	defer finish()
	found, err := carryOut[greed.Joined](s.ctx, plan, in)
	if err != nil {
		if s.ctx.Err() != nil {
			s.note("what was found is lost: with -o FILE it is kept, and the same command continues from there")
		}
		return err
	}
	if s.json {
		return s.out.printJSON(found)
	}
	most := min(rowsOf(c.K), len(found.Pairs))
	t := &report.Table{Title: titled(found.Total, most, "pair"), Columns: []string{strings.ToUpper(found.Task.String()),
		"from", "to"}}
	for _, p := range found.Pairs[:most] {
		t.Rows = append(t.Rows, []report.Cell{report.Text(between(p.Lower, p.Upper)), report.Text(p.Query),
			report.Text(p.Target)})
	}
	summary := c.summary(found.Total, found.Graphs, found.Others, found.Task, found.Radius, found.Status, found.Verdict)
	return printTables(s, summary, found.Question.Terms(), t)
}

// run writes the pairs, or with --part some of them, of so many queries.
func (c *joinCommand) run(s *session, job join.Job, queries int) (join.Progress, error) {
	graphs := job.Queries.Len()
	if job.Targets != nil {
		graphs += job.Targets.Len()
	}
	reading := s.bar(graphs, "graphs read")
	searching := sync.OnceValue(func() *progress.Bar { // its rate is that of the searches
		reading.Finish()
		return s.bar(queries, "graphs")
	})
	job.Read = func() { reading.Add(1) }
	job.Progress = func(p join.Progress) { searching().Reach(p.Done) }
	defer func() { searching().Finish() }()
	if c.Part.All() {
		return job.RunFile(s.ctx, c.Out)
	}
	inputs := part.NewInputs()
	job.Inputs = inputs
	h := c.header(part.Join, job.Queries.Len(), "", struct {
		Task   edit.Task
		Costs  edit.Costs
		Radius float64
		Time   time.Duration
	}{job.Task, job.Costs, job.Radius, job.Time})
	return job.RunTo(s.ctx, c.Out, func(rows truth.Rows, w io.Writer) error {
		h.Inputs = inputs.Sum()
		return h.WritePairs(w, rows, func(query int) int { return query })
	})
}
